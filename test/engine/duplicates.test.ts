import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { repetitions } from '../support/randomCases';
import {
	asExpression,
	fileOf,
	itemImport,
	property,
	reportOf,
	statusesOf,
	stopsOf,
	totalsOf,
} from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

const FIELDS = ['FirstName', 'LastName', 'Email', 'Phone', 'ZipOrPostal', 'DOB', 'AddressLine1'];
const map = Object.fromEntries(
	FIELDS.map((field) => [`CreateOrUpdateContact:${field}`, property(field)]),
);

type Row = Record<string, string>;
const rowOf = (changes: Row): Row => ({
	...Object.fromEntries(FIELDS.map((field) => [field, ''])),
	...changes,
});
const itemsOf = (rows: Row[]): INodeExecutionData[] => rows.map((json) => ({ json: rowOf(json) }));

const run = async (
	choice: string,
	rows: Row[],
	options: INodeParameters = {},
	changes: INodeParameters = {},
) =>
	await service.run(
		node,
		itemImport(service, map, {
			options: { pollInterval: 0.05, duplicates: choice, allowUnfindable: true, ...options },
			...changes,
		}),
		{ items: itemsOf(rows) },
	);
const resultsOf = (output: INodeExecutionData[] | undefined) =>
	(output ?? []).map(({ json }) => json.importResult as IDataObject);

const LEE = { FirstName: 'Ann', LastName: 'Lee', Email: 'ann@example.org', Phone: '907-555-0100' };
const OTHER = { FirstName: 'Bo', LastName: 'Moe', Email: 'bo@example.org' };

/** People who differ in all that counts. */
const person = (number: number): Row => ({
	FirstName: `First${String.fromCharCode(97 + (number % 26))}${'x'.repeat(number / 26)}`,
	LastName: `Last${number}`,
	Email: `person${number}@example.org`,
	Phone: `907555${String(1000 + number)}`,
	ZipOrPostal: String(99_500 + number),
	DOB: `19${50 + (number % 40)}-03-0${1 + (number % 9)}`,
	AddressLine1: `${number} Elm St`,
});

/** Ways to write a row of a person in which the person can still be seen. */
const WRITINGS: Array<(row: Row) => Row> = [
	(row) => ({ ...row, Email: row.Email?.toUpperCase() ?? '', Phone: '' }),
	({ FirstName = '', LastName = '', Phone = '' }) => ({
		FirstName: ` ${FirstName.toUpperCase()}`,
		LastName,
		Phone: `+1 (${Phone.slice(0, 3)}) ${Phone.slice(3, 6)}-${Phone.slice(6)}`,
	}),
	({ FirstName = '', LastName = '', ZipOrPostal = '' }) => ({
		FirstName,
		LastName: `${LastName}\u200b`,
		ZipOrPostal: `${ZipOrPostal}-1234`,
	}),
	({ FirstName = '', LastName = '', DOB = '' }) => ({ FirstName, LastName, DOB }),
];

const list = fc.array(fc.record({ who: fc.nat(15), how: fc.nat(WRITINGS.length - 1) }), {
	minLength: 2,
	maxLength: 30,
});

describe('Duplicates in the List', () => {
	it.each(['report', 'first', 'last', 'stop'])(
		'%s: finds exactly the rows of the same person in random lists',
		async (choice) => {
			await fc.assert(
				fc.asyncProperty(list, async (entries) => {
					// The first row of a person has all values, so that each other row can be recognised.
					const seen = new Map<number, number>();
					const rows = entries.map(({ who, how }, index) => {
						const whole = person(who);
						if (seen.has(who)) return WRITINGS[how]?.(whole) ?? whole;
						seen.set(who, index);
						return whole;
					});
					const lasts = new Map(entries.map(({ who }, index) => [who, index]));
					const result = await run(choice, rows, { dryRun: choice === 'stop' });
					if (choice === 'stop') {
						expect(stopsOf(result).length > 0).toBe(seen.size < rows.length);
						return;
					}
					const kept = choice === 'last' ? lasts : seen;
					expect(result.error).toBeUndefined();
					expect(
						resultsOf(result.outputs[0]).map(({ status, duplicateOf }) => [status, duplicateOf]),
					).toEqual(
						entries.map(({ who }, index) => {
							const same = kept.get(who) ?? -1;
							if (same === index) return ['imported', undefined];
							return [choice === 'report' ? 'imported' : 'duplicate', same + 1];
						}),
					);
				}),
				{ numRuns: repetitions(12) },
			);
		},
	);

	it('reports the row of the same person, and sends both', async () => {
		const { outputs, hints } = await run('report', [LEE, OTHER, { ...LEE, Phone: '' }]);
		expect(outputs[0]?.map(({ json }) => [json.status, json.reason])).toEqual([
			['imported', null],
			['imported', null],
			['imported', 'Same person as item 1 (same email address).'],
		]);
		expect(hints[0]?.message).toContain('1 is the same person as an earlier item');
	});

	it('never takes two people of one household for one, but reports them', async () => {
		const rows = [LEE, { ...LEE, FirstName: 'Bob', Email: '' }, { ...LEE, FirstName: '' }];
		const { outputs, hints } = await run('first', rows);
		expect(statusesOf(outputs[0])).toEqual(Array(3).fill('imported'));
		expect(hints[0]?.message).toContain(
			'2 share a phone number, email or address with another person',
		);
	});

	it('does not take a ZIP code without a street for a shared address', async () => {
		const rows = [LEE, OTHER].map((row) => ({ ...row, ZipOrPostal: '99762' }));
		const { hints } = await run('report', rows);
		expect(hints[0]?.message).toMatch(/^2 items: 2 imported; import job \d+$/);
	});

	it('tells father and son apart by their dates of birth, whoever comes first', async () => {
		const father = { ...LEE, DOB: '1950-01-02' };
		const son = { ...LEE, DOB: '1980-01-02' };
		const { outputs } = await run('last', [LEE, father, son]);
		expect(statusesOf(outputs[0])).toEqual(['duplicate', 'imported', 'imported']);
	});

	it.each<[born: string, bornAgain: string, people: number]>([
		['3/4/1950', '11/12/1980', 2],
		['03.04.50', '11.12.50', 2],
		['March 4, 1950', 'November 12, 1980', 2],
		['19500304', '19801112', 2],
		['04-MAR-50', '12-NOV-50', 2],
		['4 March 1950', 'March 12, 1950', 2],
		['3/4/1950', '1950-03-04', 1],
		['19500304', '1950-03-04', 1],
		['04-MAR-50', '3/4/1950', 1],
		['March 4, 1950', '3/4/1950', 1],
	])('takes people born on %s and %s for %d', async (born, bornAgain, people) => {
		const rows = [born, bornAgain].map((DOB) => ({ ...LEE, DOB }));
		const { outputs } = await run('first', rows, { dryRun: true });
		expect(JSON.stringify(outputs[0])).toContain(`"rows":${people}`);
	});

	it('tells IDs apart that differ in their casing alone', async () => {
		const rows = ['0035e00000XyZ1A', '0035e00000XyZ1a'].map((External_1ID, row) => ({
			...(row === 0 ? LEE : OTHER),
			External_1ID,
		}));
		const { outputs } = await run('first', rows, { dryRun: true });
		expect(JSON.stringify(outputs[0])).toContain('"rows":2');
	});

	it.each([
		['राम', 'रमा'],
		['かな', 'がな'],
	])('tells %s and %s apart, whose marks are no accents', async (...names) => {
		const rows = names.map((FirstName) => ({ ...LEE, FirstName }));
		const { outputs } = await run('first', rows, { dryRun: true });
		expect(JSON.stringify(outputs[0])).toContain('"rows":2');
	});

	it.each([
		["O'Hara", 'O’Hara'],
		['Lee-Kim', 'Lee–Kim'],
		["Ka'ahumanu", 'Kaʻahumanu'],
	])('takes people named %s and %s for one', async (...names) => {
		const rows = names.map((LastName) => ({ ...LEE, LastName }));
		const { outputs } = await run('first', rows, { dryRun: true });
		expect(JSON.stringify(outputs[0])).toContain('"rows":1');
	});

	it.each(['123-456-7890', '(999) 999-9999'])('takes %s for no phone number', async (Phone) => {
		const rows = ['a@example.org', 'b@example.org'].map((Email) => ({ Email, Phone }));
		const { outputs } = await run('first', rows, { dryRun: true });
		expect(JSON.stringify(outputs[0])).toContain('"rows":2');
	});

	it('tells people apart by their record IDs if another system gave them one ID', async () => {
		const ids = ['NativeID', 'External_1ID'];
		const fields = ids.map((name) => [`CreateOrUpdateContact:${name}`, property(name)]);
		const value = { ...map, ...Object.fromEntries(fields) };
		const fieldMap = { mappingMode: 'defineBelow', value } as never;
		const rows = [
			{ ...LEE, NativeID: '101', External_1ID: 'A-1' },
			{ ...OTHER, NativeID: '102', External_1ID: 'A-1' },
			{ ...OTHER, NativeID: '', External_1ID: 'A-1' },
		];
		const { outputs } = await run('first', rows, { dryRun: true }, { fieldMap });
		expect(JSON.stringify(outputs[0])).toContain('"rows":2');
	});

	it.each<[string, IDataObject[], string[]]>([
		[
			'people by their names beside the blank name of an organization',
			[{ First: 'John' }, { First: 'Mary' }],
			['CreateOrUpdateContact'],
		],
		[
			'organizations by their names beside the blank names of people',
			[{ Organization: 'Food Bank' }, { Organization: 'Tenant Union' }],
			['CreateOrUpdateContact'],
		],
		[
			'people by their names, and not by how they are greeted',
			[{ First: 'John' }, { First: 'Mary' }],
			['Salutations', 'CreateOrUpdateContact'],
		],
	])('tells %s', async (_, rows, mappingTypes) => {
		const contactMap = {
			'CreateOrUpdateContact:OrganizationContactCommonName': property('Organization'),
			'Salutations:FirstName': property('Greeting'),
			'Salutations:LastName': property('Last'),
			'CreateOrUpdateContact:FirstName': property('First'),
			'CreateOrUpdateContact:LastName': property('Last'),
			'CreateOrUpdateContact:Email': property('Mail'),
		};
		const shared = { Greeting: 'Friends', Last: 'Smith', Mail: 'smiths@example.org' };
		const empty = { First: '', Organization: '' };
		const { outputs, error } = await service.run(
			node,
			itemImport(service, contactMap, {
				mappingTypes,
				options: { dryRun: true, duplicates: 'first' },
			}),
			{ items: rows.map((row) => ({ json: { ...shared, ...empty, ...row } })) },
		);
		expect(error).toBeUndefined();
		expect(JSON.stringify(outputs[0])).toContain('"rows":2');
	});

	it.each(['#N/A', 'NULL', 'C-null', 'none'])(
		'sends no row whose external ID is %s, which would be that of all',
		async (id) => {
			const value = { ...map, 'CreateOrUpdateContact:External_1ID': property('Id') };
			const { outputs } = await service.run(
				node,
				itemImport(service, value, { options: { dryRun: true } }),
				{
					// Were every row wrong, the column would be.
					items: [
						...[LEE, OTHER].map((row) => ({ json: { ...rowOf(row), Id: id } })),
						{ json: { ...rowOf(LEE), Id: 'A-1' } },
					],
				},
			);
			const invalid = outputs[0]?.filter(({ json }) => json.status === 'invalid');
			expect(invalid).toHaveLength(2);
			for (const { json } of invalid ?? []) expect(json.reason).toMatch(/^Column "Id" is "/);
		},
	);

	it('names those who share an email address with Hosting None, too', async () => {
		const rows = [LEE, { ...OTHER, Email: LEE.Email }];
		const { hints } = await run('first', rows, {}, { hosting: 'none' });
		expect(hints.map(({ message }) => message)).toContain(
			'Item 2: same email address as item 1, but another person.',
		);
	});

	it.each([
		[3, ''],
		[4, '; 1 more shares something with another person'],
		[5, '; 2 more share something with another person'],
	])('names three of %i who share something, and counts the others', async (count, more) => {
		const others = Array.from({ length: count }, (_, number) => ({
			...person(number),
			Email: LEE.Email,
		}));
		const { hints } = await run('first', [LEE, ...others], {}, { hosting: 'none' });
		const named = [2, 3, 4].map(
			(item) => `Item ${item}: same email address as item 1, but another person`,
		);
		expect(hints.map(({ message }) => message)).toContain(`${named.join('; ')}${more}.`);
	});

	it('says with Hosting None what is left out of the files', async () => {
		const { outputs, hints } = await run('first', [LEE, LEE, OTHER], {}, { hosting: 'none' });
		expect(outputs[0]?.[0]?.json.rows).toBe(2);
		expect(hints.map(({ message }) => message)).toContain(
			'1 left out as duplicates. Item 2: same person as item 1 (same email address).',
		);
	});

	it('tells father and son apart by their middle initials, also where one row has none', async () => {
		const rows = ['', 'A', 'Bo', 'a.', 'Al', 'N/A'].map((MiddleName) => ({ ...LEE, MiddleName }));
		const fieldMap = {
			mappingMode: 'defineBelow',
			value: { ...map, 'CreateOrUpdateContact:MiddleName': property('MiddleName') },
		} as never;
		const { outputs } = await run('first', rows, {}, { fieldMap });
		expect(resultsOf(outputs[0]).map(({ duplicateOf }) => duplicateOf)).toEqual([
			undefined,
			1,
			undefined,
			1,
			1,
			1,
		]);
	});

	it.each<[field: string, value: string, options?: INodeParameters]>([
		['NativeID', '0'],
		['DOB', '0000-00-00'],
		['DOB', 'unknown'],
		['DOB', '1900-01-01'],
		['DOB', '01/01/1900'],
		['DOB', '1753-01-01'],
		['ZipOrPostal', 'N/A'],
		['ZipOrPostal', '00000'],
		['Email', 'noemail@noemail.com'],
		['Phone', '(999) 999-9999'],
		['Phone', '9.07555E+09', { cleanValues: false }],
		['Email', 'none@none.com', { cleanValues: false }],
		['NativeID', '0', { cleanValues: false }],
	])('takes nobody for another because both have the %s "%s" %j', async (...given) => {
		const [field, value, options = {}] = given;
		const withIds = ['NativeID', 'External_1ID'].map((name) => [
			`CreateOrUpdateContact:${name}`,
			property(name),
		]);
		const fieldMap = {
			mappingMode: 'defineBelow',
			value: { ...map, ...Object.fromEntries(withIds) },
		} as never;
		const ids = { NativeID: '', External_1ID: '' };
		const name = { FirstName: 'Ann', LastName: 'Lee' };
		const rows = [
			{ ...ids, ...person(1), ...name, [field]: value },
			{ ...ids, ...person(2), ...name, [field]: value },
			{ ...ids, ...person(3), NativeID: '1001', External_1ID: 'A-1' },
		].map((row) => (field === 'DOB' ? row : { ...row, DOB: '' }));
		const { outputs, error } = await run('first', rows, { ...options, dryRun: true }, { fieldMap });
		expect(error).toBeUndefined();
		expect(totalsOf({ outputs }).rows).toBe(3);
	});

	it.each([
		['Unknown', 'Lee'],
		['Ann', 'N/A'],
	])('takes no two people for one because both are called %s %s', async (FirstName, LastName) => {
		const rows = [1, 2].map((i) => ({
			...person(i),
			FirstName,
			LastName,
			DOB: '',
			ZipOrPostal: '99701',
		}));
		const { outputs, error } = await run('first', rows, { dryRun: true });
		expect(error).toBeUndefined();
		expect(totalsOf({ outputs }).rows).toBe(2);
	});

	it('does not leave out a row for one that cannot be sent', async () => {
		const rows = itemsOf([LEE, LEE]);
		if (rows[0]) rows[0].json.DOB = ['a list'];
		const parameters = itemImport(service, map, {
			options: { pollInterval: 0.05, duplicates: 'first' },
		});
		const { outputs } = await service.run(node, parameters, {
			items: rows,
			onError: 'continueRegularOutput',
		});
		expect(outputs[0]?.map(({ json }) => json.status)).toEqual(['invalid', 'imported']);
	});

	it('sends nothing with Stop, and names the rows', async () => {
		const { error } = await run('stop', [LEE, OTHER, LEE]);
		expect(error?.message).toBe(
			'Duplicates in the List is set to Stop, and rows are the same person. Item 3: same person as item 1 (same email address). Remove these rows, or choose another setting.',
		);
		expect(service.starts()).toEqual([]);
	});

	it.each([
		['Contributions', { resourceType: 'Contributions' }],
		[
			'fields that tell nobody',
			{
				fieldMap: {
					mappingMode: 'defineBelow',
					value: { 'CreateOrUpdateContact:LastName': property('LastName') },
				} as never,
			},
		],
	])('refuses to leave out rows of %s', async (_, changes) => {
		const { error } = await run('first', [LEE, LEE], {}, changes as INodeParameters);
		expect(error).toBeDefined();
		expect(service.starts()).toEqual([]);
	});

	it('shows the duplicates in a dry run, which leaves them out, too', async () => {
		const { outputs } = await run('first', [LEE, OTHER, LEE], { dryRun: true });
		expect(totalsOf({ outputs })).toMatchObject({
			rows: 2,
			duplicates: {
				count: 1,
				areLeftOut: true,
				rows: ['Item 3: same person as item 1 (same email address)'],
			},
		});
	});

	it('keeps duplicates out of the error output and the file of rejected rows', async () => {
		const parameters = itemImport(service, map, {
			options: { pollInterval: 0.05, duplicates: 'first', rejectedRows: true, report: true },
		});
		const result = await service.run(node, parameters, {
			items: itemsOf([LEE, OTHER, LEE]),
			onError: 'continueErrorOutput',
		});
		const { outputs } = result;
		expect(statusesOf(outputs[0])).toEqual(['imported', 'imported', 'duplicate']);
		expect(outputs[1]).toEqual([]);
		expect(outputs[0]?.[0]?.binary).not.toHaveProperty('rejected');
		const html = await reportOf(result);
		expect(html).toContain('Item 3: same person as item 1 (same email address)');
		expect(html).toContain('Duplicate, not sent');
	});

	it('names the lines of a file as spreadsheets do, and counts in the summary', async () => {
		const lines = [LEE, OTHER, LEE].map((row) => Object.values(rowOf(row)).join(','));
		const text = [FIELDS.join(','), ...lines.slice(0, 2), '', lines[2], ''].join('\r\n');

		const parameters = itemImport(service, map, {
			source: 'binary',
			options: { pollInterval: 0.05, duplicates: 'last' },
		});
		const { outputs } = await service.run(node, parameters, { items: [await fileOf(text)] });
		expect(outputs[0]?.[0]?.json.importSummary).toMatchObject({
			rows: 3,
			imported: 2,
			duplicate: 1,
		});
		expect(outputs[0]?.[1]?.json).toMatchObject({
			status: 'duplicate',
			reason: 'Same person as line 5 (same email address).',
			importResult: { line: 2, duplicateOf: 5 },
		});
	});

	it.each(['report', 'first', 'last'])(
		'%s: is the same when the outcome is read later, and continues under a Run Key',
		async (choice) => {
			service.change({ styles: { jobDescriptions: true } });
			const rows = [LEE, OTHER, LEE, { ...OTHER, FirstName: 'Cy' }, OTHER, person(1)];
			const options = { maxRowsPerFile: 2, runKey: `key ${choice}` };
			const now = await run(choice, rows, options);
			const before = service.starts().length;
			const started = await run(choice, rows, { ...options, waitForOutcome: 'none' });
			expect(service.starts()).toHaveLength(before);
			const later = await service.run(
				node,
				{
					resource: 'job',
					operation: 'getItemOutcomes',
					startedJobs: asExpression(
						(started.outputs[0] ?? [])
							.map(({ json }) => json)
							.filter(({ fileNumber }) => fileNumber !== undefined),
					),
					source: 'items',
					options: {},
				},
				{ items: itemsOf(rows) },
			);
			expect(later.error).toBeUndefined();
			const shown = (output: INodeExecutionData[] | undefined) =>
				output?.map(({ json }) => [json.status, json.reason]);
			expect(shown(later.outputs[0])).toEqual(shown(now.outputs[0]));
			expect(resultsOf(now.outputs[0]).filter(({ duplicateOf }) => duplicateOf)).toHaveLength(2);
		},
	);
});

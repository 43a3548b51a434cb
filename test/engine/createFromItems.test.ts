import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { IDataObject, INodeParameters, ResourceMapperValue } from 'n8n-workflow';

import { fromList, mapAutomatically } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { readWorkflowFile } from '../../hosts/n8nClient';
import { loadOptions, mapperFields } from './support/editor';
import {
	inputOf,
	itemImport,
	itemsOf,
	messagesOf,
	personMap as person,
	property,
	resultOf,
	statusesOf,
	totalsOf,
	whyStopped,
} from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();

const node = new NativeBulkImport();
const examples = join(__dirname, '../../examples');

const imports = (map: Record<string, string>, changes: INodeParameters = {}): INodeParameters =>
	itemImport(service, map, changes);
const importRows = async (
	rows: object[],
	map: Record<string, string> = person,
	changes: INodeParameters = {},
) => await service.run(node, imports(map, changes), { items: itemsOf(rows) });

const people = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, i) => ({
		'First Name': `First${i}`,
		'Last Name': i % 7 === 3 ? `Last, "${i}"\n🎉` : `Last${i}`,
		Mail: i % 10 === 4 ? `no..${i}@example.org` : `p${i}@example.org`,
	}));

const validPeople = (count: number): IDataObject[] =>
	people(count).map((row, i) => ({ ...row, Mail: `p${i}@example.org` }));

test('gives every item its own outcome, in order and paired', async () => {
	const rows = people(100);
	const run = await importRows(rows);

	expect(run.error).toBeUndefined();
	const output = run.outputs[0] ?? [];
	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(rows.map((_, item) => ({ item })));
	expect(output.map(({ json }) => json.Mail)).toEqual(rows.map(({ Mail }) => Mail));
	expect(output.map((item) => resultOf(item).status)).toEqual(
		rows.map((_, i) => (i % 10 === 4 ? 'failed' : 'imported')),
	);
	expect(resultOf(output[4])).toMatchObject({
		reason: expect.stringMatching(/^Invalid email/i) as string,
	});
	const ids = output.map((item) => resultOf(item).primaryKey).filter((id) => id !== null);
	expect(new Set(ids).size).toBe(ids.length);
	expect(run.hints).toEqual([
		expect.objectContaining({
			message: expect.stringMatching(
				/^100 items: 90 imported, 10 failed; import job \d+$/,
			) as string,
		}),
		expect.objectContaining({
			message: expect.stringMatching(/^Cleaned 14 values of Last Name: /) as string,
		}),
	]);
	const stored = service.people().find(({ fields }) => fields.firstName === 'First3');
	expect(stored?.fields.lastName).toBe('Last, "3" 🎉');
});

test('does not map a field that the editor has emptied', async () => {
	const emptied = {
		'CreateOrUpdateContact:MiddleName': null,
		'CreateOrUpdateContact:Suffix': undefined,
		'CreateOrUpdateContact:City': '',
	} as unknown as Record<string, string>;
	const run = await importRows(people(2), { ...person, ...emptied });
	expect(run.error).toBeUndefined();
	const [job] = service.starts().map(({ body }) => JSON.stringify(body));
	expect(job).toContain('LastName');
	expect(job).not.toMatch(/MiddleName|Suffix|City|null|undefined/);
});

test('sends failed rows to the error output when there is one', async () => {
	const run = await service.run(node, imports(person), {
		items: itemsOf(people(20)),
		onError: 'continueErrorOutput',
	});
	expect(run.outputs[0]).toHaveLength(18);
	expect(run.outputs[1]).toMatchObject([
		{
			json: {
				'First Name': 'First4',
				error: {
					message: expect.stringMatching(/mail/i) as string,
					replayable: false,
					importResult: { status: 'failed' },
				},
			},
		},
		{ json: { 'First Name': 'First14' } },
	]);
});

test.each(['continueErrorOutput', 'continueRegularOutput'] as const)(
	'an import that cannot start fails every row with %s',
	async (onError) => {
		service.addFault(
			{ kind: 'status', status: 404 },
			'GET /bulkImportMappingTypes/CreateOrUpdateContact',
		);
		const run = await service.run(node, imports(person), { items: itemsOf(people(3)), onError });
		const failed = run.outputs[onError === 'continueErrorOutput' ? 1 : 0] ?? [];
		expect(run.outputs.flat()).toHaveLength(3);
		expect(failed.map(({ json }) => json.error)).toEqual(
			Array.from({ length: 3 }, () =>
				expect.objectContaining({
					message: expect.stringMatching(/no mapping type "CreateOrUpdateContact"/) as string,
				}),
			),
		);
		expect(service.starts()).toEqual([]);
	},
);

test('rows the service never mentions come out as missing', async () => {
	service.addJobFault({ kind: 'results', omitRows: [2] });
	const run = await importRows(people(3));
	expect(run.outputs[0]?.map((item) => resultOf(item).status)).toEqual([
		'imported',
		'missing',
		'imported',
	]);
	expect(resultOf(run.outputs[0]?.[1]).reason).toMatch(
		/^The results do not list this item\. Check in the service before importing it again/,
	);
});

test.each(['items', 'binary'])('names a record ID that no field reads: %s', async (source) => {
	const rows = people(2).map((row) => ({ ...row, nativeid: '100001' }));
	const hintOf = async (map: Record<string, string>) => {
		const parameters = imports(map, { source, options: { pollInterval: 0.05, dryRun: true } });
		const run = await service.run(node, parameters, { items: await inputOf(rows, source) });
		return JSON.stringify(totalsOf(run).warnings ?? []);
	};
	const warning = '\\"nativeid\\" is not imported: rows whose record exists could be stored again';
	expect(await hintOf(person)).toContain(warning);
	expect(
		await hintOf({ ...person, 'CreateOrUpdateContact:NativeId': property('nativeid') }),
	).not.toContain(warning);
});

test('maps no rows with thousands of properties automatically', async () => {
	const names = Array.from({ length: 2001 }, (_, column) => `Column ${column}`);
	const fieldMap = { mappingMode: 'autoMapInputData', value: null };
	const { error } = await importRows(
		[Object.fromEntries(names.map((name) => [name, 'x']))],
		{},
		{ fieldMap },
	);
	expect(error?.message).toMatch(/^Columns: The rows have 2001 different properties/);
	expect(service.starts()).toEqual([]);
});

test('more rows than a file may hold become several jobs, and one failed job costs only its own rows', async () => {
	service.addJobFault({ kind: 'fail', text: 'broken' }, { skip: 1 });
	const run = await service.run(
		node,
		imports(person, { options: { pollInterval: 0.05, maxRowsPerFile: 4 } }),
		{
			items: itemsOf(validPeople(12)),
			onError: 'continueErrorOutput',
		},
	);
	expect(service.starts()).toHaveLength(3);
	// n8n's list of executions finds this one by them.
	expect(run.customData.importJobs).toMatch(/^\d+, \d+, \d+$/);
	const failed = run.outputs[1] ?? [];
	expect(run.outputs[0]).toHaveLength(8);
	expect(failed).toHaveLength(4);
	expect(failed[0]?.json.error).toMatchObject({
		message: expect.stringMatching(/^Import job \d+ failed: broken/) as string,
	});
	expect(run.outputs[0]?.every((item) => resultOf(item).status === 'imported')).toBe(true);
});

test('all jobs have the description that was checked, also if its expression gives another each time', async () => {
	const run = await importRows(validPeople(12), person, {
		description: '={{ "Import " + Math.random() }}',
		options: { pollInterval: 0.05, maxRowsPerFile: 4 },
	});
	expect(run.error).toBeUndefined();
	const names = service.jobs().map(({ description }) => String(description).split(',')[0]);
	expect(names).toHaveLength(3);
	expect(new Set(names).size).toBe(1);
});

test('lays out several mapping types, static values and the needed identifier automatically', async () => {
	const run = await importRows(
		[{ mobile: '907-555-0100', crm: 'c-1', person: 100001 }],
		{
			'Phones:Phone': property('mobile'),
			'Phones:PhoneTypeID': 'C',
			'ApplyExternalID:ExternalIdTypeID': '1',
			'ApplyExternalID:ExternalId': property('crm'),
			'ApplyExternalID (2):ExternalIdTypeID': '2',
			'ApplyExternalID (2):ExternalId': '={{ "x-" + $json.crm }}',
			recordId: property('person'),
		},
		{ mappingTypes: ['Phones', 'ApplyExternalID', 'ApplyExternalID (2)'] },
	);
	expect(service.starts().map(({ body }) => body)).toMatchObject([
		{
			file: {
				columns: [
					{ name: 'NativeId' },
					{ name: 'Phone' },
					{ name: 'ExternalId' },
					{ name: 'ExternalId2' },
					{ name: 'N8nItem' },
				],
			},
			actions: [
				{
					mappingTypes: [
						{
							name: 'Phones',
							fieldValueMappings: [
								{ fieldName: 'Phone', columnName: 'Phone' },
								{ fieldName: 'PhoneTypeID', staticValue: 'C' },
							],
							resultFileColumnName: 'Phones',
						},
						{ name: 'ApplyExternalID', resultFileColumnName: 'ApplyExternalID' },
						{
							name: 'ApplyExternalID',
							fieldValueMappings: [
								{ fieldName: 'ExternalIdTypeID', staticValue: '2' },
								{ fieldName: 'ExternalId', columnName: 'ExternalId2' },
							],
							resultFileColumnName: 'ApplyExternalID2',
						},
					],
					columnsToIncludeInResultsFile: [{ name: 'N8nItem' }],
				},
			],
		},
	]);
	expect(run.error ?? run.outputs[0]?.[0]?.json.importResult).toMatchObject({
		outcomes: { Phones: expect.any(String) as string },
	});
});

test('maps fields by the names of the properties', async () => {
	const parameters = imports(
		{},
		{
			fieldMap: mapAutomatically,
		},
	);
	const run = await service.run(node, parameters, {
		items: itemsOf([
			{ first_name: 'Ada', LASTNAME: 'Example', email: 'ada@example.org', other: 1 },
		]),
	});
	expect(resultOf(run.outputs[0]?.[0]).status).toBe('imported');
	expect(service.starts()[0]?.body).toMatchObject({
		file: {
			columns: [
				{ name: 'FirstName' },
				{ name: 'LastName' },
				{ name: 'Email' },
				{ name: 'N8nItem' },
			],
		},
	});
});

test('maps fields by the names of the properties of each row', async () => {
	const fieldMap = { mappingMode: 'autoMapInputData', value: null };
	await importRows(
		[
			{ firstName: 'Ada', lastName: 'Spelled', email: 'ada@example.org' },
			{ 'First Name': 'Bob', Last_Name: 'Spelled', 'E-Mail': 'bob@example.org' },
		],
		{},
		{ fieldMap },
	);
	const stored = service.people().filter(({ fields }) => fields.lastName === 'Spelled');
	expect(stored.map(({ fields }) => fields.firstName)).toEqual(['Ada', 'Bob']);
});

describe('a mapping that cannot work is rejected before anything is uploaded', () => {
	it.each<[string, Record<string, string>, INodeParameters, RegExp]>([
		[
			'no mapping type',
			{},
			{ mappingTypes: '={{ [] }}' },
			/^What to Do With Each Row must have at least one entry/,
		],
		[
			'an unknown mapping type',
			{ 'Phone:Phone': '1' },
			{ mappingTypes: ['Phone'] },
			/^What to Do With Each Row: The service has no mapping type "Phone".*Did you mean "Phones"/,
		],
		[
			'a missing identifier',
			{ 'Phones:Phone': property('a'), 'Phones:PhoneTypeID': 'C' },
			{ mappingTypes: ['Phones'] },
			/Fields → NativeId \(Which Record\) is needed/,
		],
		[
			'values outside the predefined ones',
			{
				'Phones:Phone': property('a'),
				'Phones:PhoneTypeID': property('kind'),
				recordId: property('b'),
			},
			{ mappingTypes: ['Phones'], options: { ifInvalid: 'stop' } },
			/Fields → Phone Type: "mobil" is not in the service's list\. .* See item 2\./,
		],
		[
			'an expression that gives no date',
			{ 'CreateOrUpdateContact:DOB': '={{ DateTime.fromISO($json.kind) }}' },
			{},
			/^Column "Date of Birth" is not a valid date\. Check the value that the date is made from\./,
		],
	])('%s', async (_, map, changes, message) => {
		const items = itemsOf([
			{ a: '907-555-0100', b: 1, kind: 'C' },
			{ a: '907-555-0101', b: 2, kind: 'mobil' },
		]);
		const run = await service.run(node, imports(map, changes), { items });
		expect(run.error?.message).toMatch(message);
		expect(service.starts()).toEqual([]);
		expect(service.sandbox.requests.some(({ path }) => path.startsWith('/drop'))).toBe(false);
	});
});

test('wrong values are quoted each with its own items; of many, the last are counted', async () => {
	const map = {
		'Phones:Phone': property('a'),
		'Phones:PhoneTypeID': property('kind'),
		recordId: property('b'),
	};
	const kinds = ['C', 'Mobile', 'H', 'X', 'Mobile', ...'abdegijklnop'];
	const items = itemsOf(kinds.map((kind, i) => ({ a: '907-555-0100', b: i + 1, kind })));
	const run = await service.run(
		node,
		imports(map, { mappingTypes: ['Phones'], options: { ifInvalid: 'stop' } }),
		{ items },
	);
	expect(run.error?.message).toMatch(
		/"Mobile" is not in the service's list\. [^"]*("[^"]*"[, ]*)*\. See items 2, 5\./,
	);
	expect(run.error?.message).toMatch(/"X" is not in the service's list\. .* See item 4\./);
	expect(run.error?.message).toMatch(
		/Phone Type has other wrong values\. See items 14 \("l"\), 15 \("n"\), 17 \("p"\)\./,
	);
});

describe.each(['items', 'binary'])('a row without any value that is imported, of %s', (source) => {
	const rows = [...people(2), { 'First Name': ' ', 'Last Name': '', Mail: '', Notes: 'x' }];
	const run = async (ifInvalid?: string) =>
		await service.run(
			node,
			imports(person, {
				source,
				options: { outputRows: 'all', ...(ifInvalid && { ifInvalid }) },
			}),
			{
				items: await inputOf(
					rows.map((row) => ({ Notes: '', ...row })),
					source,
				),
			},
		);

	it('is invalid, and the others are imported', async () => {
		const { outputs } = await run();
		const [blank, ...others] = [...(outputs[0] ?? [])].reverse();
		expect(others.slice(0, 2).map(({ json }) => json.status)).toEqual(['imported', 'imported']);
		expect(blank?.json).toMatchObject({
			status: 'invalid',
			reason: expect.stringMatching(/^Row has no value in any column that is imported/) as string,
		});
		expect(service.people().some(({ fields }) => fields.firstName === '')).toBe(false);
	});

	it('stops the import if invalid rows are to stop it', async () => {
		const { error } = await run('stop');
		expect(error?.message).toMatch(/Row:? has no value in any column that is imported/);
		expect(service.starts()).toEqual([]);
	});
});

test('a dry run shows the values as they are sent', async () => {
	const rows = [{ ...validPeople(1)[0], 'Last Name': 'Lee\r\nJr' }];
	const { outputs } = await importRows(rows, person, { options: { dryRun: true } });
	const shown = outputs[0]?.find(({ json }) => json.field === 'Last Name');
	expect(shown?.json.firstValues).toEqual(['Lee Jr']);
});

test('codes of contacts need a record ID, whatever else is mapped', async () => {
	const resourceType = fromList('ContactsActivistCodes');
	const mappingTypes = ['ActivistCode', 'CreateOrUpdateContact'];
	const map = { ...person, 'ActivistCode:ActivistCodeID': property('code') };
	const imported = await importRows(
		people(1).map((row) => ({ ...row, code: 1 })),
		map,
		{ resourceType, mappingTypes },
	);
	expect(imported.error?.message).toMatch(
		/Fields → NativeId \(Which Record\) is needed to tell which record each row belongs to\. Map it to a column of your data\./,
	);
	expect(service.starts()).toEqual([]);
});

describe('a record ID that is blank, or a column that feeds nothing', () => {
	const phones = {
		recordId: property('NativeId'),
		'Phones:Phone': property('tel'),
		'Phones:PhoneTypeID': 'C',
	};
	const withIds = (ids: unknown[], name = 'NativeId') =>
		itemsOf(ids.map((id) => ({ [name]: id as string, tel: '907-555-0100' })));
	const changes = { mappingTypes: ['Phones'] };
	const isUntouched = () =>
		service.starts().length === 0 &&
		!service.sandbox.requests.some(({ path }) => path.startsWith('/drop'));

	it.each([[['', ' ']], [[null, undefined]]])(
		'is rejected before anything is uploaded: %j',
		async (ids) => {
			const settings: INodeParameters[] = [{}, { options: { dryRun: true } }, { hosting: 'none' }];
			for (const setting of settings) {
				const run = await service.run(node, imports(phones, { ...changes, ...setting }), {
					items: withIds(ids),
				});
				expect(whyStopped(run)).toMatch(
					/^Fields → NativeId \(Which Record\) is blank in every row/,
				);
			}
			expect(isUntouched()).toBe(true);
		},
	);

	it('is found in an external ID, too', async () => {
		const map = {
			...person,
			'ApplyExternalID:ExternalIdTypeID': '1',
			'ApplyExternalID:ExternalId': property('crm'),
		};
		const rows = people(2).map((row) => ({ ...row, crm: '' }));
		const run = await importRows(rows, map, {
			mappingTypes: ['CreateOrUpdateContact', 'ApplyExternalID'],
		});
		expect(run.error?.message).toMatch(/^Fields → External ID is blank in every row/);
		expect(isUntouched()).toBe(true);
	});

	describe('of people who may be new', () => {
		const map = { ...person, 'CreateOrUpdateContact:NativeId': property('NativeId') };
		const withId = (NativeId: string) => people(2).map((row) => ({ ...row, NativeId }));
		const runAfter = async (staticData: IDataObject, rows: object[], fields = map) =>
			await service.run(node, imports(fields), { items: itemsOf(rows), staticData });

		it('is a warning where no row ever had one', async () => {
			const run = await runAfter({}, withId(''));
			expect(statusesOf(run.outputs[0])).toEqual(['imported', 'imported']);
			expect(messagesOf(run)).toContain(
				'Without Native ID, the service stores everyone it does not find as a new person.',
			);
			expect(run.staticData).toEqual({});
		});

		it('stops a list whose rows had one before, but not its rejected rows', async () => {
			const first = await runAfter({}, [{ ...people(1)[0], NativeId: '100001' }]);
			expect(first.staticData).toEqual({ recordIds: ['NativeId'] });
			const starts = service.starts().length;
			const run = await runAfter(first.staticData, withId(''));
			expect(run.error?.message).toMatch(
				/^Fields → Native ID is blank in every row, but earlier imports of this node had IDs there/,
			);
			expect(service.starts()).toHaveLength(starts);
			const rejected = withId('').map((row) => ({ ...row, 'Import Result': 'Invalid email' }));
			const again = await runAfter(first.staticData, rejected);
			expect(statusesOf(again.outputs[0])).toEqual(['imported', 'imported']);
		});

		it('stops a list with nothing else by which people are found', async () => {
			const fields = { ...map, 'CreateOrUpdateContact:Email': '' };
			const run = await runAfter({}, withId(''), fields);
			expect(run.error?.message).toMatch(
				/^Most rows do not have enough data to be found again .*Native ID is blank in them\./,
			);
			expect(isUntouched()).toBe(true);
		});
	});

	it('is counted where other rows have one', async () => {
		const run = await service.run(node, imports(phones, changes), {
			items: withIds([100001, '', 100002]),
		});
		expect(run.hints?.map(({ message }) => message).join()).toMatch(/; 1 without NativeId; /);
	});

	it('is read from a property whose name only looks like the mapped one', async () => {
		const run = await service.run(node, imports(phones, changes), {
			items: withIds([100001], '\uFEFFNative\u200BId\u00A0'),
		});
		expect(resultOf(run.outputs[0]?.[0]).status).toBe('imported');
	});

	it('stops the import where no row has the column, unless it may be missing', async () => {
		const map = { ...person, 'CreateOrUpdateContact:City': property('Citty') };
		const rows = people(1).map((row) => ({ ...row, City: 'x' }));
		const rejected = await importRows(rows, map);
		expect(rejected.error?.message).toBe(
			'Fields → City: No item has "Citty". Did you mean "City"? If it may be missing, set the option If Columns Differ to Go On.',
		);
		expect(isUntouched()).toBe(true);
		const options = { pollInterval: 0.05, ifColumnsDiffer: 'goOn' };
		const passed = await importRows(rows, map, { options });
		expect(resultOf(passed.outputs[0]?.[0]).status).toBe('imported');
		expect(passed.hints).toContainEqual(
			expect.objectContaining({ message: 'Blank in every row: City.' }) as unknown,
		);
	});

	it('is read through objects', async () => {
		const map = {
			...person,
			'CreateOrUpdateContact:City': '={{ $json.address.city }}',
			'CreateOrUpdateContact:Phone': '={{ $json["phones"][0].number }}',
		};
		const rows = people(2).map((row, i) => ({
			...row,
			...(i === 0 && { address: { city: 'Anchorage' }, phones: [{ number: '9075550100' }] }),
		}));
		await importRows(rows, map);
		const fields = service
			.people()
			.filter(({ fields: { firstName } }) => /^First\d$/.test(String(firstName)));
		expect(JSON.stringify(fields[0])).toContain('Anchorage');
		expect(JSON.stringify(fields[0])).toContain('9075550100');
		expect(JSON.stringify(fields[1])).not.toContain('Anchorage');
	});

	describe('is known though the key may not read mapping types', () => {
		beforeEach(() => {
			service.addFault({ kind: 'status', status: 403 }, 'GET /bulkImportMappingTypes', {
				count: 50,
			});
		});

		it('where a mapping type has no mapped field', async () => {
			const run = await importRows(people(1), person, {
				mappingTypes: ['CreateOrUpdateContact', 'Phones'],
			});
			expect(run.error?.message).toMatch(/^Fields: Nothing is mapped to Phones/);
			expect(service.starts()).toEqual([]);
		});

		it('where the fields are mapped automatically', async () => {
			const run = await importRows(
				[{ FirstName: 'Ann', LastName: 'Sample', Email: 'ann@example.org' }],
				{},
				{ fieldMap: { mappingMode: 'autoMapInputData', value: null } },
			);
			expect(run.error?.message).toMatch(
				/^Fields: Nothing is mapped to CreateOrUpdateContact, whose fields this key may not read/,
			);
			expect(service.starts()).toEqual([]);
		});
	});
});

test('a blank description is rejected, and the service’s own spelling is sent', async () => {
	const blank = await importRows(people(1), person, { description: '={{ " " }}' });
	expect(blank.error?.message).toMatch(/^Name of This Import is empty/);
	service.addFault(
		{
			kind: 'replaced',
			texts: { '"name":"CreateOrUpdateContact"': '"name":"CREATEORUPDATECONTACT"' },
		},
		'GET /bulkImportMappingTypes/CreateOrUpdateContact',
	);
	await importRows(people(1));
	expect(service.starts()[0]?.body).toMatchObject({
		actions: [{ mappingTypes: [{ name: 'CREATEORUPDATECONTACT' }] }],
	});
});

test.each([0, 1])(
	'a long description is not cut inside an emoji, %d before them',
	async (before) => {
		const description = 'x'.repeat(before) + '🎉'.repeat(150);
		const run = await importRows(people(1), person, { description, options: { dryRun: true } });
		const { body } = run.outputs[0]?.at(-1)?.json.request as { body: { description: string } };
		const sent = body.description;
		expect(sent.length).toBeLessThanOrEqual(255);
		expect(sent).toMatch(/^x*(🎉)+ \(n8n /u);
	},
);

test.each<[string, INodeParameters]>([
	['What to Do With Each Row', { resourceType: '={{ "Contact" }}' }],
	['Name of This Import', { description: 'a < b' }],
	['Credential → Result File Size Limit', { options: { resultFileSizeKbLimit: 0 } }],
	['Fields', { options: { listeners: { listener: [{ type: 'email', value: 'nobody' }] } } }],
])('messages name fields of Import Items, and none of Create: %s', async (field, changes) => {
	const { error } = await importRows(people(1), person, changes);
	expect(error?.message.slice(0, field.length)).toBe(field);
	expect(`${error?.message} ${error?.description}`).not.toMatch(/Action|actions|Resource Type/);
	expect(service.starts()).toEqual([]);
});

test('files of the items come out with them', async () => {
	const binary = { photo: { data: 'eA==', mimeType: 'image/png', fileName: 'x.png' } };
	const run = await service.run(node, imports(person), {
		items: people(1).map((json) => ({ json, binary })),
	});
	expect(run.outputs[0]?.[0]?.binary).toEqual(binary);
});

describe('hosting', () => {
	it.each([
		['its body', 'upload', 'elsewhere'],
		['Location', undefined, 'upload'],
	])('takes the address of a form from %s', async (_, inBody, inHeader) => {
		const address = (name = 'none') => `${service.sandbox.httpsUrl}/drop/${name}.zip`;
		service.addFault(
			{
				kind: 'response',
				status: 201,
				headers: { location: address(inHeader) },
				body: inBody === undefined ? null : { url: address(inBody) },
				executed: true,
			},
			'POST /drop',
		);
		const parameters = imports(person, {
			hosting: 'post',
			uploadUrl: `${service.sandbox.url}/drop?sig=1`,
			downloadUrl: '',
			formFields: { field: [{ name: 'key', value: 'upload.zip' }] },
		});
		const run = await service.run(node, parameters, { items: itemsOf(people(1)) });
		expect(run.outputs[0]?.map((item) => resultOf(item).status)).toEqual(['imported']);
	});

	it('builds files and jobs only, when the user uploads them', async () => {
		const run = await importRows(people(3), person, { hosting: 'none' });
		expect(run.outputs[0]).toMatchObject([
			{
				json: { part: 1, rows: 3, job: { file: { sourceUrl: '' } } },
				binary: { data: { mimeType: 'application/zip' } },
			},
		]);
		expect(service.starts()).toEqual([]);
	});

	it.each([false, true])(
		'rejects links of this n8n that the service could not open (dry run: %s)',
		async (dryRun) => {
			const options = { pollInterval: 0.05, dryRun };
			const run = await importRows(people(1), person, { hosting: 'n8n', options });
			expect(whyStopped(run)).toMatch(
				/^How the Service Gets the File: Links to files on this n8n begin with http.*only fetches https/,
			);
			expect(service.starts()).toEqual([]);
		},
	);

	it('says when the storage does not take the file, and starts no job', async () => {
		const run = await importRows(people(1), person, {
			uploadUrl: `${service.sandbox.url}/drop/{file}`,
		});
		expect(run.error?.message).toBe('The file could not be uploaded (status 403)');
		expect(service.starts()).toEqual([]);
	});

	it('never sends the key to the storage', async () => {
		await importRows(people(1));
		expect(service.sandbox.control.stats().leakedCredentials).toBe(0);
	});
});

test('a dry run shows every mapped field, what is left out and the job, and uploads nothing', async () => {
	const map = { ...person, 'CreateOrUpdateContact:StateOrProvince': 'AK' };
	const rows = people(5).map((row, i) => ({ ...row, Notes: 'x', ...(i === 2 && { Mail: '' }) }));
	const options = { allowUnfindable: true, dryRun: true };
	const run = await importRows(rows, map, { options });
	const shown = (
		column: string | null,
		field: string,
		firstValues: string[],
		blanks = 0,
		problem: string | null = null,
	) => ({
		dryRun: true,
		column,
		field,
		firstValues,
		blanks,
		problem,
	});
	expect(run.outputs[0]?.map(({ json }) => json)).toEqual([
		shown('First Name', 'First Name', ['First0', 'First1', 'First2']),
		shown('Last Name', 'Last Name', ['Last0', 'Last1', 'Last2']),
		shown('Mail', 'Email', ['p0@example.org', 'p1@example.org', 'p3@example.org'], 1),
		shown(null, 'State or Province', ['AK']),
		{
			dryRun: true,
			totals: {
				rows: 5,
				cleaned: [
					{
						field: 'Last Name',
						count: 1,
						examples: [{ before: 'Last, "3"\n🎉', after: 'Last, "3" 🎉' }],
					},
				],
				files: 1,
				target: `${service.sandbox.url}/v2, key "…11"`,
				notImported: ['Notes'],
				warnings: [expect.stringMatching(/^Cleaned 1 value of Last Name: /) as string],
			},
		},
		{
			dryRun: true,
			request: expect.objectContaining({ method: 'POST', path: '/bulkImportJobs' }) as unknown,
		},
	]);
	expect(service.starts()).toEqual([]);
});

describe('the editor', () => {
	const importOf = (mappingTypes: string[]) => ({
		resource: 'job',
		operation: 'createFromItems',
		resourceType: fromList('Contacts'),
		mappingTypes,
	});
	const listed = async (mappingTypes: string[]) => {
		const parameters = importOf(mappingTypes);
		return await loadOptions({ ...service.setup(node), method: 'getMappingTypes', parameters });
	};
	const shownFields = async (mappingTypes: string[]) => {
		const parameters = importOf(mappingTypes);
		return (await mapperFields({ ...service.setup(node), method: 'getImportFields', parameters }))
			.fields;
	};

	it('lists the usual mapping types while n8n has not filled in the credential', async () => {
		const setup = { ...service.setup(node), credentials: {}, parameters: importOf([]) };
		const [first] = await loadOptions({ ...setup, method: 'getMappingTypes' });
		expect(first).toEqual({ name: 'CreateOrUpdateContact', value: 'CreateOrUpdateContact' });
	});

	it('lists the mapping types of the resource type', async () => {
		const values = (await listed([])).map(({ value }) => value);
		expect(values.slice(0, 2)).toEqual(['CreateOrUpdateContact', 'MailingAddress']);
		expect(values).toContain('ApplyExternalID');
		expect(values).not.toContain('ContributionAdjustments');
		expect(values.filter((value) => String(value).endsWith(')'))).toEqual([]);
	});

	it('lists the fields of the chosen mapping types for own headers, and a choice for none', async () => {
		const parameters = importOf(['CreateOrUpdateContact', 'Email']);
		const method = 'getImportFieldNames';
		const names = await loadOptions({ ...service.setup(node), method, parameters });
		expect(names).toContainEqual({
			name: 'ZIP or Postal Code',
			value: 'CreateOrUpdateContact:ZipOrPostal',
		});
		expect(names.filter(({ value }) => /:Email$/.test(String(value)))).toHaveLength(2);
		expect(names.at(-1)).toEqual({ name: 'Do Not Import', value: 'none' });
		const needed = { ...parameters, mappingTypes: ['Email'] };
		const [first] = await loadOptions({ ...service.setup(node), method, parameters: needed });
		expect(first?.value).toBe('recordId');
	});

	it('lists a further copy of a mapping type once the one before is chosen, at the end', async () => {
		const copies = async (...chosen: string[]) =>
			(await listed(chosen)).slice(-2).map(({ value }) => value);
		expect((await copies('CreateOrUpdateContact', 'ApplyExternalID')).at(-1)).toBe(
			'ApplyExternalID (2)',
		);
		expect(await copies('ApplyExternalID', 'ApplyExternalID (2)')).toEqual([
			'ApplyExternalID (2)',
			'ApplyExternalID (3)',
		]);
	});

	it('calls the fields what people call them, and distinguishes equal names', async () => {
		const labels = async (...mappingTypes: string[]) =>
			new Map((await shownFields(mappingTypes)).map(({ id, displayName }) => [id, displayName]));
		const few = await labels('CreateOrUpdateContact', 'ApplyExternalID', 'ApplyExternalID (2)');
		expect(
			['FirstName', 'DOB', 'AddressLine1', 'StateOrProvince', 'ZipOrPostal', 'CellPhone'].map(
				(name) => few.get(`CreateOrUpdateContact:${name}`),
			),
		).toEqual([
			'First Name',
			'Date of Birth',
			'Address Line 1',
			'State or Province',
			'ZIP or Postal Code',
			'Cell Phone',
		]);
		expect(few.get('ApplyExternalID:ExternalId')).toBe('External ID');
		expect(few.get('ApplyExternalID:ExternalIdTypeID')).toBe('External ID Type');
		expect(few.get('ApplyExternalID (2):ExternalId')).toBe('External ID (2)');
		const similar = await labels('CreateOrUpdateContact', 'Phones', 'ApplyContactCustomFields');
		expect(similar.get('CreateOrUpdateContact:Phone')).toBe('Phone');
		expect(similar.get('Phones:Phone')).toBe('Phone – Phones');
		expect(similar.get('ApplyContactCustomFields:CF301')).toMatch(/^(?!CF\d)/);
	});

	it('gives every field of every mapping type a label that fits into the editor', async () => {
		const all = (await listed([])).map(({ value }) => String(value));
		const labels = await Promise.all(all.map(async (name) => await shownFields([name])));
		const long = labels.flat().filter(({ displayName }) => displayName.length > 28);
		expect(long.map(({ displayName }) => displayName)).toEqual([]);
	});

	it('offers the usual fields of a contact at once, the others to add', async () => {
		const fields = await shownFields(['CreateOrUpdateContact', 'MailingAddress']);
		const offered = fields.filter(({ removed }) => removed !== true).map(({ id }) => id);
		expect(offered.filter((id) => id.startsWith('Create'))).toEqual(
			'FirstName LastName AddressLine1 AddressLine2 City StateOrProvince ZipOrPostal Phone CellPhone Email'
				.split(' ')
				.map((name) => `CreateOrUpdateContact:${name}`),
		);
		expect(offered).toContain('MailingAddress:MailingCity');
		expect(fields.length).toBeGreaterThan(offered.length + 20);
	});

	const exampleImports = readdirSync(examples).flatMap((file) =>
		file.endsWith('.json')
			? readWorkflowFile(join(examples, file))
					.nodes.filter(({ parameters }) => parameters.columns === 'chosen')
					.map(({ name, parameters }) => ({ file, name, parameters }))
			: [],
	);
	it.each(exampleImports)(
		'reads the fields that $file has stored in "$name", so that opening the node changes nothing',
		async ({ parameters }) => {
			const { schema, value } = parameters.fieldMap as unknown as ResourceMapperValue;
			const { fields } = await mapperFields({
				...service.setup(node),
				method: 'getImportFields',
				parameters,
			});
			expect(schema).toEqual(
				fields.map((field) => ({ ...field, removed: !(field.id in (value ?? {})) })),
			);
		},
	);

	it('shows the fields of the chosen mapping types, required ones first', async () => {
		const { fields } = await mapperFields({
			...service.setup(node),
			method: 'getImportFields',
			parameters: {
				resource: 'job',
				operation: 'createFromItems',
				resourceType: fromList('Contacts'),
				mappingTypes: ['Phones', 'ApplyContactCustomFields'],
			},
		});
		expect(fields[0]).toMatchObject({ id: 'recordId', required: true });
		expect(fields.find(({ id }) => id === 'Phones:Phone')).toMatchObject({
			displayName: 'Phone',
			required: true,
			type: 'string',
		});
		expect(fields.find(({ id }) => id === 'Phones:PhoneTypeID')).toMatchObject({
			type: 'options',
			options: expect.arrayContaining([expect.objectContaining({ value: 'C' })]) as unknown[],
		});
		expect(fields.some(({ id }) => id.endsWith('CustomFieldGroupID'))).toBe(false);
		const firstOptional = fields.findIndex(({ required }) => !required);
		expect(fields.slice(firstOptional).every(({ required }) => !required)).toBe(true);
	});
});

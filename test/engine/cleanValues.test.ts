import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { repetitions } from '../support/randomCases';
import {
	inputOf,
	itemImport,
	messagesOf,
	property,
	reportOf,
	sentBy,
	totalsOf,
} from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

const FIELDS = [
	'FirstName',
	'LastName',
	'Email',
	'Phone',
	'StateOrProvince',
	'ZipOrPostal',
	'CountryCode',
] as const;
type Row = Record<string, string>;

const mapOf = (names: Record<string, string>) =>
	Object.fromEntries(
		Object.entries(names).map(([field, name]) => [
			`CreateOrUpdateContact:${field}`,
			property(name),
		]),
	);
const all = mapOf(Object.fromEntries(FIELDS.map((field) => [field, field])));

async function run(rows: Row[], map = all, options: INodeParameters = {}) {
	return await service.run(
		node,
		itemImport(service, map, { hosting: 'none', options: { allowUnfindable: true, ...options } }),
		{ items: rows.map((json) => ({ json })), onError: 'continueRegularOutput' },
	);
}

const cleanedOf = async (rows: Row[], map = all) => {
	const { outputs } = await run(rows, map, { dryRun: true });
	const shown = totalsOf({ outputs }).cleaned;
	return (shown ?? []) as Array<{ field: string; count: number; examples: IDataObject[] }>;
};

const BASE: Row = Object.fromEntries(FIELDS.map((field) => [field, '']));

/** Row before, and what is sent of it. */
const CERTAIN: Array<[string, Row, Row]> = [
	['blanks', { FirstName: '  Ann ' }, { FirstName: 'Ann' }],
	['a no-break space', { LastName: 'Van\u00a0Dyke' }, { LastName: 'Van Dyke' }],
	['invisible characters', { Email: '\ufeffann@example.org\u200b' }, { Email: 'ann@example.org' }],
	['signs in a phone number', { Phone: '(907) 555-0100' }, { Phone: '9075550100' }],
	['the country of a phone number', { Phone: '+1 907.555.0100' }, { Phone: '9075550100' }],
	['a mark before a phone number', { Phone: "'+19075550100" }, { Phone: '9075550100' }],
	['an advertiser’s phone number', { Phone: 'p:+19075550100' }, { Phone: '9075550100' }],
	[
		'a phone number of an address book',
		{ Phone: '\u202a+1 (907) 555\u20110100\u202c' },
		{ Phone: '9075550100' },
	],
	['dashes of a word processor', { Phone: '907–555–0100' }, { Phone: '9075550100' }],
	['a mark before a ZIP', { ZipOrPostal: "'02138" }, { ZipOrPostal: '02138' }],
	['the name of a state', { StateOrProvince: 'new york' }, { StateOrProvince: 'NY' }],
	['a state with dots', { StateOrProvince: 'N.Y.' }, { StateOrProvince: 'NY' }],
	[
		'a province',
		{ StateOrProvince: 'Québec', CountryCode: 'Canada' },
		{ StateOrProvince: 'QC', CountryCode: 'CA' },
	],
	['the name of a country', { CountryCode: 'United States' }, { CountryCode: 'US' }],
	['a country in Spanish', { CountryCode: 'México' }, { CountryCode: 'MX' }],
	[
		'the zero of a ZIP with its extension',
		{ ZipOrPostal: '21381234', StateOrProvince: 'MA' },
		{ ZipOrPostal: '021381234' },
	],
	['the zero of a ZIP', { ZipOrPostal: '2138', StateOrProvince: 'MA' }, { ZipOrPostal: '02138' }],
	[
		'the zeros of a ZIP of Puerto Rico',
		{ ZipOrPostal: '901', StateOrProvince: 'Puerto Rico' },
		{ ZipOrPostal: '00901', StateOrProvince: 'PR' },
	],
	[
		'the zero of a ZIP with its extension',
		{ ZipOrPostal: '7030-1234', StateOrProvince: 'New Jersey' },
		{ ZipOrPostal: '07030-1234', StateOrProvince: 'NJ' },
	],
];

/** What would be a guess. */
const UNCERTAIN: Array<[string, Row]> = [
	['a number of another country', { Phone: '020 7946 0018', CountryCode: 'GB' }],
	['a number that says its country', { Phone: '+44 20 7946 0018' }],
	['a number that could be Chinese', { Phone: '138 1234 5678' }],
	['an extension', { Phone: '907-555-0100 x12' }],
	['letters in a number', { Phone: '1-800-FLOWERS' }],
	['a short ZIP without a state', { ZipOrPostal: '2138' }],
	['a short ZIP of a state without zeros', { ZipOrPostal: '2138', StateOrProvince: 'NY' }],
	['a short ZIP that its state does not have', { ZipOrPostal: '2138', StateOrProvince: 'CT' }],
	[
		'a short code of another country',
		{ ZipOrPostal: '2100', StateOrProvince: 'RI', CountryCode: 'IT' },
	],
	['a state of another country', { StateOrProvince: 'Victoria', CountryCode: 'AU' }],
	['an unknown state', { StateOrProvince: 'Nowhere' }],
	['an unknown country', { CountryCode: 'Atlantis' }],
	['a name of two countries', { CountryCode: 'Congo' }],
	['a state that is not given', { StateOrProvince: 'N/D' }],
	['an emoji and a joiner', { FirstName: '👩\u200d👧' }],
];

describe('Clean Values', () => {
	it.each(CERTAIN)('corrects %s, and says so', async (_, given, expected) => {
		const row = { ...BASE, LastName: 'Lee', ...given };
		const result = await run([row]);
		const [sent] = await sentBy(result);
		expect(sent).toMatchObject({ ...row, ...expected });
		expect(messagesOf(result)).toMatch(/Cleaned 1 value of/);
	});

	it.each(UNCERTAIN)('leaves %s as it is', async (_, given) => {
		const row = { ...BASE, LastName: 'Lee', ...given };
		const result = await run([row]);
		expect((await sentBy(result))[0]).toMatchObject(row);
		expect(messagesOf(result)).not.toContain('Cleaned');
	});

	it.each<[string, Row]>([
		['a name', { FirstName: 'null' }],
		['an email address', { Email: 'N/A' }],
		['a phone number', { Phone: '#REF!' }],
		['a country', { CountryCode: 'N/A' }],
		['a ZIP', { ZipOrPostal: '00000' }],
	])('sends as blank what stands for no value in %s, and says so', async (_, given) => {
		const result = await run([{ ...BASE, LastName: 'Lee', ...given }]);
		expect((await sentBy(result))[0]).toMatchObject({ ...BASE, LastName: 'Lee' });
		const [value = ''] = Object.values(given);
		expect(messagesOf(result)).toMatch(/Sent as blank: 1 value of /);
		expect(messagesOf(result)).toContain(`: "${value}" in item 1.`);
		expect(messagesOf(result)).not.toContain('Cleaned');
	});

	it('makes a row with a shortened phone number invalid', async () => {
		const good = { ...BASE, LastName: 'Lee', Phone: '9075550100.0' };
		const result = await run([good, { ...good, Phone: '9.07555E+09' }]);
		expect((await sentBy(result)).map(({ Phone }) => Phone)).toEqual(['9075550100']);
		expect(JSON.stringify(result.outputs)).toContain('a number that has lost its last digits');
	});

	it('says what looks wrong and is not changed', async () => {
		const rows = [{ ...BASE, LastName: 'Lee', ZipOrPostal: '2138' }];
		const sentence =
			'Check 1 value of ZIP or Postal Code (shorter than a ZIP code): "2138" in item 1.';
		expect(messagesOf(await run(rows))).toContain(sentence);
		const dry = await run(rows, all, { dryRun: true });
		expect(messagesOf(dry)).not.toContain('to check');
		const shown = dry.outputs[0]?.find(({ json }) => json.column === 'ZipOrPostal');
		expect(shown?.json).toMatchObject({ field: 'ZIP or Postal Code', problem: sentence });
	});

	describe('with an email address of wrong syntax', () => {
		const names = mapOf({ LastName: 'LastName', Email: 'E-mail', Phone: 'Phone' });
		const rowWith = (mail: string): Row => ({
			...BASE,
			LastName: 'Lee',
			Phone: '9075550100',
			'E-mail': mail,
		});
		const good = rowWith('ann@example.org');
		const REASON =
			'Column "E-mail" is not an email address. Correct it, or delete it from the list.';
		const imports = async (
			given: Row[],
			onError: 'continueErrorOutput' | 'continueRegularOutput' | 'stopWorkflow',
			source: INodeParameters = {},
			options: INodeParameters = {},
		) =>
			await service.run(
				node,
				itemImport(service, names, { ...source, options: { pollInterval: 0.05, ...options } }),
				{
					items: await inputOf(given, source.source),
					onError,
				},
			);
		it.each(['nobody', 'ann@example', 'a@example.org; b@example.org'])(
			'makes the row of "%s" invalid, sends the others, and says why in the report',
			async (mail) => {
				const rows = [good, rowWith(mail), { ...good, 'E-mail': ' ' }];
				const result = await imports(rows, 'stopWorkflow', {}, { report: true });
				expect(result.outputs[0]?.map(({ json }) => [json.status, json.reason])).toEqual([
					['imported', null],
					['invalid', REASON],
					['imported', expect.anything()],
				]);
				expect(await reportOf(result)).toContain(
					`<td data-label="E-mail"><mark>${mail}</mark></td>`,
				);
			},
		);

		it('puts the row into the error output', async () => {
			const { outputs } = await imports([good, rowWith('nobody')], 'continueErrorOutput');
			expect(outputs.map((items) => items.length)).toEqual([1, 1]);
			expect(outputs[1]?.[0]?.json).toMatchObject({ error: { message: REASON } });
		});

		it.each([
			['items', {}, /E-mail.* is not an email address/],
			[
				'a file',
				{ source: 'binary' },
				/See line 3 \("nobody"\)\. To import the other rows, set Rows With Invalid Values/,
			],
		])('stops the import of %s before any call to write', async (_, source, message) => {
			const { error } = await imports([good, rowWith('nobody')], 'stopWorkflow', source, {
				ifInvalid: 'stop',
			});
			expect(error?.message).toMatch(message);
			expect(service.writes()).toEqual([]);
		});

		it.each([
			['items', {}],
			['a file', { source: 'binary' }],
		])('sends nothing if no row of %s has an address', async (_, source) => {
			const rows = [rowWith('nobody'), rowWith('ann')];
			const { outputs } = await imports(rows, 'continueRegularOutput', source);
			expect(JSON.stringify(outputs)).toContain('is not an email address');
			expect(service.writes()).toEqual([]);
			const stopped = await imports(rows, 'stopWorkflow', source);
			expect(stopped.error?.message).toContain('is not an email address');
			expect(service.writes()).toEqual([]);
		});

		it('sends it if Clean Values is off', async () => {
			const rows = [good, rowWith('nobody')];
			const { outputs } = await imports(rows, 'stopWorkflow', {}, { cleanValues: false });
			expect(outputs[0]?.[1]?.json).toMatchObject({
				status: 'failed',
				reason: 'Invalid email address',
			});
		});
	});

	it('counts each change of random dirty rows, changes nothing else, and off sends all as it came', async () => {
		const entry = fc.oneof(
			fc
				.nat(CERTAIN.length - 1)
				.map((index) => ({ given: CERTAIN[index]?.[1], to: CERTAIN[index]?.[2] })),
			fc.nat(UNCERTAIN.length - 1).map((index) => ({ given: UNCERTAIN[index]?.[1], to: {} })),
		);
		await fc.assert(
			fc.asyncProperty(fc.array(entry, { minLength: 1000, maxLength: 1000 }), async (entries) => {
				const rows = entries.map(({ given }) => ({ ...BASE, LastName: 'Lee', ...given }));
				const expected = entries.map(({ to }, index) => ({ ...rows[index], ...to }));
				const sent = await sentBy(await run(rows));
				expect(sent).toHaveLength(1000);
				expect(sent.map((row) => FIELDS.map((field) => row[field]))).toEqual(
					expected.map((row) => FIELDS.map((field) => (row as Row)[field])),
				);
				const cleaned = await cleanedOf(rows);
				const changes = FIELDS.map(
					(field) =>
						rows.filter((row, index) => (row as Row)[field] !== (expected[index] as Row)[field])
							.length,
				);
				expect(cleaned.reduce((sum, { count }) => sum + count, 0)).toBe(
					changes.reduce((sum, count) => sum + count, 0),
				);
				expect(cleaned.every(({ examples }) => examples.length >= 1 && examples.length <= 3)).toBe(
					true,
				);
				const off = await run(rows, all, { cleanValues: false });
				expect((await sentBy(off)).map((row) => FIELDS.map((field) => row[field]))).toEqual(
					rows.map((row) => FIELDS.map((field) => (row as Row)[field])),
				);
				expect(messagesOf(off)).not.toMatch(/Cleaned|to check/);
			}),
			{ numRuns: repetitions(3), endOnFailure: true },
		);
	});

	it('removes NUL and other signs for machines, and counts it', async () => {
		const rows = [
			{ ...BASE, FirstName: 'An\0n', LastName: 'Lee\u0003', Email: 'an\0n@example.org' },
		];
		const cleaned = { FirstName: 'Ann', LastName: 'Lee', Email: 'ann@example.org' };
		expect((await sentBy(await run(rows)))[0]).toMatchObject(cleaned);
		expect((await cleanedOf(rows)).map(({ count }) => count)).toEqual([1, 1, 1]);
	});

	it('writes a blank for a line break, and counts it', async () => {
		const rows = [
			{ ...BASE, FirstName: 'Ann\r\nMarie', LastName: 'Lee', Email: 'ann@example.org' },
		];
		expect((await sentBy(await run(rows)))[0]).toMatchObject({ FirstName: 'Ann Marie' });
		expect(await cleanedOf(rows)).toEqual([
			{
				field: 'First Name',
				count: 1,
				examples: [{ before: 'Ann\r\nMarie', after: 'Ann Marie' }],
			},
		]);
	});

	describe('with a record ID', () => {
		const identified = mapOf({ NativeId: 'Id', LastName: 'LastName', Email: 'Email' });
		const rowOf = (Id: unknown) => ({ LastName: 'Lee', Email: 'ann@example.org', Id }) as Row;

		it.each([
			['12,345', '12345'],
			['1,234,567.00', '1234567'],
			['100.0', '100'],
			['100001', '100001'],
		])('reads %s', async (given, NativeId) => {
			expect(await sentBy(await run([rowOf(given)], identified))).toMatchObject([{ NativeId }]);
		});

		it.each(['1e5', '1.5', '1,5', '#123', '12,34', '-7', 'A1', '99999999999', 1.5])(
			'does not send %s, whether or not values are cleaned',
			async (id) => {
				const rows = [rowOf(id), rowOf('100001')];
				for (const cleanValues of [true, false]) {
					const { outputs } = await run(rows, identified, { cleanValues });
					expect(JSON.stringify(outputs)).toContain('is not a record ID, which is a whole number');
				}
			},
		);
	});

	it('gives a ZIP that is a number its zero, and leaves other numbers', async () => {
		const row = { ...BASE, LastName: 'Lee', StateOrProvince: 'MA' };
		const items = [{ json: { ...row, ZipOrPostal: 2138, Phone: 9_075_550_100 } }];
		const result = await service.run(node, itemImport(service, all, { hosting: 'none' }), {
			items,
		});
		expect((await sentBy(result))[0]).toMatchObject({
			ZipOrPostal: '02138',
			Phone: '9075550100',
		});
	});

	describe('with a full name in one column', () => {
		const names = mapOf({ FirstName: 'Name', LastName: 'Name', Email: 'Email' });
		const mail = { Email: 'ann@example.org' };

		it.each([
			['Lee, Ann Marie', 'Ann Marie', 'Lee'],
			['Ann  Lee', 'Ann', 'Lee'],
			['van der Berg, Jan', 'Jan', 'van der Berg'],
			['VAN DYKE, ANN', 'ANN', 'VAN DYKE'],
			['Lee, A.J.', 'A.J.', 'Lee'],
			['O’Brien-Smith, Séan', 'Séan', 'O’Brien-Smith'],
			['Ann Judge', 'Ann', 'Judge'],
			['O&#39;Brien, Ann', 'Ann', "O'Brien"],
			['FrancÃªs Lee', 'Francês', 'Lee'],
			['Ann Null', 'Ann', 'Null'],
			['Na Li', 'Na', 'Li'],
			['', '', ''],
		])('splits "%s"', async (Name, first, last) => {
			const [sent] = await sentBy(await run([{ Name, ...mail }], names));
			expect(sent).toMatchObject({ FirstName: first, LastName: last });
		});

		it.each([
			'Mary Ann Lee',
			'Ann',
			'Ann Lee, MD',
			'Pastor Lee',
			'Lee Household',
			'Dr Lee',
			'a, b, c',
			'N/A',
			'Ann undefined',
			'null null',
			'Ann NA',
			'Unknown Lee',
		])('does not guess how to split "%s"', async (Name) => {
			const { outputs } = await run(
				[
					{ Name, ...mail },
					{ Name: 'Ann Lee', ...mail },
				],
				names,
			);
			expect(JSON.stringify(outputs)).toContain('cannot be split with certainty');
		});

		it('keeps the name whole for other fields of that column', async () => {
			const whole = { ...names, ...mapOf({ EnvelopeName: 'Name' }) };
			const [sent] = await sentBy(await run([{ Name: 'Lee, Ann', ...mail }], whole));
			expect(sent).toMatchObject({ FirstName: 'Ann', LastName: 'Lee', EnvelopeName: 'Lee, Ann' });
		});

		it('sends both halves to their fields', async () => {
			await service.run(node, itemImport(service, names), {
				items: [{ json: { Name: 'Halvorsen, Ann', ...mail } }],
			});
			const people = service.people().map(({ fields }) => fields);
			expect(people).toContainEqual(
				expect.objectContaining({ firstName: 'Ann', lastName: 'Halvorsen' }),
			);
		});

		const automatic = {
			mappingMode: 'autoMapInputData',
			value: null,
		} as unknown as INodeParameters;
		const mapAutomatically = async (rows: Row[], options: INodeParameters = {}) =>
			await service.run(
				node,
				itemImport(service, {}, { hosting: 'none', fieldMap: automatic, options }),
				{ items: rows.map((json) => ({ json })) },
			);

		it.each(['Nom et prénom', 'Name (Last First)', 'Name (Last, First)'])(
			'reads the last name first under "%s"',
			async (header) => {
				const rows = ['Tremblay Marie', 'Gagnon, Luc'].map((name) => ({ [header]: name, ...mail }));
				expect(await sentBy(await mapAutomatically(rows))).toMatchObject([
					{ FirstName: 'Marie', LastName: 'Tremblay' },
					{ FirstName: 'Luc', LastName: 'Gagnon' },
				]);
			},
		);

		it.each([
			[{ 'Preferred First Name (if different)': 'Annie' }, {}],
			[
				{ 'First Name': 'Zoe', 'Last Name': 'Zed' },
				{ 'First Name': '', 'Last Name': '' },
			],
		])(
			'Recognized Automatically prefers it to halves that few rows have: %j',
			async (one, others) => {
				const name = { 'Full Name': 'Bo Moe', ...mail };
				const rows = [one, others, others].map((halves) => ({ ...name, ...halves }) as Row);
				const sent = await sentBy(await mapAutomatically(rows));
				expect(sent).toMatchObject(rows.map(() => ({ FirstName: 'Bo', LastName: 'Moe' })));
			},
		);

		it.each(['Name', 'Full Name', 'donor_name', 'Nombre', 'What is your name?'])(
			'Recognized Automatically splits the column "%s"',
			async (header) => {
				const result = await mapAutomatically([
					{ [header]: 'Lee, Ann', Email: 'ann@example.org' },
					{ [header]: 'Bo Moe', Email: 'bo@example.org' },
				]);
				expect(result.error).toBeUndefined();
				expect(await sentBy(result)).toMatchObject([
					{ FirstName: 'Ann', LastName: 'Lee' },
					{ FirstName: 'Bo', LastName: 'Moe' },
				]);
				expect(messagesOf(result)).toContain(`${header} → First Name, ${header} → Last Name`);
			},
		);

		it('Recognized Automatically takes the name of a country, and its code is sent', async () => {
			const row = {
				Name: 'Ann Lee',
				...mail,
				City: 'Nome',
				Zip: '99762',
				Country: 'Estados Unidos',
			};
			const result = await mapAutomatically([row]);
			expect(await sentBy(result)).toMatchObject([{ CountryCode: 'US' }]);
			const off = await mapAutomatically([{ ...row, First: 'Ann' }], { cleanValues: false });
			expect((await sentBy(off))[0]).not.toHaveProperty('CountryCode');
			expect(messagesOf(off)).toContain(
				'Country (its values are "Estados Unidos", not country codes',
			);
		});

		it.each([true, false])(
			'Recognized Automatically takes dates of birth in the Date Format (%s)',
			async (cleanValues) => {
				const row = { First: 'Ann', Last: 'Lee', ...mail, DOB: '41080' };
				const options = { dateFormat: 'Mddyy', cleanValues };
				const result = await mapAutomatically([row], options);
				expect(await sentBy(result)).toMatchObject([{ DOB: '1980-04-10' }]);
				const other = await mapAutomatically([row], { cleanValues });
				expect((await sentBy(other))[0]).not.toHaveProperty('DOB');
			},
		);

		it.each([
			['names that cannot be split', [{ Name: 'Mary Ann Lee', ...mail }], {}],
			['names while it is off', [{ Name: 'Ann Lee', ...mail }], { cleanValues: false }],
		])('Recognized Automatically does not take %s', async (_, rows, options) => {
			const { error } = await mapAutomatically(rows, options);
			expect(error?.message).toMatch(
				/No column holds a name.* Name \(it holds full names, and not all can be split/,
			);
		});

		it('Recognized Automatically prefers the columns of the two names', async () => {
			const row = { 'First Name': 'Ann', 'Last Name': 'Lee', Name: 'Bo Moe', ...mail };
			const result = await mapAutomatically([row]);
			expect((await sentBy(result))[0]).toMatchObject({ FirstName: 'Ann', LastName: 'Lee' });
			expect(messagesOf(result)).toContain(
				'Not imported: Name (First Name and Last Name are imported instead).',
			);
		});

		it('Recognized Automatically prefers it to columns of the two names that are blank', async () => {
			const row = { 'First Name': '', 'Last Name': '', Name: 'Bo Moe', ...mail };
			const result = await mapAutomatically([row]);
			expect(await sentBy(result)).toMatchObject([{ FirstName: 'Bo', LastName: 'Moe' }]);
			expect(messagesOf(result)).toContain('First Name, Last Name (Name is imported instead)');
		});

		it('sends it in both fields if it is off', async () => {
			const off = await run([{ Name: 'Lee, Ann', ...mail }], names, { cleanValues: false });
			expect(await sentBy(off)).toMatchObject([{ FirstName: 'Lee, Ann', LastName: 'Lee, Ann' }]);
		});
	});

	describe('with a date of birth', () => {
		const born = mapOf({ LastName: 'LastName', Email: 'Email', DOB: 'Born' });
		const rowOf = (Born: string): Row => ({ LastName: 'Lee', Email: 'ann@example.org', Born });

		it.each([
			['Mddyy', '41025', '2025-04-10'],
			['yyooo', '80031', '1980-01-31'],
			['d.M.yy', '18.9.45', '1945-09-18'],
			['M/d/yyyy', ' 3/4/1950 ', '1950-03-04'],
			['M/d/yyyy', '0/0/0000', ''],
			['M/d/yyyy', '01/01/1900', ''],
		])('reads it with the Date Format %s: "%s"', async (dateFormat, given, DOB) => {
			const result = await run([rowOf(given)], born, { dateFormat });
			expect(await sentBy(result)).toMatchObject([{ DOB }]);
			expect(messagesOf(result)).not.toContain('Check ');
		});

		it.each([
			[true, 'looks like a number of days, which spreadsheet programs show as a date'],
			[false, 'is not a date in the format M/d/yyyy'],
		])('sends no day count in another format (%s)', async (isOn, reason) => {
			const options = { dateFormat: 'M/d/yyyy', cleanValues: isOn };
			const { outputs } = await run([rowOf('28156'), rowOf('3/4/1950')], born, options);
			expect(JSON.stringify(outputs)).toContain(reason);
		});
	});

	it('puts the changes into the report', async () => {
		const parameters = itemImport(service, all, { options: { pollInterval: 0.05, report: true } });
		const result = await service.run(node, parameters, {
			items: [{ json: { ...BASE, LastName: ' Lee', Email: 'ann@example.org' } }],
		});
		expect(await reportOf(result)).toContain(
			'Cleaned 1 value of Last Name: &quot; Lee&quot; → &quot;Lee&quot;.',
		);
	});

	it('writes genders as the field takes them', async () => {
		const genders = mapOf({ LastName: 'LastName', Sex: 'Sex', Email: 'Email' });
		const rows = ['Male', ' f', 'mujer', 'U', 'Unknown'].map((Sex) => ({
			...BASE,
			LastName: 'Lee',
			Sex,
		}));
		const sent = await sentBy(await run(rows, genders));
		expect(sent.map(({ Sex }) => Sex)).toEqual(['M', 'F', 'F', '', '']);
		const { outputs } = await run([{ LastName: 'Lee', Sex: 'constructor', ...BASE }], genders);
		expect(JSON.stringify(outputs)).toContain('constructor');
	});
});

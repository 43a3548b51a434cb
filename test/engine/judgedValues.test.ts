import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { byId } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { NativeCanvassResponse } from '../../nodes/NativeCanvassResponse/NativeCanvassResponse.node';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import { fileOf, itemImport, itemsOf, messagesOf, property, reportOf } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

const mapOf = (...fields: string[]) =>
	Object.fromEntries(
		fields.map((field) => [`CreateOrUpdateContact:${field}`, property(field)] as const),
	);
const automatic = { mappingMode: 'autoMapInputData', value: null } as unknown as INodeParameters;

/** Imports a file; its columns are those of the map, or are recognized. */
const importFile = async (
	lines: string[],
	{
		map,
		onError = 'continueRegularOutput',
		...options
	}: INodeParameters & {
		map?: Record<string, string>;
		onError?: 'continueRegularOutput' | 'stopWorkflow';
	} = {},
	changes: INodeParameters = {},
) =>
	await service.run(
		node,
		itemImport(service, map ?? {}, {
			source: 'binary',
			options: { pollInterval: 0.05, report: true, ...options },
			...(map ? {} : { fieldMap: automatic }),
			...changes,
		}),
		{ items: [await fileOf(`${lines.join('\n')}\n`)], onError },
	);

const summaryOf = ({ outputs }: Awaited<ReturnType<typeof importFile>>) =>
	outputs.flat().map(({ json }) => json.importSummary as IDataObject | undefined)[0] ?? {};
const storedNamed = (lastName: string) =>
	service
		.people()
		.map(({ fields }) => fields)
		.filter((fields) => fields.lastName === lastName);

describe('values that may be wrong', () => {
	const lines = [
		'FirstName,LastName,Email,StateOrProvince,ZipOrPostal,Phone',
		'Ann,Quill,ann@example.org,Massachusets,02138,907-555-0100',
		'Bo,Quill,bo@example.org,MA,02138,555-0101',
		'Cy,Quill,cy@example.org,NY,2138,ask at the desk',
		'Di,null,di@example.org,N/A,99762,907-555-0103',
	];
	const map = mapOf('FirstName', 'LastName', 'Email', 'StateOrProvince', 'ZipOrPostal', 'Phone');
	const sentences = [
		'Check 1 value of State or Province (not a known state or province): "Massachusets" in line 2.',
		'Check 1 value of Phone (without an area code): "555-0101" in line 3.',
		'Check 1 value of Phone (unlike phone numbers with an area code): "ask at the desk" in line 4.',
		'Check 1 value of ZIP or Postal Code (shorter than a ZIP code): "2138" in line 4.',
		'Sent as blank: 1 value of Last Name: "null" in line 5.',
		'Sent as blank: 1 value of State or Province: "N/A" in line 5.',
	];

	it('are named with their lines in the hint, the summary and the report', async () => {
		const result = await importFile(lines, { map });
		for (const sentence of sentences) {
			expect(messagesOf(result)).toContain(sentence);
			const report = (await reportOf(result)).replace(/<\/?span[^>]*>/g, '');
			expect(report.replaceAll('&quot;', '"')).toContain(sentence);
		}
		expect(summaryOf(result)).toMatchObject({
			toCheck: expect.arrayContaining([
				{
					field: 'State or Province',
					problem: 'not a known state or province',
					count: 1,
					examples: '"Massachusets" in line 2',
				},
			]),
			sentAsBlank: expect.arrayContaining([
				{ field: 'Last Name', problem: '', count: 1, examples: '"null" in line 5' },
			]),
		});
	});

	it('are in the summary also where there is only one, and not where there is none', async () => {
		const header = 'FirstName,LastName,Email,ZipOrPostal';
		const map = mapOf(...header.split(','));
		const found = async (zip: string) => {
			const lines = [header, `Ann,Quill,ann@example.org,${zip}`];
			const { toCheck, sentAsBlank } = summaryOf(await importFile(lines, { map }));
			return { toCheck, sentAsBlank };
		};
		const field = 'ZIP or Postal Code';
		expect(await found('02138')).toEqual({});
		expect(await found('N/A')).toMatchObject({ sentAsBlank: [{ field, count: 1 }] });
		expect(await found('2138')).toMatchObject({ toCheck: [{ field, count: 1 }] });
	});

	it('are found in every row of a long list, and counted', async () => {
		const many = Array.from({ length: 400 }, (_, row) => `A${row},Quell,a${row}@example.org,Xx`);
		const result = await importFile(['FirstName,LastName,Email,StateOrProvince', ...many], {
			map: mapOf('FirstName', 'LastName', 'Email', 'StateOrProvince'),
			hosting: 'none',
		});
		expect(messagesOf(result)).toContain(
			'Check 400 values of State or Province (not a known state or province): "Xx" in lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 390 more.',
		);
	});
});

describe('dates', () => {
	const map = mapOf('FirstName', 'LastName', 'Email', 'DOB');
	const header = 'FirstName,LastName,Email,DOB';
	const rowsOf = (lastName: string, dates: string[]) => [
		header,
		...dates.map((date, row) => `First${row},${lastName},${lastName}${row}@example.org,${date}`),
	];

	it('are read by most others of their column: one in the other order makes its row invalid', async () => {
		const dates = Array.from({ length: 300 }, (_, row) =>
			row === 222 ? '31/12/1980' : `${1 + (row % 12)}/${13 + (row % 15)}/1970`,
		);
		const result = await importFile(rowsOf('Order', dates), { map });
		expect(summaryOf(result)).toMatchObject({ imported: 299, invalid: 1 });
		const invalid = result.outputs.flat().find(({ json }) => json.status === 'invalid')?.json;
		expect(invalid).toMatchObject({
			reason: expect.stringContaining(
				'begins with the day, but 299 others in the column begin with the month',
			),
			importResult: { line: 224 },
		});
		const stopped = await importFile(rowsOf('Order', dates), {
			map,
			ifInvalid: 'stop',
			onError: 'stopWorkflow',
		});
		expect(stopped.error?.message).toContain('See line 224 ("31/12/1980")');
		expect(stopped.error?.message).not.toContain('Date Format');
	});

	it('in two orders stop the import without a proposal', async () => {
		const { error } = await importFile(rowsOf('Mixed', ['31/12/1980', '12/31/1980', '1/2/1980']), {
			map,
			onError: 'stopWorkflow',
		});
		expect(error?.message).toContain(
			'has dates in two orders: 1 date begins with the day, e.g. "31/12/1980" (line 2), but 1 date begins with the month, e.g. "12/31/1980" (line 3). No setting of Dates in the List reads both.',
		);
	});

	it('that all begin with the day propose a Date Format', async () => {
		const { error } = await importFile(rowsOf('Days', ['31/12/1980', '1/2/1980']), {
			map,
			onError: 'stopWorkflow',
		});
		expect(error?.message).toContain('set Dates in the List, e.g. to Day First');
	});

	it('of which none tells the order are named, and read with the month first', async () => {
		const dates = ['3/4/1981', '1980-02-01', '5/5/1982', '6/7/1983', '1/0/1900'];
		const said =
			'Check the dates of Date of Birth: none shows whether the day or the month comes first, e.g. "3/4/1981". The service reads the month first; if it is the day, set Dates in the List to Day First.';
		const shown = await importFile(rowsOf('Unclear', dates), { map, dryRun: true });
		expect(JSON.stringify(shown.outputs)).toContain(JSON.stringify(said).slice(1, -1));
		expect(messagesOf(await importFile(rowsOf('Unclear', dates), { map }))).toContain(said);
		expect(storedNamed('Unclear')[0]).toMatchObject({ dateOfBirth: '1981-03-04' });
		const isDay = { map, dateFormat: 'dayFirst' };
		const chosen = messagesOf(await importFile(rowsOf('Chosen', dates), isDay));
		expect(chosen).not.toContain('comes first');
		expect(storedNamed('Chosen')[0]).toMatchObject({ dateOfBirth: '1981-04-03' });
		const told = await importFile(rowsOf('Told', [...dates, '12/31/1980']), { map });
		expect(messagesOf(told)).not.toContain('comes first');
	});

	it.each<[string, string[], string[]]>([
		[
			'with the year first',
			['1980/02/01', '1981.3.4', '1982-5-6'],
			['1980-02-01', '1981-03-04', '1982-05-06'],
		],
		['in eight digits', ['19800201', '19811231'], ['1980-02-01', '1981-12-31']],
		[
			'with dots, if one begins with the day',
			['3.4.1981', '31.12.1980'],
			['1981-04-03', '1980-12-31'],
		],
		[
			'with dots, if one begins with the month',
			['3.4.1981', '12.31.1980'],
			['1981-03-04', '1980-12-31'],
		],
	])('that are certain are written as the service reads them: %s', async (_, dates, days) => {
		const result = await importFile(rowsOf('Certain', dates), { map });
		expect(result.error).toBeUndefined();
		expect(summaryOf(result)).toMatchObject({ imported: dates.length });
		expect(storedNamed('Certain').map(({ dateOfBirth }) => dateOfBirth)).toEqual(days);
		expect(messagesOf(result)).toContain(`"${dates[0]}" → "${days[0]}"`);
	});

	it.each<[string[], string]>([
		[
			['3.4.1981', '5.6.1982'],
			'e.g. "3.4.1981". The service may not read dates with dots: set Dates in the List to Day First or Month First.',
		],
		[
			['3.4.1981', '12/31/1980'],
			'(with dots, so the service may not read it): "3.4.1981" in line 2',
		],
		[['19800201', '1980'], '(unlike the other dates of the column): "19800201" in line 2'],
		[['1.2.80', '31.12.1980'], '(a two-digit year): "1.2.80" in line 2'],
	])('that are not certain are named: %j', async (dates, said) => {
		const result = await importFile(rowsOf('Doubtful', dates), { map });
		expect(messagesOf(result)).toContain(said);
	});

	it('with dots that begin with the day stop the import where values are not cleaned', async () => {
		const dates = rowsOf('Dots', ['3.4.1981', '31.12.1980']);
		const { error } = await importFile(dates, { map, cleanValues: false, onError: 'stopWorkflow' });
		expect(error?.message).toContain('set Dates in the List, e.g. to Day First');
	});

	it('that a spreadsheet program counts are read where the column proves it', async () => {
		const result = await importFile(rowsOf('Counted', ['28956', '21258', '30201.0']), { map });
		expect(result.error).toBeUndefined();
		expect(storedNamed('Counted').map(({ dateOfBirth }) => dateOfBirth)).toEqual([
			'1979-04-11',
			'1958-03-14',
			'1982-09-07',
		]);
		expect(messagesOf(result)).toContain('"21258" → "1958-03-14"');
	});

	it.each(['21258', '28156'])('the count %s alone makes its row invalid', async (count) => {
		const result = await importFile(rowsOf('Single', ['1980-01-02', count, '1981-02-03']), { map });
		expect(summaryOf(result)).toMatchObject({ imported: 2, invalid: 1 });
		expect(JSON.stringify(result.outputs)).toContain('looks like a number of days');
	});

	it('of a field that the service spells in small letters are read with the Date Format', async () => {
		const [person] = service.people();
		const fields = 'contacttypeid resultid datecanvassed canvassedby'.split(' ');
		const ofCanvass = Object.fromEntries(
			fields.map((field) => [`CanvassResults:${field}`, property(field)] as const),
		);
		const lines = [`id,${fields.join()}`, `${person?.nativeId},2,1,3/10/2026,Sam Example`];
		const { error, outputs } = await importFile(
			lines,
			{ map: { recordId: property('id'), ...ofCanvass }, dateFormat: 'd/M/yyyy', dryRun: true },
			{ mappingTypes: ['CanvassResults'] },
		);
		expect(error).toBeUndefined();
		const shown = outputs.flat().find(({ json }) => json.column === 'datecanvassed')?.json;
		expect(shown).toMatchObject({ firstValues: ['2026-10-03'] });
	});
});

describe('one value', () => {
	it.each(['binary', 'input'])(
		'outside the predefined ones takes only its row, of %s',
		async (source) => {
			const map = {
				...mapOf('FirstName', 'LastName', 'Email'),
				'ActivistCode:ActivistCodeID': property('Code'),
			};
			const rows = ['Volunteer (demo)', 'Voluntier (demo)'].map((Code, row) => ({
				FirstName: `First${row}`,
				LastName: `Code${source}`,
				Email: `code-${source}${row}@example.org`,
				Code,
			}));
			const lines = [
				'FirstName,LastName,Email,Code',
				...rows.map((row) => Object.values(row).join()),
			];
			const mappingTypes = { mappingTypes: ['CreateOrUpdateContact', 'ActivistCode'] };
			const result =
				source === 'binary'
					? await importFile(lines, { map }, mappingTypes)
					: await service.run(node, itemImport(service, map, mappingTypes), {
							items: itemsOf(rows),
							onError: 'continueRegularOutput',
						});
			expect(storedNamed(`Code${source}`).map(({ firstName }) => firstName)).toEqual(['First0']);
			const reasons = result.outputs
				.flat()
				.filter(({ json }) => json.status !== 'summary')
				.map(({ json }) => [json.status, json.reason]);
			const invalid = [
				'invalid',
				expect.stringContaining('The nearest names are "Volunteer (demo)"'),
			];
			expect(reasons).toEqual(source === 'binary' ? [invalid] : [['imported', null], invalid]);
		},
	);

	it('X in a column of genders is sent as blank, and the others are sent', async () => {
		const result = await importFile([
			'First Name,Last Name,Email,Gender',
			'Ann,Gender,ga@example.org,F',
			'Bo,Gender,gb@example.org,X',
			'Cy,Gender,gc@example.org,M',
		]);
		expect(storedNamed('Gender').map(({ sex }) => sex ?? null)).toEqual(['F', null, 'M']);
		expect(messagesOf(result)).toContain(
			'Sent as blank: 1 value of Sex (the service takes only M and F): "X" in line 3.',
		);
	});
});

describe('what messages name', () => {
	it('values of wrong email addresses, with their lines', async () => {
		const { error } = await importFile(
			[
				'FirstName,LastName,Email',
				'Ann,Mail,nobody',
				'Bo,Mail,bo@example.org',
				'Cy,Mail,cy@example',
			],
			{ map: mapOf('FirstName', 'LastName', 'Email'), ifInvalid: 'stop', onError: 'stopWorkflow' },
		);
		expect(error?.message).toContain('See lines 2 ("nobody"), 4 ("cy@example").');
	});

	it('columns without a header, by their places, and long headers cut', async () => {
		const long = 'x'.repeat(10_000);
		const result = await importFile([
			`First Name,Last Name,Email,,${long},,Best # to reach`,
			'Ann,Blank,blank@example.org,1,2,3,907-555-0100',
			'Bo,Blank,blank2@example.org,1,2,3,907-555-0101',
		]);
		const messages = messagesOf(result);
		expect(messages).toContain('columns 4, 6 without a header');
		expect(messages.length).toBeLessThan(2000);
		expect(messages).toMatch(
			/^2 rows: 2 imported; import job \d+ "Best # to reach" holds phone numbers with an area code, but is not imported/,
		);
	});
});

it('an error names the headers that look like what is missing, and cuts long ones', async () => {
	const lines = [`${'x'.repeat(10_000)},,Best # to reach`, '1,,907-555-0100', '2,,907-555-0101'];
	const { error } = await importFile(lines, { onError: 'stopWorkflow' });
	expect(error?.message).toMatch(/^Columns: No column .* "Best # to reach" holds phone numbers/s);
	expect(error?.message.length).toBeLessThan(2000);
});

describe('lists of email addresses only', () => {
	it('are imported, because an email address finds a person', async () => {
		const result = await importFile(['Email', 'only1@example.org', 'only2@example.org']);
		expect(result.error).toBeUndefined();
		expect(summaryOf(result)).toMatchObject({ imported: 2 });
	});

	it('are refused if a column that is not known holds names', async () => {
		const lines = ['Who,Email', 'Ann Lee,who1@example.org', 'Bo Moe,who2@example.org'];
		const { error } = await importFile(lines, { onError: 'stopWorkflow' });
		expect(error?.message).toMatch(/^Columns: No column holds a name/);
	});
});

describe('words for nothing in other nodes', () => {
	const people = new NativePeople();
	const update = async (fields: INodeParameters) => {
		const [person] = service.people();
		return await service.run(
			people,
			{ resource: 'person', operation: 'update', nativeId: String(person?.nativeId), ...fields },
			{ items: itemsOf([{}]), onError: 'continueRegularOutput' },
		);
	};

	it('are not stored as a name or a city, and said', async () => {
		const address = {
			address: [{ addressLine1: '1 Elm St', city: 'N/A', stateOrProvince: 'Alaska' }],
		};
		const result = await update({
			firstName: 'N/A',
			lastName: 'Lee',
			additionalFields: { addresses: address },
		});
		expect(service.writes().at(-1)?.body).toEqual({
			lastName: 'Lee',
			addresses: [{ addressLine1: '1 Elm St', stateOrProvince: 'AK' }],
		});
		expect(messagesOf(result)).toContain('First Name "N/A" means "no value" and was not sent.');
		expect(messagesOf(result)).toContain('City "N/A" means "no value" and was not sent.');
		expect(messagesOf(result)).toContain('State or Province was cleaned: "Alaska" → "AK".');
	});

	it('leave nothing to update', async () => {
		const before = service.writes().length;
		const result = await update({ firstName: 'unknown', lastName: 'N/A' });
		expect(JSON.stringify(result.outputs)).toContain('is empty');
		expect(service.writes()).toHaveLength(before);
	});

	it('stop an item whose expression gives them as a name', async () => {
		const before = service.writes().length;
		const result = await update({ firstName: 'null', lastName: 'Lee' });
		expect(JSON.stringify(result.outputs)).toContain(
			'an expression or a database returns when there is no value',
		);
		expect(service.writes()).toHaveLength(before);
	});
});

describe('attempts of one person with one result on two dates', () => {
	const attempts = async (context: INodeParameters) => {
		const [person] = service.people();
		return await service.run(
			new NativeCanvassResponse(),
			{
				resource: 'canvassResponse',
				operation: 'create',
				nativeId: String(person?.nativeId),
				outcome: 'resultCode',
				resultCodeId: byId(1),
				canvassContext: {
					contactTypeId: byId(2),
					dateCanvassed: '={{ $json.day }}',
					...context,
				},
			},
			{ items: itemsOf([{ day: '2026-03-01' }, { day: '2026-03-02' }]) },
		);
	};

	it('are merged by the service, and the hint names the switch that stores both', async () => {
		const merged = await attempts({});
		expect(merged.error).toBeUndefined();
		expect(messagesOf(merged)).toMatch(
			/Item 2 repeats an attempt .* turn on Store Repeated Responses/,
		);
		expect(messagesOf(await attempts({ skipMatching: true }))).not.toContain('Store Repeated');
	});
});

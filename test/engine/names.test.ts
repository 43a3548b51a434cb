import type { INodeParameters } from 'n8n-workflow';

import { byName } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { NativeCanvassResponse } from '../../nodes/NativeCanvassResponse/NativeCanvassResponse.node';
import { NativeCode } from '../../nodes/NativeCode/NativeCode.node';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import { readBinary } from './support/engine';
import { itemImport, itemsOf, personMap, property, stopsOf } from './support/itemImports';
import { useSandbox } from './support/sandboxed';
import { unzip } from './support/unzipped';

const service = useSandbox();

const calls = () =>
	service.calls().map(({ method, path }) => `${method} ${path.replace('/v2', '')}`);
const PERSON = 100001;
const post = `POST /people/${PERSON}/canvassResponses`;

const canvass = (values: INodeParameters): INodeParameters => ({
	resource: 'canvassResponse',
	operation: 'create',
	nativeId: String(PERSON),
	...values,
});
const resultOf = (result: string) => ({ json: { Result: result } });
const byResult = canvass({ resultCodeId: byName('={{ $json.Result }}') });

describe('a record given by name', () => {
	it('is found for each item, in any case and with any blanks, with one read of the list', async () => {
		const run = await service.run(new NativeCanvassResponse(), byResult, {
			items: ['Not Home', ' not  home ', 'NOTHOME', '\uFEFFBusy\u00A0', 'NH'].map(resultOf),
		});
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]?.map(({ json }) => json.resultCodeId)).toEqual([1, 1, 1, 18, 1]);
		expect(calls().filter((call) => call.startsWith('GET'))).toEqual([
			'GET /canvassResponses/resultCodes',
		]);
	});

	it('that the list does not have is an error with the nearest names, before anything is sent', async () => {
		const run = await service.run(new NativeCanvassResponse(), byResult, {
			items: ['Not Home', 'Left a Mesage'].map(resultOf),
		});
		expect(run.error?.message).toMatch(
			/^Result Code: "Left a Mesage" is not in the service's list\. The nearest names are "Left Message", /,
		);
		expect(run.error).toMatchObject({ context: { itemIndex: 1 } });
		expect(calls()).toEqual(['GET /canvassResponses/resultCodes']);
	});

	it('that two records have is an error with their IDs', async () => {
		const create = { resource: 'code', operation: 'create', codeType: 'SourceCode', name: 'Twin' };
		await service.run(new NativeCode(), create, { items: [{ json: {} }, { json: {} }] });
		const run = await service.run(new NativePeople(), {
			resource: 'person',
			operation: 'applyCode',
			nativeId: String(PERSON),
			codeId: byName('twin'),
		});
		expect(run.error?.message).toMatch(
			/^Code: "twin" is the name of 2 entries \(IDs \d+, \d+\)\. Use the ID/,
		);
	});

	const spring = { codeId: 1, name: 'Spring' };
	const pageOf = (items: object[], nextPageLink: string | null) =>
		service.addFault(
			{ kind: 'response', status: 200, body: { items, nextPageLink, count: '3' } },
			'GET /codes',
		);
	const applyCode = async (name: string) =>
		await service.run(new NativePeople(), {
			resource: 'person',
			operation: 'applyCode',
			nativeId: String(PERSON),
			codeId: byName(name),
		});

	it.each(['Spring', 'Autumn'])(
		'is an error if the list is not whole, because there may be two or another: %s',
		async (name) => {
			pageOf([spring], null);
			expect((await applyCode(name)).error?.message).toBe(
				`Code: "${name}" cannot be looked up, because the list is incomplete. The service says that the list has 3 entries, but it returned 1. Use the ID.`,
			);
			expect(service.writes()).toEqual([]);
		},
	);

	it('is compared with the entries behind an empty page, too', async () => {
		const link = (skip: number) => `${service.sandbox.url}/v2/codes?$skip=${skip}`;
		pageOf([spring], link(1));
		pageOf([], link(2));
		pageOf(
			[
				{ codeId: 2, name: 'Autumn' },
				{ codeId: 3, name: 'Spring' },
			],
			null,
		);
		expect((await applyCode('Spring')).error?.message).toMatch(/ of 2 entries \(IDs 1, 3\)/);
		expect(service.writes()).toEqual([]);
	});

	it('that cannot be seen is as good as none', async () => {
		const items = [resultOf('\u200b\u2060')];
		const run = await service.run(new NativeCanvassResponse(), byResult, { items });
		expect(run.error?.message).toMatch(/Result Code/);
		expect(calls()).toEqual([]);
	});

	it('works in every field of a canvass response', async () => {
		const run = await service.run(
			new NativeCanvassResponse(),
			canvass({
				canvassContext: {
					campaignId: byName('Spring demo'),
					contactTypeId: byName('phone'),
					inputTypeId: byName('vpb'),
				},
				outcome: 'responses',
				responses: {
					activistCodes: [{ activistCodeId: byName('volunteer (demo)'), action: 'Apply' }],
					surveyResponses: [
						// The response comes first, as n8n may store it.
						{
							surveyResponseId: byName(' strong '),
							surveyQuestionId: byName('Support (demo)'),
						},
					],
				},
				resultCodeId: byName('a leftover of the other outcome'),
			}),
		);
		expect(run.error).toBeUndefined();
		expect(service.calls().at(-1)?.body).toEqual({
			canvassContext: { campaignId: 6004, contactTypeId: 1, inputTypeId: 10 },
			responses: [
				{ type: 'ActivistCode', activistCodeId: 7001, action: 'Apply' },
				{ type: 'SurveyResponse', surveyQuestionId: 81, surveyResponseId: 811 },
			],
		});
		expect(calls().at(-1)).toBe(post);
	});

	it('works in the fields of a code and its filters', async () => {
		const run = await service.run(new NativeCode(), {
			resource: 'code',
			operation: 'create',
			codeType: 'SourceCode',
			name: 'Spring letter',
			sourceCodeMetadata: { campaignId: byName('spring demo'), contactTypeId: byName('Walk') },
		});
		expect(run.outputs[0]?.[0]?.json).toMatchObject({
			campaign: { campaignId: 6004 },
			contactType: { contactTypeId: 2 },
		});
		const read = await service.run(new NativeCode(), {
			resource: 'code',
			operation: 'get',
			codeId: byName('Spring letter'),
		});
		expect(read.outputs[0]?.[0]?.json).toMatchObject({ name: 'Spring letter' });
	});

	it('whose list the key may not read is an error that says to use the ID', async () => {
		service.change({ rejected: ['/canvassResponses/resultCodes'] });
		const run = await service.run(new NativeCanvassResponse(), byResult, {
			items: [resultOf('Busy')],
		});
		expect(run.error).toMatchObject({
			message: 'This key is not allowed to use GET /canvassResponses/resultCodes',
			description: expect.stringMatching(/cannot be given By Name\. Use By ID\.$/) as string,
		});
	});
});

describe('the entities of a tag', () => {
	it('are left to the service if their list is not whole', async () => {
		const body = { items: ['Events'], nextPageLink: null, count: 2 };
		service.addFault({ kind: 'response', status: 200, body }, '/codes/supportedEntities');
		const run = await service.run(new NativeCode(), {
			resource: 'code',
			operation: 'create',
			codeType: 'Tag',
			name: 'Hall',
			supportedEntities: { entity: [{ name: byName('Locations'), isApplicable: true }] },
		});
		expect(run.error).toBeUndefined();
		expect(service.writes()).toMatchObject([
			{ body: { supportedEntities: [{ name: 'Locations' }] } },
		]);
	});
});

describe('a predefined value of an import', () => {
	const map = {
		...personMap,
		'CreateOrUpdateContact:Sex': property('Sex'),
		'CreateOrUpdateContact:ContactModeID': 'per son',
		'CreateOrUpdateContact:DOB': property('Born'),
		'CreateOrUpdateContact:Suffix': property('Born'),
	};
	const row = (name: string, sex: string, born: string) => ({
		json: {
			'First Name': name,
			'Last Name': 'Named',
			Mail: `${name}@example.org`,
			Sex: sex,
			Born: born,
		},
	});
	const stored = (name: string) =>
		service.people().find(({ fields }) => fields.firstName === name)?.fields;
	const options = { pollInterval: 0.05, dateFormat: 'd.M.yyyy' };

	it('is written by its ID for a name, and a date in the format of the service', async () => {
		const run = await service.run(new NativeBulkImport(), itemImport(service, map, { options }), {
			items: [
				row('Ida', ' fe male\u00A0', '31.12.1980'),
				row('Max', 'm', '1981-02-03'),
				row('Una', '', ''),
			],
		});
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]?.map(({ json }) => json.status)).toEqual(Array(3).fill('imported'));
		expect(stored('Ida')).toMatchObject({
			sex: 'F',
			contactMode: 'Person',
			dateOfBirth: '1980-12-31',
			suffix: '31.12.1980',
		});
		expect(stored('Max')).toMatchObject({ sex: 'M', dateOfBirth: '1981-02-03' });
	});

	it('rejects dates that are none, and dates of birth in the future', async () => {
		const rows = [
			row('Ann', '', '1975-13-09x'),
			row('Ben', '', '1.1.2999'),
			row('Cem', '', '2999-01-01'),
			row('Dan', '', '1980-12-31 10:00:00'),
		];
		const run = await service.run(new NativeBulkImport(), itemImport(service, map, { options }), {
			items: rows,
			onError: 'continueErrorOutput',
		});
		expect(run.outputs.map((output) => output.length)).toEqual([1, 3]);
		const short = itemImport(service, map, { options: { ...options, dateFormat: 'd.M.yy' } });
		await service.run(new NativeBulkImport(), short, { items: [row('Eva', '', '18.9.45')] });
		expect(stored('Eva')).toMatchObject({ dateOfBirth: '1945-09-18' });
		const unformatted = itemImport(service, map, { options: { pollInterval: 1 } });
		const future = await service.run(new NativeBulkImport(), unformatted, {
			items: [row('Fay', '', '9/18/2999')],
			onError: 'continueErrorOutput',
		});
		expect(JSON.stringify(future.outputs)).toContain('lies in the future');
	});

	it('stops for dates that begin with the day, and shows in a dry run that it would', async () => {
		const rows = [row('Ann', '', '03/04/1985'), row('Ben', '', '22/04/1958')];
		const { 'First Name': first, 'Last Name': last, Mail } = rows[0]?.json ?? {};
		const header = 'Born (dd/mm/yyyy)';
		const told = { 'First Name': first, 'Last Name': last, Mail, [header]: '03/04/1985' };
		const born = { ...personMap, 'CreateOrUpdateContact:DOB': property(header) };
		const lists = [
			[map, rows, '22/04/1958'],
			[born, itemsOf([told]), '03/04/1985'],
		] as const;
		for (const [fields, items, date] of lists) {
			const message = `has dates that begin with the day, e.g. "${date}"`;
			const run = async (options: INodeParameters) =>
				await service.run(new NativeBulkImport(), itemImport(service, fields, { options }), {
					items: [...items],
				});
			expect((await run({})).error?.message).toContain(message);
			expect(stopsOf(await run({ dryRun: true }))).toEqual([expect.stringContaining(message)]);
		}
		expect(service.jobs()).toEqual([]);
	});

	it('is shown by a dry run as it would be written', async () => {
		const run = await service.run(
			new NativeBulkImport(),
			itemImport(service, map, { options: { ...options, dryRun: true } }),
			{ items: [row('Ida', 'female', '31.12.1980')] },
		);
		const shown = Object.fromEntries(
			(run.outputs[0] ?? []).map(({ json }) => [json.field, json.firstValues]),
		);
		expect(shown).toMatchObject({
			Sex: ['F'],
			'Contact Mode': ['1'],
			'Date of Birth': ['1980-12-31'],
			Suffix: ['31.12.1980'],
		});
	});

	it('is written without the blanks around it that the check ignores', async () => {
		const blanks = { ...map, 'CreateOrUpdateContact:ContactModeID': ' 1 ' };
		const run = await service.run(
			new NativeBulkImport(),
			itemImport(service, blanks, { hosting: 'none', options }),
			{ items: [row('Eva', '\t F\u00A0', '')] },
		);
		const [item] = run.outputs[0] ?? [];
		expect(JSON.stringify(item?.json.job)).toContain('"staticValue":"1"');
		const text = (await unzip(await readBinary(item, 'data'))).get('items.csv')?.toString();
		expect(text).toMatch(/,F,/);
	});

	it('stops the import with the nearest names when it is no name, if it is to', async () => {
		const parameters = itemImport(service, map, { options: { ...options, ifInvalid: 'stop' } });
		const run = await service.run(new NativeBulkImport(), parameters, {
			items: [row('Ida', 'H', '31.12.1980')],
		});
		expect(run.error?.message).toMatch(
			/→ Sex: "H" is not in the service's list\. The nearest names are ".* See item 1\./,
		);
	});

	it('makes its row invalid when it is no date of the format', async () => {
		const run = await service.run(new NativeBulkImport(), itemImport(service, map, { options }), {
			items: [row('Ida', 'F', '12/31/1980')],
		});
		expect(run.outputs[0]).toMatchObject([
			{
				json: {
					status: 'invalid',
					reason: expect.stringMatching(
						/^Column "Born" is not a date in the format d\.M\.yyyy\. Correct it/,
					) as string,
				},
			},
		]);
	});
});

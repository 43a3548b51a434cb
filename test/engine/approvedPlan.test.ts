import fc from 'fast-check';
import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { callAsTool } from './support/agent';
import {
	inputOf,
	itemImport,
	people as peopleRows,
	personMap,
	property,
} from './support/itemImports';
import { OTHER_KEY } from '../support/runningSandbox';
import { repetitions } from '../support/randomCases';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

interface Import {
	rows: IDataObject[];
	map: Record<string, string>;
	options: INodeParameters;
	changes: INodeParameters;
	credential: ICredentialDataDecryptedObject;
}

const people = (count: number): IDataObject[] =>
	peopleRows(count).map((row) => ({ ...row, Mail: ` ${String(row.Mail)}`, Notes: 'not imported' }));
const shown: Import = {
	rows: people(7),
	map: personMap,
	options: {},
	changes: {},
	credential: {},
};

const run = async ({ rows, map, options, changes, credential }: Import, more: INodeParameters) => {
	const parameters = itemImport(service, map, {
		options: { pollInterval: 0.05, ...options, ...more },
		...changes,
	});
	const items = await inputOf(rows, changes.source);
	return await service.run(node, parameters, { items, credential });
};
const planOf = async (what: Import = shown): Promise<string> => {
	const { outputs, error } = await run(what, { dryRun: true });
	expect(error).toBeUndefined();
	return String(outputs[0]?.find(({ json }) => json.plan !== undefined)?.json.plan);
};
const sent = () =>
	service.calls().filter(({ method, path }) => method !== 'GET' || path.includes('/drop/'));

const BINARY = { source: 'binary' };

it.each([
	['items', shown],
	['a file', { ...shown, changes: BINARY }],
	['duplicates left out', { ...shown, options: { duplicates: 'first' } }],
])('imports what the plan showed: %s', async (_, what) => {
	const approvedPlan = await planOf(what);
	expect(approvedPlan).toMatch(/^7(-[0-9a-f]{8}){3}$/);
	expect(sent()).toEqual([]);
	const { error } = await run(what, { approvedPlan: ` ${approvedPlan.toUpperCase()} ` });
	expect(error).toBeUndefined();
	expect(service.jobs()).toHaveLength(1);
});

it('leaves free what the plan does not show', async () => {
	const approvedPlan = await planOf();
	const { error } = await run(
		{
			...shown,
			rows: shown.rows.map((row) => ({ ...row, Notes: 'changed' })),
			options: { maxRowsPerFile: 3, report: true },
			changes: { description: 'Another name' },
		},
		{ approvedPlan },
	);
	expect(error).toBeUndefined();
	expect(service.jobs()).toHaveLength(3);
});

const swapped = {
	...personMap,
	'CreateOrUpdateContact:FirstName': property('Last Name'),
	'CreateOrUpdateContact:LastName': property('First Name'),
};
const V4 = { apiVersion: 'v4', databaseMode: '1', identifierPrefix: 'Van' };
const FIELDS =
	'the fields, or what is done with the rows (Allow People Who Cannot Be Found Again, Clean Values, Duplicates in the List, Opt-Outs in the List, Skip Rows Imported Before). Nothing';

describe.each([
	['items', {}],
	['a file', BINARY],
])('refuses, before anything is sent, of %s', (_, source) => {
	it.each<[string, Partial<Import>, string]>([
		[
			'another value',
			{ rows: [{ ...people(1)[0], Mail: 'x@example.org' }, ...people(7).slice(1)] },
			'the values of the rows. Nothing',
		],
		['another order', { rows: people(7).reverse() }, 'the values of the rows. Nothing'],
		[
			'a row more',
			{ rows: people(8) },
			'the number of rows (the plan had 7, now there are 8). Nothing',
		],
		['swapped fields', { map: swapped }, FIELDS],
		[
			'a field more',
			{ map: { ...personMap, 'CreateOrUpdateContact:Suffix': property('Notes') } },
			FIELDS,
		],
		['a fixed value', { map: { ...personMap, 'CreateOrUpdateContact:Suffix': 'Jr.' } }, FIELDS],
		[
			'another mapping type',
			{
				changes: { mappingTypes: ['CreateOrUpdateContact', 'Email'] },
				map: { ...personMap, 'Email:Email': property('Mail') },
			},
			FIELDS,
		],
		['no cleaning', { options: { cleanValues: false } }, FIELDS],
		['other duplicates', { options: { duplicates: 'last' } }, FIELDS],
		['rows skipped', { options: { skipUnchangedBy: 'Mail' } }, FIELDS],
	])('%s', async (_what, changed, says) => {
		const approvedPlan = await planOf({ ...shown, changes: source });
		const changes = { ...source, ...changed.changes };
		for (const dryRun of [false, true]) {
			const { error } = await run({ ...shown, ...changed, changes }, { approvedPlan, dryRun });
			expect(error?.message).toMatch(/^Approved Plan is not the plan of this import\. Different: /);
			expect(error?.message).toContain(says);
		}
		expect(sent()).toEqual([]);
	});
});

it.each<[string, ICredentialDataDecryptedObject, ICredentialDataDecryptedObject, string]>([
	[
		'database',
		{ ...V4, apiKey: OTHER_KEY },
		{ ...V4, apiKey: OTHER_KEY, databaseMode: '0' },
		'voter file at ',
	],
	['key', {}, { apiKey: OTHER_KEY }, 'key "…22"'],
	['address', {}, { baseUrl: 'http://127.0.0.1:9' }, 'http://127.0.0.1:9'],
])('refuses another %s without a single request', async (_, credential, other, says) => {
	const approvedPlan = await planOf({ ...shown, credential });
	service.sandbox.control.clearRequests();
	const { error } = await run({ ...shown, credential: other }, { approvedPlan });
	expect(error?.message).toContain('Different: the database (now ');
	expect(error?.message).toContain(says);
	expect(service.calls()).toEqual([]);
});

it.each([
	['something else', '1234', 'Approved Plan is not a plan code.'],
	['no value', '={{ $json.nothing }}', 'Approved Plan is an expression without a value.'],
	['an empty value', "={{ '' }}", 'Approved Plan is an expression without a value.'],
])('refuses %s without a single request', async (_, approvedPlan, says) => {
	const { error } = await run(shown, { approvedPlan });
	expect(error?.message).toContain(says);
	expect(service.calls()).toEqual([]);
});

it('refuses whatever changes in random lists', async () => {
	const list = fc.array(fc.string({ unit: fc.constantFrom(...'ab ,"1é'), maxLength: 3 }), {
		minLength: 1,
		maxLength: 6,
	});
	const rowsOf = (names: string[]) => names.map((name) => ({ ...people(1)[0], 'Last Name': name }));
	await fc.assert(
		fc.asyncProperty(list, list, async (before, after) => {
			const approvedPlan = await planOf({ ...shown, rows: rowsOf(before) });
			const { error } = await run(
				{ ...shown, rows: rowsOf(after) },
				{ approvedPlan, dryRun: true },
			);
			// Blanks around a value are cleaned.
			const [shownValues, values] = [before, after].map((names) =>
				names.map((name) => name.trim()),
			);
			const isSame = JSON.stringify(shownValues) === JSON.stringify(values);
			expect([before, after, error === undefined]).toEqual([before, after, isSame]);
		}),
		{ numRuns: repetitions(60) },
	);
}, 60_000);

it.each(['byEngine', 'inProcess'] as const)(
	'cannot be filled in by an agent that calls the node %s',
	async (calling) => {
		const approvedPlan = await planOf();
		service.sandbox.control.clearRequests();
		const parameters = itemImport(service, personMap, {
			options: { approvedPlan: "={{ $fromAI('plan', 'The plan', 'string') }}" },
		});
		const { response, error } = await callAsTool(
			{ ...service.setup(node), parameters },
			{ plan: approvedPlan },
			calling,
		);
		expect(`${JSON.stringify(response)} ${error ?? ''}`).toContain(
			'Approved Plan cannot be filled in by an AI agent',
		);
		expect(service.calls()).toEqual([]);
	},
);

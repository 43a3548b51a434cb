import type {
	IDataObject,
	IExecuteFunctions,
	INodeParameters,
	INodeProperties,
	INodeType,
} from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { givenItems } from './support/engine';
import { inputOf, itemImport, personMap, stopsOf } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();
const ROW = { 'First Name': 'Ann', 'Last Name': 'Lee', Mail: 'ann@example.org' };

/** An import, with what n8n stored of the node after the last one. */
async function run(
	row: Record<string, string>,
	staticData: IDataObject = {},
	options: INodeParameters = {},
	isFile = false,
	changes: INodeParameters = {},
) {
	const parameters = itemImport(service, personMap, {
		options: { pollInterval: 0.05, ifColumnsDiffer: 'stop', ...options },
		...(isFile && { source: 'binary' }),
		...changes,
	});
	return await service.run(node, parameters, {
		// n8n stores it as JSON.
		staticData: JSON.parse(JSON.stringify(staticData)) as IDataObject,
		items: await inputOf([row], parameters.source),
	});
}

describe.each([false, true])('Stop at Any Change, of a file: %s', (isFile) => {
	it('sends the same columns in another order, and nothing if one is new or missing', async () => {
		const first = await run(ROW, {}, {}, isFile);
		expect(first.error).toBeUndefined();
		expect(first.staticData).toEqual({ columns: ['First Name', 'Last Name', 'Mail'] });
		const { Mail, ...names } = ROW;
		const again = await run({ '\ufeffMail': Mail, ...names }, first.staticData, {}, isFile);
		expect(again.error).toBeUndefined();
		const before = service.calls().length;
		const { error, staticData } = await run(
			{ ...names, 'E-mail': Mail, Notes: 'x' },
			first.staticData,
			{},
			isFile,
		);
		expect(error?.message).toBe(
			'If Columns Differ is set to Stop at Any Change, and the columns are not those of the last import. New: E-mail, Notes. Missing: Mail. Correct the list, or choose another setting for the next import of the published workflow.',
		);
		expect(service.calls()).toHaveLength(before);
		expect(staticData).toEqual(first.staticData);
	});

	it('takes the new columns after an import with it off', async () => {
		const columns = ['First Name'];
		const off = await run(ROW, { columns }, { ifColumnsDiffer: 'missing' }, isFile);
		expect(off.staticData).toEqual({});
		const { staticData } = await run(ROW, off.staticData, {}, isFile);
		expect(staticData).toEqual({ columns: ['First Name', 'Last Name', 'Mail'] });
	});

	it('remembers the columns of files that another node uploads', async () => {
		const { staticData } = await run(ROW, {}, {}, isFile, { hosting: 'none' });
		expect(staticData).toEqual({ columns: ['First Name', 'Last Name', 'Mail'] });
	});

	it('takes the new columns if no row has changed', async () => {
		const skip = { skipUnchangedBy: 'Mail' };
		const { staticData } = await run(ROW, {}, skip, isFile);
		const list = { ...ROW, Notes: 'x' };
		expect((await run(list, staticData, skip, isFile)).error?.message).toContain('New: Notes.');
		const off = { ...skip, ifColumnsDiffer: 'missing' };
		expect((await run(list, staticData, off, isFile)).staticData).toEqual({});
		const known = { columns: ['First Name', 'Last Name', 'Mail', 'Notes'] };
		expect((await run(list, {}, skip, isFile)).staticData).toEqual(known);
		expect(service.jobs()).toHaveLength(1);
	});

	it('remembers nothing of a dry run', async () => {
		const dry = await run(ROW, {}, { dryRun: true }, isFile, { hosting: 'none' });
		expect(dry.staticData).toEqual({});
		expect((await run(ROW, {}, { dryRun: true }, isFile)).staticData).toEqual({});
		const shown = await run(ROW, { columns: ['Mail'] }, { dryRun: true }, isFile);
		expect(stopsOf(shown)[0]).toContain('New: First Name, Last Name.');
	});
});

describe('rejected rows of the list, with what the node has added', () => {
	const columns = ['First Name', 'Last Name', 'Mail'];
	const wrong = { ...ROW, Mail: 'no..where@example.org' };

	it('as items', async () => {
		const list = [ROW, wrong].map((json) => ({ json }));
		const parameters = itemImport(service, personMap);
		for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
			const { outputs } = await service.run(node, parameters, { items: list, onError });
			const [rejected] = outputs.flat().filter(({ json }) => json.status !== 'imported');
			const json = JSON.parse(JSON.stringify(rejected?.json)) as Record<string, string>;
			const again = await run({ ...json, Mail: 'bo@example.org' }, { columns });
			expect(again.error).toBeUndefined();
			expect(again.staticData).toEqual({ columns });
		}
	});

	it('as a file, with the ID of a record that exists', async () => {
		const known = { 'First Name': 'Ann', 'Last Name': 'Lee', Mail: 'ann@example.org' };
		const added = { NativeID: '100001', 'Import Result': 'Phones: no' };
		const again = await run({ ...known, ...added }, { columns }, {}, true);
		expect(again.error).toBeUndefined();
		expect(again.staticData).toEqual({ columns });
		const other = await run({ ...known, Other: '1', ...added }, { columns }, {}, true);
		expect(other.error?.message).toContain('New: Other.');
		const noFile = await run({ ...known, NativeID: '' }, { columns }, {}, true);
		expect(noFile.error?.message).toContain('New: NativeID.');
	});
});

it('refuses Stop at Any Change behind a polling trigger, which makes n8n forget them', async () => {
	// n8n gives it to all nodes that poll.
	const pollTimes: INodeProperties = {
		displayName: 'Poll Times',
		name: 'pollTimes',
		type: 'fixedCollection',
		default: {},
	};
	const trigger: INodeType = {
		description: {
			...givenItems([]).description,
			name: 'polls',
			inputs: ['main'],
			properties: [pollTimes],
		},
		async execute(this: IExecuteFunctions) {
			return await Promise.resolve([this.getInputData()]);
		},
	};
	const start = async (ifColumnsDiffer: string) =>
		await service.run(
			node,
			itemImport(service, personMap, { options: { pollInterval: 0.05, ifColumnsDiffer } }),
			{ items: [{ json: ROW }], before: { node: trigger, runs: 1 } },
		);
	expect((await start('stop')).error?.message).toContain(
		'n8n forgets the columns each time the polling trigger "Node Before" starts this workflow.',
	);
	expect(service.jobs()).toHaveLength(0);
	expect((await start('missing')).error).toBeUndefined();
});

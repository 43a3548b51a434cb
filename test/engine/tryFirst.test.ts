import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import {
	inputOf,
	itemImport,
	itemsOf,
	people as peopleRows,
	personMap,
	statusesOf,
} from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

/** @param isBad whether the service rejects the row */
const people = (count: number, isBad: (row: number) => boolean): IDataObject[] =>
	peopleRows(count).map((person, row) =>
		isBad(row) ? { ...person, Mail: `no..${row}@example.org` } : person,
	);
const imports = (options: INodeParameters, changes: INodeParameters = {}) =>
	itemImport(service, personMap, {
		options: { pollInterval: 0.05, tryFirst: 10, ...options },
		...changes,
	});
const jobRows = () =>
	service.starts().map(({ body }) => /rows [\d-]+/.exec(JSON.stringify(body))?.[0]);
async function run(rows: IDataObject[], options: INodeParameters = {}, isFile = false) {
	const source = isFile ? 'binary' : 'items';
	const items = await inputOf(rows, source);
	return await service.run(node, imports(options, { source }), { items });
}

describe('Try First', () => {
	it.each([false, true])('sends the others after good rows, of a file: %s', async (isFile) => {
		const { outputs, error } = await run(
			people(35, (row) => row === 3),
			{ maxRowsPerFile: 20, outputRows: 'all' },
			isFile,
		);
		expect(error).toBeUndefined();
		const statuses = outputs[0]?.map(({ json }) => json.status).filter((s) => s !== 'summary');
		expect(statuses).toEqual(
			Array.from({ length: 35 }, (_, i) => (i === 3 ? 'failed' : 'imported')),
		);
		expect(jobRows()).toEqual(['rows 1-10', 'rows 11-30', 'rows 31-35']);
	});

	it.each([false, true])('sends nothing else after bad rows, of a file: %s', async (isFile) => {
		const { outputs, hints } = await run(
			people(35, (row) => row < 2),
			{ maxRowsPerFile: 20, outputRows: 'all' },
			isFile,
		);
		const rows = outputs[0]?.map(({ json }) => json).filter(({ status }) => status !== 'summary');
		expect(rows?.map(({ status }) => status)).toEqual([
			...Array.from({ length: 10 }, (_, i) => (i < 2 ? 'failed' : 'imported')),
			...Array.from({ length: 25 }, () => 'notSent'),
		]);
		const reason =
			'Not sent after the first 10 rows were tried, because 2 of them were not imported (20.0%, Stop Above is 10%)';
		expect(rows?.[34]?.reason).toBe(reason);
		const messages = JSON.stringify([hints.map(({ message }) => message), outputs[0]?.[0]?.json]);
		expect(messages).toContain(`${reason}.`);
		expect(messages).toContain('25 not sent (safe to import again)');
		expect(jobRows()).toEqual(['rows 1-10']);
	});

	it('allows as many as the user says', async () => {
		await run(
			people(12, (row) => row < 2),
			{ stopAbove: 20 },
		);
		expect(service.starts()).toHaveLength(2);
		await run(
			people(12, (row) => row === 0),
			{ stopAbove: 0 },
		);
		expect(service.starts()).toHaveLength(3);
	});

	it('sends nothing else if the job of the first rows fails', async () => {
		service.addJobFault({ kind: 'fail', text: 'broken' });
		const { error } = await run(people(12, () => false));
		expect(error?.description).toContain('Not sent after the first 10 rows were tried');
		expect(service.starts()).toHaveLength(1);
	});

	it('does not advise to import rows whose outcome is in doubt', async () => {
		service.addJobFault({ kind: 'results', files: 0 });
		const { outputs } = await service.run(node, imports({ tryFirst: 1 }), {
			items: itemsOf(peopleRows(2)),
			onError: 'continueErrorOutput',
		});
		const advice = outputs[1]?.map(({ json }) => (json.error as IDataObject).description);
		expect(advice?.[1]).toBe('Check the outcome of the first rows before you import these.');
	});

	it('gives each row its own outcome if no job has any', async () => {
		service.addJobFault({ kind: 'fail', text: 'broken' });
		const rows = people(12, () => false);
		Object.assign(rows[0] ?? {}, { Mail: ['a list'] });
		const options = { tryFirst: 10, duplicates: 'first' };
		const { outputs } = await service.run(node, imports(options), {
			items: itemsOf([...rows, rows[5] ?? {}]),
			onError: 'continueRegularOutput',
		});
		const texts = outputs[0]?.map(({ json }) => `${String(json.status)} ${JSON.stringify(json)}`);
		expect(texts).toHaveLength(13);
		expect(texts?.[0]).toMatch(/^invalid /);
		expect(texts?.[12]).toMatch(/^duplicate .*item 6/);
		expect(texts?.[3]).toMatch(/^failed .*broken.*"Mail"/);
		expect(texts?.[11]).toMatch(/^notSent .*Not sent after the first/);
		expect(texts?.[3]).not.toContain('Not sent after');
	});

	it('makes one job if there are no other rows, and if it is 0', async () => {
		await run(people(10, (row) => row < 5));
		expect(jobRows()).toEqual(['rows 1-10']);
		await run(
			people(30, (row) => row < 5),
			{ tryFirst: 0 },
		);
		expect(jobRows().at(-1)).toBe('rows 1-30');
	});

	it('goes on under a Run Key with the job that was tried before', async () => {
		service.change({ styles: { jobDescriptions: true } });
		const rows = people(12, (row) => row < 2);
		await run(rows, { runKey: 'fair' });
		const { outputs, error } = await run(rows, { runKey: 'fair', stopAbove: 50 });
		expect(error).toBeUndefined();
		expect(outputs[0]?.filter(({ json }) => json.status === 'imported')).toHaveLength(10);
		expect(jobRows()).toEqual(['rows 1-10', 'rows 11-12']);
	});

	it('does not say that rows were not sent whose job was started before', async () => {
		service.change({ styles: { jobDescriptions: true } });
		const rows = people(12, (row) => row < 2);
		await run(rows, { runKey: 'fair', stopAbove: 50 });
		const { outputs, hints } = await run(rows, { runKey: 'fair', stopAbove: 0 });
		const statuses = statusesOf(outputs[0]);
		expect(statuses).toEqual(Array.from({ length: 12 }, (_, i) => (i < 2 ? 'failed' : 'imported')));
		expect(JSON.stringify(hints)).not.toContain('Not sent');
		expect(jobRows()).toEqual(['rows 1-10', 'rows 11-12']);
	});

	it.each([
		['tryFirst', 'Try First (Rows)'],
		['stopAbove', 'Stop Above (%)'],
		['duplicates', 'Duplicates in the List'],
		['ifColumnsDiffer', 'If Columns Differ'],
	])('sends nothing if %s is an expression that gives nothing', async (name, label) => {
		const { error } = await run(
			people(12, () => false),
			{ [name]: '={{ $json.nothing }}' },
		);
		expect(error?.message).toBe(
			`${label} is an expression without a value, so it would have no effect. Correct it.`,
		);
		expect(service.calls()).toEqual([]);
	});

	it.each<[string, INodeParameters, INodeParameters, RegExp]>([
		[
			'without a wait',
			{ waitForOutcome: 'none' },
			{},
			/^Try First \(Rows\) needs the outcome of the rows/,
		],
		['without a job', {}, { hosting: 'none' }, /^Try First \(Rows\) needs the outcome of the rows/],
		['with half a row', { tryFirst: 1.5 }, {}, /Try First \(Rows\).* is not a whole number/],
		[
			'with more than all',
			{ stopAbove: 100 },
			{},
			/^Stop Above .*"100" is not a number from 0 to 99/,
		],
	])('is refused %s before any call', async (_, options, changes, message) => {
		const items = itemsOf(people(12, () => false));
		const { error } = await service.run(node, imports(options, changes), { items });
		expect(error?.message).toMatch(message);
		expect(service.calls()).toEqual([]);
	});
});

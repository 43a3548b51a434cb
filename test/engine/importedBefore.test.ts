import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import type { NodeRunOptions } from './support/engine';
import {
	inputOf,
	itemImport,
	people,
	personMap,
	statusesOf,
	stopsOf,
	whyStopped,
} from './support/itemImports';
import { useProcessedData } from './support/processedData';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
useProcessedData();
const node = new NativeBulkImport();

const LABEL = 'If This List Was Imported Before';
const listed = () => service.change({ styles: { jobDescriptions: true } });
const lists = () =>
	service.calls().filter(({ method, path }) => method === 'GET' && /\/bulkImportJobs$/.test(path));
const jobIds = () => service.jobs().map(({ id }) => id);

const run = async (
	rows: readonly IDataObject[],
	options: INodeParameters = {},
	map: Record<string, string> = personMap,
	setup: Partial<NodeRunOptions> = {},
) =>
	await service.run(
		node,
		itemImport(service, map, { options: { pollInterval: 0.05, maxRowsPerFile: 3, ...options } }),
		{ items: await inputOf(rows, undefined), ...setup },
	);
const warningsOf = ({ hints }: Awaited<ReturnType<typeof run>>) =>
	hints.flatMap(({ message, type }) => (type === 'warning' ? message : []));

/** An import that is cancelled while its job runs. */
async function runCancelled(rows: readonly IDataObject[]) {
	service.addJobFault({ kind: 'neverEnds' });
	const abort = new AbortController();
	const watching = setInterval(() => {
		if (service.jobs().length > 0) abort.abort();
	}, 5);
	const result = await run(rows, {}, personMap, { signal: abort.signal } as never);
	clearInterval(watching);
	return result;
}

describe('Say So', () => {
	it('imports again, and names the job as what somebody has to decide about', async () => {
		listed();
		expect(warningsOf(await run(people(3)))).toEqual([]);
		// An ordinary import asks nothing more of the service.
		expect(lists()).toEqual([]);
		const [jobId] = jobIds();
		const again = await run(people(3));
		expect(warningsOf(again)).toEqual([
			`The same rows were imported before by job ${jobId}, and now again.`,
		]);
		// What needs a decision comes first.
		expect(again.hints[0]?.type).toBe('warning');
		expect(statusesOf(again.outputs[0])).toEqual(Array(3).fill('imported'));
		expect(lists()).toHaveLength(1);
		const [grown] = warningsOf(await run(people(4)));
		expect(grown).toMatch(/^Rows 1–3 were imported before by job \d+, and now again\.$/);
		expect(warningsOf(await run(people(2)))).toEqual([]);
	});

	it('says so before anything is sent where the import is only shown', async () => {
		listed();
		await run(people(3));
		const shown = await run(people(3), { dryRun: true });
		const sentence = `The same rows were imported before by job ${jobIds()[0]}.`;
		expect(warningsOf(shown)).toEqual([sentence]);
		expect(stopsOf(shown)).toEqual([]);
		expect(JSON.stringify(shown.outputs[0])).toContain(sentence);
		// To look changes nothing.
		expect(warningsOf(await run(people(3), { dryRun: true }))).toEqual([sentence]);
		expect(jobIds()).toHaveLength(1);
	});

	it('knows its own imports where the service does not tell its jobs', async () => {
		await run(people(3));
		expect(warningsOf(await run(people(3)))).toEqual([
			'The same rows were imported before by this node, and now again.',
		]);
	});

	it('fails no import if the service cannot be asked', async () => {
		await run(people(3));
		service.addFault({ kind: 'status', status: 403 }, 'GET /bulkImportJobs', { count: 1 });
		const again = await run(people(3));
		expect(again.error).toBeUndefined();
		expect(statusesOf(again.outputs[0])).toEqual(Array(3).fill('imported'));
	});

	it.each([true, false])(
		'knows rows of which only columns that are not imported have changed, jobs listed: %s',
		async (isListed) => {
			service.change({ styles: { jobDescriptions: isListed } });
			await run(people(3).map((row) => ({ ...row, Exported: 'Monday' })));
			const tuesday = people(3).map(({ Mail, ...row }) => ({
				Exported: 'Tuesday',
				Mail: ` ${String(Mail)} `,
				...row,
			}));
			const by = isListed ? `by job ${jobIds()[0]}` : 'by this node';
			const said = `The same rows were imported before ${by}`;
			expect(warningsOf(await run(tuesday, { dryRun: true }))).toEqual([`${said}.`]);
			const { error } = await run(tuesday, { ifImportedBefore: 'stop' });
			expect(error?.message).toContain(`the same rows were imported before ${by}`);
			expect(jobIds()).toHaveLength(1);
			expect(warningsOf(await run(tuesday))).toEqual([`${said}, and now again.`]);
		},
	);

	it('knows rows with which something else is done', async () => {
		await run(people(3));
		const map = { ...personMap, 'CreateOrUpdateContact:City': 'Juneau' };
		expect(warningsOf(await run(people(3), {}, map))).toHaveLength(1);
	});

	it('says nothing of jobs that imported no row', async () => {
		listed();
		service.addJobFault({ kind: 'fail', text: 'broken' });
		await run(people(3));
		expect(warningsOf(await run(people(3)))).toEqual([]);
		service.addFault({ kind: 'status', status: 400 }, 'POST /bulkImportJobs', { count: 1 });
		await run(people(2));
		expect(warningsOf(await run(people(2)))).toEqual([]);
	});

	it('says nothing of rows that are compared with those imported before', async () => {
		const options = { skipUnchangedBy: 'Mail' };
		await run(people(3), options);
		expect(warningsOf(await run(people(3), options))).toEqual([]);
	});
});

describe('a run that was canceled', () => {
	it('is named by the next one, with its job and what to choose', async () => {
		listed();
		await runCancelled(people(3));
		const [jobId] = jobIds();
		const shown = await run(people(3), { dryRun: true });
		expect(warningsOf(shown)).toEqual([
			`The same rows were imported before by job ${jobId}. That run was canceled or stopped before it had the outcome, or it still waits; job ${jobId} is still running. To read its outcome, set ${LABEL} to Continue Its Jobs.`,
		]);
	});

	it('is continued, and its rows are sent once', async () => {
		listed();
		await runCancelled(people(3));
		const again = await run(people(7), { ifImportedBefore: 'continue', waitForOutcome: 'none' });
		expect(again.outputs[0]?.map(({ json }) => json.status)).toEqual([
			'continued',
			'started',
			'started',
		]);
		expect(again.hints[0]?.message).toContain(`(${jobIds()[0]} continued, not started again)`);
		expect(jobIds()).toHaveLength(3);
	});
});

describe('Continue Its Jobs', () => {
	const options = { ifImportedBefore: 'continue' };
	beforeEach(listed);

	it('reads the outcome of the jobs of the same rows, and starts other lists', async () => {
		await run(people(3));
		const again = await run(people(3), options);
		expect(statusesOf(again.outputs[0])).toEqual(Array(3).fill('imported'));
		expect(jobIds()).toHaveLength(1);
		await run(people(2), options);
		expect(jobIds()).toHaveLength(2);
	});

	it('starts rows with which something else is done, also by a value of another node', async () => {
		await run(people(3));
		await run(people(3), options, { ...personMap, 'CreateOrUpdateContact:City': 'Juneau' });
		expect(jobIds()).toHaveLength(2);
		const stamped = {
			...personMap,
			'CreateOrUpdateContact:MiddleName': '={{ $json["First Name"] + $now.toMillis() }}',
		};
		await run(people(3), options, stamped);
		await run(people(3), options, stamped);
		expect(jobIds()).toHaveLength(4);
	});

	it('is refused before anything is sent where the service does not tell its jobs', async () => {
		await run(people(2));
		service.change({ styles: { jobDescriptions: false } });
		const { error } = await run(people(3), options);
		expect(error?.message).toMatch(
			/^If This List Was Imported Before cannot be set to Continue Its Jobs, because the service/,
		);
		expect(jobIds()).toHaveLength(1);
	});
});

describe('Stop', () => {
	const options = { ifImportedBefore: 'stop' };

	it.each([true, false])(
		'sends nothing if the rows came before, jobs listed: %s',
		async (isListed) => {
			service.change({ styles: { jobDescriptions: isListed } });
			expect((await run(people(4), options)).error).toBeUndefined();
			const by = isListed ? `by job ${jobIds()[0]}` : 'by this node';
			const message = `${LABEL} is set to Stop, and the same rows were imported before ${by}. To import them again, choose Say So.`;
			expect((await run(people(4), options)).error?.message).toBe(message);
			expect(whyStopped(await run(people(4), { ...options, dryRun: true }))).toBe(message);
			expect(jobIds()).toHaveLength(2);
			const other = { ...people(1)[0], Mail: 'other@example.org' };
			expect((await run([other], options)).error).toBeUndefined();
		},
	);

	it('is refused as an expression that gives nothing', async () => {
		const { error } = await run(people(1), { ifImportedBefore: '={{ $json.nothing }}' });
		expect(error?.message).toMatch(/is an expression without a value/);
	});
});

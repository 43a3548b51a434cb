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
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
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
const saidOf = ({ hints }: Awaited<ReturnType<typeof run>>) =>
	hints.map(({ message }) => message).join('\n');
const warningsOf = ({ hints }: Awaited<ReturnType<typeof run>>) =>
	hints.flatMap(({ message, type }) => (type === 'warning' ? message : []));

/** An import that is cancelled once something has happened. */
async function runUntil(
	hasHappened: () => boolean,
	rows: readonly IDataObject[],
	options: INodeParameters = {},
) {
	const abort = new AbortController();
	const watching = setInterval(() => {
		if (hasHappened()) abort.abort();
	}, 5);
	const result = await run(rows, options, personMap, { signal: abort.signal } as never);
	clearInterval(watching);
	return result;
}

/** An import that is cancelled while its job runs. */
async function runCancelled(rows: readonly IDataObject[]) {
	service.addJobFault({ kind: 'neverEnds' });
	return await runUntil(() => service.jobs().length > 0, rows);
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
		const others = people(2).map((row) => ({ ...row, Mail: `other-${String(row.Mail)}` }));
		await run(others);
		expect(warningsOf(await run(others))).toEqual([]);
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

describe('a run that was stopped before the service had its first file', () => {
	const stopped = async () => {
		const path = 'POST /bulkImportJobs';
		const removeFault = service.addFault({ kind: 'noResponse', executed: false }, path);
		const starts = () => service.calls().filter(({ method }) => method === 'POST').length;
		const before = starts();
		await runUntil(() => starts() > before, people(4), { maxRowsPerFile: 2 });
		removeFault();
	};

	it.each(['say', 'stop'])(
		'has imported no row, which the service confirms: %s',
		async (choice) => {
			listed();
			await stopped();
			const options = { ifImportedBefore: choice, maxRowsPerFile: 2 };
			const again = await run(people(4), options);
			expect(saidOf(again)).not.toContain('imported before');
			expect(statusesOf(again.outputs[0])).toEqual(Array(4).fill('imported'));
		},
	);

	it('may have imported rows where the service does not tell its jobs', async () => {
		const [one] = people(1);
		await run([{ ...one, Mail: 'other@example.org' }]);
		await stopped();
		const again = await run(people(4), { maxRowsPerFile: 2 });
		expect(saidOf(again)).toContain('2 of these 4 rows were imported before by this node');
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

describe('a list that was changed since', () => {
	const rows = people(40);
	const longRows = people(300);
	const reversed = [...rows].reverse();
	const stop = { ifImportedBefore: 'stop' };
	/** In one file, as without a limit of the deployment. */
	const runList = async (list: readonly IDataObject[], options: INodeParameters = {}) =>
		await run(list, { maxRowsPerFile: 1000, ...options });
	const others = (count: number) =>
		people(count).map((row) => ({ ...row, Mail: `other-${String(row.Mail)}` }));

	describe.each([true, false])('where jobs are listed: %s', (isListed) => {
		beforeEach(() => void service.change({ styles: { jobDescriptions: isListed } }));
		const by = () => (isListed ? `by job ${jobIds()[0]}` : 'by this node');

		it('is the same in another order, also if it has several files', async () => {
			await run(rows.slice(0, 10));
			const said = `The same rows were imported before ${by()}`;
			const sorted = reversed.slice(-10);
			expect((await run(sorted, stop)).error?.message).toContain(said.replace('The', 'the'));
			expect(warningsOf(await run(sorted, { dryRun: true }))).toEqual([`${said}.`]);
			expect(warningsOf(await run(sorted))).toEqual([`${said}, and now again.`]);
		});

		it.each<[string, (list: IDataObject[]) => IDataObject[], string]>([
			['a row less', (list) => list.slice(1), 'all of these 39 rows were'],
			['a row more', (list) => [...list, ...others(1)], '40 of these 41 rows were'],
			['a row changed', (list) => [...list.slice(1), ...others(1)], '39 of these 40 rows were'],
			['one row of it', (list) => list.slice(7, 8), 'this row was'],
		])('is known with %s', async (_, change, text) => {
			await runList(rows);
			const list = change(reversed);
			const { error } = await runList(list, stop);
			expect(error?.message).toBe(
				`${LABEL} is set to Stop, and ${text} imported before ${list.length > 1 ? by() : 'by this node'}. Delete those rows from the list, or choose Say So to import all of them.`,
			);
			expect(jobIds()).toHaveLength(1);
			const [said = ''] = warningsOf(await runList(list));
			expect(said.toLowerCase()).toContain(`${text} imported before`);
		});

		it('of which fewer rows were imported than half is sent with Stop, and said without a warning', async () => {
			await runList(rows.slice(0, 10));
			const run = await runList([...others(20), ...rows.slice(0, 10)], stop);
			expect(warningsOf(run)).toEqual([]);
			expect(saidOf(run)).toContain(
				'10 of these 30 rows were imported before by this node, and now again.',
			);
		});

		it('is compared by a sample if it is long', async () => {
			await runList(longRows);
			const shorter = [...longRows.slice(1)].reverse();
			const text = `early all of these 299 rows were imported before ${by()}`;
			expect((await runList(shorter, stop)).error?.message).toContain(`n${text}`);
			expect(warningsOf(await runList(shorter))).toEqual([`N${text}, and now again.`]);
			const half = [...longRows.slice(0, 100), ...others(200)];
			const [, share] =
				/About (\d+)% of these 300 rows were imported before/.exec(saidOf(await runList(half))) ??
				[];
			expect(Number(share)).toBeGreaterThan(10);
			expect(Number(share)).toBeLessThan(60);
			expect(saidOf(await runList(others(200).slice(100)))).toContain('imported before');
			const unknown = people(300).map((row) => ({ ...row, Mail: `new-${String(row.Mail)}` }));
			expect(saidOf(await runList(unknown))).not.toContain('imported before');
		});
	});

	it('is found in the jobs of other nodes, with a row more or less', async () => {
		listed();
		await runList(longRows);
		const items = await inputOf([...others(1), ...longRows].reverse(), undefined);
		const parameters = itemImport(service, personMap, { options: { pollInterval: 0.05, ...stop } });
		const { error } = await service.run(node, parameters, {
			items,
			workflowId: 'another',
		});
		expect(error?.message).toContain(
			`nearly all of these 301 rows were imported before by job ${jobIds()[0]}`,
		);
	});

	it('is said with Continue Its Jobs, which has no job for another order', async () => {
		listed();
		await runList(rows);
		const again = await runList(reversed, { ifImportedBefore: 'continue' });
		expect(warningsOf(again)).toEqual([
			`The same rows were imported before by job ${jobIds()[0]}, and now again.`,
		]);
	});

	it('does not know rows of files that failed or were not sent', async () => {
		listed();
		service.addJobFault({ kind: 'fail', text: 'broken' });
		await runList(rows);
		expect((await runList(reversed.slice(1), stop)).error).toBeUndefined();
		service.addFault({ kind: 'status', status: 400 }, 'POST /bulkImportJobs', { count: 1 });
		await runList(others(20));
		expect(warningsOf(await runList(others(20).slice(1)))).toEqual([]);
	});

	it.each([true, false])(
		'does not know rows that were not sent after the first ones were rejected, jobs listed: %s',
		async (isListed) => {
			service.change({ styles: { jobDescriptions: isListed } });
			const wrong = rows.map((row, index) =>
				index < 5 ? { ...row, Mail: `no..${index}@example.org` } : row,
			);
			await runList(wrong, { tryFirst: 5, stopAbove: 10 });
			const [job, ...others] = service.starts();
			expect(others).toEqual([]);
			expect(JSON.stringify(job?.body)).toContain('rows 1-5');
			const again = await runList(rows, stop);
			expect(again.error).toBeUndefined();
			expect(warningsOf(again)).toEqual([]);
			expect(statusesOf(again.outputs[0])).toEqual(Array(40).fill('imported'));
		},
	);

	it('is not the same list if its last file was not sent', async () => {
		const fault = { kind: 'noResponse', executed: false } as const;
		const removeFault = service.addFault(fault, 'POST /bulkImportJobs', { skip: 1 });
		const sent = () =>
			service.calls().filter(({ path }) => path.endsWith('/bulkImportJobs')).length;
		await runUntil(() => sent() > 1, people(6), { maxRowsPerFile: 2 });
		removeFault();
		const again = await run(people(6), { maxRowsPerFile: 2 });
		expect(saidOf(again)).toContain('4 of these 6 rows were imported before by this node');
	});

	it('is not looked up in a way that makes the node forget', async () => {
		await runList(rows);
		for (let turn = 0; turn < 3; turn++) {
			const shown = await runList(rows.slice(1), { dryRun: true });
			expect(warningsOf(shown)).toEqual([
				'All of these 39 rows were imported before by this node.',
			]);
		}
	});
});

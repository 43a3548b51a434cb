import type { INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { nodeLog } from './support/container';
import { createOrUpdate, fieldsOf, finishJob, jobWith, peopleJob } from './support/importJobs';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

describe('an import', () => {
	it('that was started is named if what follows goes wrong', async () => {
		jest.spyOn(nodeLog(), 'info').mockImplementation(() => {
			throw new RangeError('Invalid string length');
		});
		const run = await service.run(node, fieldsOf(await peopleJob(service)), {
			onError: 'continueErrorOutput',
		});
		const [job] = service.jobs();
		expect(run.outputs[1]?.[0]?.json.error).toMatchObject({
			jobId: job?.id,
			outcomeUnknown: true,
			replayable: false,
		});
	});

	it('that failed is an error naming the reason', async () => {
		const job = await peopleJob(service);
		const run = await service.run(
			node,
			fieldsOf(
				{ ...job, file: { ...job.file, fileName: 'other.csv' } },
				{ waitForCompletion: 'memory' },
			),
		);
		expect(run.error?.message).toMatch(/^Import job \d+ failed: .*other\.csv/);
	});

	it('can be awaited later, several at once, in the order of the items', async () => {
		const started = await service.run(node, fieldsOf(await peopleJob(service)), {
			items: [{ json: {} }, { json: {} }, { json: {} }],
		});
		const jobIds = started.outputs[0]?.map(({ json }) => json.jobId) ?? [];
		expect(new Set(jobIds).size).toBe(3);

		const waited = await service.run(
			node,
			{ resource: 'job', operation: 'wait' },
			{ items: jobIds.reverse().map((jobId) => ({ json: { jobId } })) },
		);
		expect(waited.outputs[0]?.map(({ json }) => json.jobId)).toEqual(jobIds);
		expect(waited.outputs[0]?.every(({ json }) => json.hasEnded)).toBe(true);
	});

	it('that does not end in time is an error naming job and last status', async () => {
		service.addJobFault({ kind: 'neverEnds' });
		const started = await service.run(node, fieldsOf(await peopleJob(service)));
		const waited = await service.run(
			node,
			{ resource: 'job', operation: 'wait', options: { maxWait: 0.005 } },
			{ items: started.outputs[0] },
		);
		expect(waited.error?.message).toMatch(
			/^Import job \d+ has not ended after 0 minutes; its last status was (Pending|InProgress)/,
		);
		expect(waited.error?.description).toMatch(/Do not start it again/);
	});

	it.each([
		['Done', 'Done'],
		['Cancelled', 'Cancelled'],
		['', 'blank'],
		[null, 'blank'],
	])('with the unknown status %j is not said to run', async (status, shown) => {
		const started = await service.run(node, fieldsOf(await peopleJob(service)));
		await service.settle();
		const jobId = String(started.outputs[0]?.[0]?.json.jobId);
		const body = { id: Number(jobId), status };
		service.addFault({ kind: 'response', status: 200, body }, `/bulkImportJobs/${jobId}`, {
			count: 100,
		});
		const errorOf = async (operation: string, options: INodeParameters, more = {}) =>
			(await service.run(node, { resource: 'job', operation, jobId, ...more, options })).error;
		const waited = await errorOf('wait', { maxWait: 0.002 });
		expect(waited?.message).toBe(
			`Import job ${jobId} is not known to have ended after 0 minutes; its last status was ${shown}`,
		);
		expect(waited?.description).toMatch(/^The job may still run\. Do not start it again/);
		expect((await errorOf('getResults', {}))?.message).toBe(
			`Import job ${jobId} is not known to have ended (status ${shown})`,
		);
		const given = { startedJobs: jobId, source: 'items' };
		expect((await errorOf('getItemOutcomes', {}, given))?.message).toBe(
			`1 of 1 import job is not known to have ended: ${jobId} (${shown})`,
		);
	});

	it('stops waiting when it is cancelled', async () => {
		service.addJobFault({ kind: 'neverEnds' });
		const job = fieldsOf(await peopleJob(service), { waitForCompletion: 'memory' });
		const stop = new AbortController();
		const log = jest.spyOn(nodeLog(), 'info');
		const watch = setInterval(() => {
			if (service.calls().some(({ method }) => method === 'GET')) stop.abort();
		}, 10);
		const run = await service.run(node, job, {
			signal: stop.signal,
			credential: { pollInterval: 600 },
		});
		clearInterval(watch);

		expect(run.status).toBe('canceled');
		const [stored] = service.jobs();
		const marked = /: Import of a test \(n8n \w+, run \w{6}, item 1\)$/;
		expect(log).toHaveBeenCalledWith(expect.stringMatching(marked), { jobId: stored?.id });
	});

	it('shows its body in a dry run and sends nothing', async () => {
		const job = jobWith('First Last Mail', [createOrUpdate]);
		const file = { ...job.file, sourceUrl: 'sftp://user:hunter2@files.example.org/a.zip' };
		const run = await service.run(node, fieldsOf({ ...job, file }, { dryRun: true }));

		expect(run.outputs[0]?.[0]?.json).toEqual({
			dryRun: true,
			request: {
				method: 'POST',
				path: '/bulkImportJobs',
				body: { ...job, file: { ...file, sourceUrl: 'sftp://***@files.example.org/a.zip' } },
			},
		});
		expect(service.sandbox.requests).toEqual([]);
	});

	it('can be listed, and a deployment without the list says so', async () => {
		await finishJob(service, await peopleJob(service));
		const list = { resource: 'job', operation: 'getAll', returnAll: true, options: {} };
		const run = await service.run(node, list);
		expect(run.outputs[0]).toHaveLength(1);

		service.change({ styles: { bulkImportJobList: false } });
		const rejected = await service.run(node, list);
		expect(rejected.error?.message).toBe(
			'This deployment of the service has no list of import jobs',
		);
	});
});

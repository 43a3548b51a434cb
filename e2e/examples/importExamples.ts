import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { pick } from 'lodash';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { Execution } from '../../hosts/execution';
import {
	contactsFile,
	examplesFolder,
	expectedContacts,
	importOutcome,
	unexpectedIn,
} from '../../hosts/importOutcome';
import { changeNode } from '../../hosts/workflows';
import { signedAddresses, startedJobs } from '../importRequests';
import { PausedImports } from '../pausedImports';
import { countStatus, only, outputOf, valuesOf } from '../testN8n';
import {
	assertCountedContacts,
	assertImportedContacts,
	example,
	outcomeOf,
	publish,
	readExecutions,
	runExample,
	running,
	runWorkflow,
	sftp,
	store,
	storeWithCredential,
} from './exampleTests';

const imports = new PausedImports(running);

const readRows = (csvFile: string) =>
	z.array(z.record(z.string())).parse(parse(readFileSync(csvFile), { columns: true, bom: true }));
const fetchedFrom = () => startedJobs(running.sandbox).map(({ file }) => file.sourceUrl);
const reports = () =>
	readdirSync(running.filesFolder).filter((name) =>
		/^rejected-rows-\d{4}-\d\d-\d\d\.csv$/.test(name),
	);

/** The report that the execution saved, and the rows that it put out to be corrected. */
function assertReported(execution: Execution): void {
	const { rows, rejected } = expectedContacts();
	const report = join(running.filesFolder, `import-report-${execution.id}.html`);
	const lead = `<b>${rows - rejected.length}</b> of ${rows.toLocaleString('en-US')} rows imported`;
	assert.ok(readFileSync(report, 'utf8').includes(lead));
	assert.deepEqual(
		valuesOf(execution, 'Rows to Correct', 'CrmId'),
		rejected.map(({ crmId }) => crmId),
	);
}

/** Addresses of a file that the test has to itself. */
const signed = () => signedAddresses(running.sandbox, 'signed.zip');

example(
	'import-contacts.json',
	'zips, uploads and imports a file, and sorts its rows by outcome',
	async () => {
		const outcome = importOutcome(await runExample('import-contacts.json'));
		assert.equal(unexpectedIn(outcome), undefined);
		const job = only(running.sandbox.control.jobs('demo'));
		assert.equal(job.id, outcome.jobId);
		assert.equal(job.status, 'CompletedWithErrors');

		await runExample('import-contacts.json', signed());
		assert.equal(fetchedFrom().at(-1), signed().downloadUrl);
	},
);

example(
	'import-items.json',
	'imports a spreadsheet and separates imported and rejected rows',
	async () => {
		const workflow = await store('import-items.json', signed());
		const dryRun = await running.n8n.client.copyWorkflow(
			workflow,
			changeNode('Import Items', { options: { dryRun: true } }),
		);
		const checked = await runWorkflow(dryRun);
		assert.deepEqual(outputOf(checked, 'Summary'), [
			{ outcome: 'dry run: checked, nothing was sent', count_crmId: 0 },
		]);
		assert.deepEqual(startedJobs(running.sandbox), []);

		const execution = await runWorkflow(workflow);
		assert.deepEqual(fetchedFrom(), [signed().downloadUrl]);
		assertImportedContacts(execution);
		assert.deepEqual(
			outputOf(execution, 'Rejected Rows').map(({ crmId, outcome }) => ({ crmId, outcome })),
			expectedContacts().rejected.map(({ crmId, reason }) => ({
				crmId,
				outcome: outcomeOf(reason),
			})),
		);
	},
);

example(
	'take-back.json',
	'imports rows, keeps what was there, and takes the import back',
	async () => {
		const held = () => running.sandbox.control.people('demo').map(({ nativeId }) => nativeId);
		const before = held();
		// One of the rows has the ID of somebody who was there.
		const updated = 1;
		const imported = await runWorkflow(await store('take-back.json'));
		const count = countStatus(imported, 'imported');
		assert.equal(held().length, before.length + count - updated);
		assert.ok(count > 10);

		const taken = await runWorkflow(await store('take-back.json', { takeBack: 'yes' }));
		const counts = new Map(outputOf(taken, 'Count').map(({ end, count_row }) => [end, count_row]));
		assert.equal(counts.get('removed'), count - updated);
		assert.deepEqual(held(), before);
	},
);

example(
	'import-changes.json',
	'imports a row again only when it has changed or was not imported',
	async () => {
		const all = readRows(contactsFile);
		const rejected = new Set(expectedContacts().rejected.map(({ crmId }) => crmId));
		const good = all.filter(({ CrmId = '' }) => CrmId !== '' && !rejected.has(CrmId)).slice(0, 3);
		const bad = all.filter(({ CrmId = '' }) => rejected.has(CrmId)).slice(0, 1);
		const list = join(running.filesFolder, 'changing.csv');
		const save = (rows: Array<Record<string, string>>) => {
			const lines = [Object.keys(all[0] ?? {}), ...rows.map((row) => Object.values(row))];
			const cell = (value: string) => `"${value.replace(/"/g, '""')}"`;
			writeFileSync(list, lines.map((cells) => cells.map(cell).join(',')).join('\r\n'));
		};
		const workflow = await store('import-changes.json', { contactsFile: list });
		const counts = async () => {
			const execution = await runWorkflow(workflow, 'Every Night');
			const rejected = outputOf(execution, 'Rejected Rows').length;
			return [countStatus(execution, 'imported'), rejected, countStatus(execution, 'unchanged')];
		};
		save([...good, ...bad]);
		assert.deepEqual(await counts(), [3, 1, 0]);
		assert.deepEqual(await counts(), [0, 1, 3]);
		const [first = {}, ...others] = good;
		save([{ ...first, City: 'Elsewhere' }, ...others]);
		assert.deepEqual(await counts(), [1, 0, 2]);
		assert.deepEqual(await counts(), [0, 0, 3]);
	},
);

example(
	'import-gifts.json',
	'adjusts gifts only if the list agrees with the deposit slip',
	async () => {
		const stopped = await runExample('import-gifts.json', { sum: '1215.31' });
		const reasons = outputOf(stopped, 'Rejected Gifts').map(({ outcome }) => String(outcome));
		assert.equal(reasons.length, 4);
		for (const reason of reasons)
			assert.match(reason, /The list has 4, sum 1,215\.30, not 4, sum 1,215\.31\./);
		assert.deepEqual(startedJobs(running.sandbox), []);

		const execution = await runExample('import-gifts.json');
		assert.deepEqual(valuesOf(execution, 'Adjusted Gifts', 'giftId'), ['3001', '3002', '3003']);
		assert.deepEqual(outputOf(execution, 'Rejected Gifts'), [
			{
				giftId: '9999',
				outcome:
					'ContributionAdjustments: No contribution found; EditContributionDataContacts: No contribution found',
			},
		]);
	},
);

example(
	'nightly-sync.json',
	'imports only what passed the check, and reports the rejected rows',
	async () => {
		const workflow = await store('nightly-sync.json', signed());

		// A mapping type is gone tonight: the check fails, and nothing is sent.
		running.sandbox.control.addFault({
			method: 'GET',
			pathPrefix: '/bulkImportMappingTypes/ApplyExternalID',
			fault: { kind: 'status', status: 404 },
		});
		const stopped = await running.n8n.client.run(workflow, 'Every Night');
		assert.equal(stopped.status, 'error');
		assert.match(stopped.error?.message ?? '', /no mapping type "ApplyExternalID"/);
		assert.equal(startedJobs(running.sandbox).length, 0);
		assert.deepEqual(reports(), []);

		const execution = await runWorkflow(workflow, 'Every Night');
		const { rows, rejected } = expectedContacts();
		const [{ importSummary } = {}] = outputOf(execution, 'Import Rows');
		assert.deepEqual(pick(importSummary, 'rows', 'imported'), {
			rows,
			imported: rows - rejected.length,
		});
		assert.deepEqual(fetchedFrom(), [signed().downloadUrl]);
		assert.deepEqual(
			readRows(join(running.filesFolder, only(reports()))).map((row) => [
				row.CrmId,
				row['Import Result'],
			]),
			rejected.map(({ crmId, reason }) => [crmId, outcomeOf(reason)]),
		);
	},
);

example(
	'import-large-file.json',
	'imports a file as several jobs, reports, and puts out the rows to correct',
	async () => {
		const limited = running.credential('demo', { maxRowsPerFile: 300 });
		const path = join(examplesFolder, 'import-large-file.json');
		const id = await running.n8n.client.createCredential(limited);
		const addresses = signedAddresses(running.sandbox);
		const execution = await runWorkflow(await running.importExample(path, id, addresses));
		assert.equal(startedJobs(running.sandbox).length, 4);
		assertReported(execution);
	},
);

example(
	'import-sftp.json',
	"uploads the file to an SFTP server with n8n's own node, and gives each row its outcome",
	async () => {
		const { host, port, user, password, files } = sftp;
		const sftpPath = '/imports/contacts';
		const workflow = await storeWithCredential(
			await store('import-sftp.json', {
				sftpPath,
				sftpLink: `sftp://${user}:${password}@${host}:${port}`,
			}),
			'Upload',
			{ name: 'SFTP account', type: 'sftp', data: { host, port, username: user, password } },
		);
		const execution = await runWorkflow(workflow);
		assert.deepEqual([...files.keys()], [`${sftpPath}-1.zip`]);
		assertCountedContacts(execution);
		assert.deepEqual(
			valuesOf(execution, 'Rejected Rows', 'CrmId'),
			expectedContacts().rejected.map(({ crmId }) => crmId),
		);
		const sent = JSON.stringify(execution.nodes['Start Import']?.outputs);
		assert.ok(!sent.includes(password), 'the password is in the output');
	},
);

example(
	'durable-import.json',
	'starts an import, waits for its end, and gives each row its outcome',
	async () => {
		const execution = await runExample('durable-import.json', signed());
		assert.equal(startedJobs(running.sandbox).length, 1);
		assertCountedContacts(execution);
		const report = join(running.filesFolder, `import-report-${execution.id}.html`);
		assert.match(readFileSync(report, 'utf8'), /rows imported/);
	},
);

example('trigger-results.json', 'sums up an import of any workflow when it ends', async () => {
	const workflow = await publish('trigger-results.json');
	const partly = await imports.startJob();
	const failing = await imports.startJob();
	await imports.end(partly, 'CompletedWithErrors');
	await imports.end(failing, 'Failed');

	const executions = await readExecutions(workflow, 1);
	const summaries = executions.flatMap((execution) => outputOf(execution, 'Summary'));
	assert.deepEqual(
		summaries.map(({ jobId, event, outcome: text, count_row: rows }) => [jobId, event, text, rows]),
		[
			[partly, 'completedWithErrors', 'Processed', 1],
			[partly, 'completedWithErrors', 'Invalid email address', 1],
			[failing, 'failed', 'The file could not be fetched from its source.', 1],
		],
	);
});

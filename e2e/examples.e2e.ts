import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, it } from 'node:test';
import { z } from 'zod';
import type { Execution } from '../scripts/n8nClient';
import { startSandboxedN8n, type SandboxedN8n } from '../scripts/sandboxedN8n';
import { unzipped } from '../test/engine/support/unzipped';

const examples = join(__dirname, '..', 'examples');
const STARTING_MS = 15 * 60 * 1000;

let running: SandboxedN8n;
let credentialId: string;

before(
	async () => {
		running = await startSandboxedN8n();
		credentialId = await running.n8n.client.createCredential(running.credential('demo'));
	},
	{ timeout: STARTING_MS },
);
after(async () => {
	await running?.close();
});

const executed = async (example: string): Promise<Execution> => {
	const workflow = await running.importExample(join(examples, example), credentialId);
	const execution = await running.n8n.client.run(workflow, 'Start');
	assert.equal(
		execution.status,
		'success',
		`${execution.error?.message} ${String(execution.error?.description)}`,
	);
	return execution;
};
const output = (execution: Execution, node: string) => execution.nodes[node]?.outputs[0] ?? [];

const expectedSchema = z.object({
	rows: z.number(),
	refused: z.array(z.object({ crmId: z.string(), reason: z.string() })),
});

it('import-items.json: imports a spreadsheet and tells the good rows from the bad', async () => {
	const { rows, refused } = expectedSchema.parse(
		JSON.parse(readFileSync(join(examples, 'data', 'contacts.expected.json'), 'utf8')),
	);
	// A person who does not go in cannot be given an identifier either.
	const outcomeOf = (reason: string) =>
		`CreateOrUpdateContact: ${reason}; ApplyExternalID: No person found`;
	const execution = await executed('import-items.json');

	const counts = new Map<string, number>([['went in', rows - refused.length]]);
	for (const { reason } of refused) {
		const outcome = outcomeOf(reason);
		counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
	}
	assert.deepEqual(
		new Map(output(execution, 'Summary').map(({ outcome, count_crmId }) => [outcome, count_crmId])),
		counts,
	);
	assert.deepEqual(
		output(execution, 'To Correct').map(({ crmId, outcome }) => ({ crmId, outcome })),
		refused.map(({ crmId, reason }) => ({ crmId, outcome: outcomeOf(reason) })),
	);
	const people = new Map(
		running.sandbox.control
			.people('demo')
			.flatMap(({ nativeId, identifiers }) =>
				identifiers.map(({ externalId }) => [externalId, nativeId]),
			),
	);
	const wentIn = output(execution, 'Went In');
	assert.equal(wentIn.length, rows - refused.length);
	for (const { crmId, nativeId } of wentIn) assert.equal(people.get(String(crmId)), nativeId);
});

it('failed-posts-to-file.json: saves what could not be posted to a file for an upload by hand', async () => {
	// Carried out, but the answer is lost: nobody can know, so it is not sent again.
	running.sandbox.control.addFault({
		method: 'POST',
		pathPrefix: '/people/100003/canvassResponses',
		fault: { kind: 'resetAfter' },
	});
	const execution = await executed('failed-posts-to-file.json');

	assert.deepEqual(
		output(execution, 'Posted').map(({ personId }) => personId),
		[100001, 100002, 100005],
	);
	const zip = readFileSync(join(running.filesFolder, 'failed-posts.zip'));
	const file = (await unzipped(zip)).get('failed-posts.csv')?.toString('utf8') ?? '';
	const saved = z
		.array(z.object({ Reason: z.string().min(1) }).passthrough())
		.parse(parse(file, { columns: true }));
	assert.deepEqual(
		saved.map(({ NativeId, ResultCodeId, DateCanvassed, MayBeStored }) => ({
			NativeId,
			ResultCodeId,
			DateCanvassed,
			MayBeStored,
		})),
		[
			{ NativeId: '100003', ResultCodeId: '1', MayBeStored: 'check first' },
			{ NativeId: '100004', ResultCodeId: '9999', MayBeStored: 'no' },
			{ NativeId: '999999', ResultCodeId: '1', MayBeStored: 'no' },
		].map((row) => ({ ...row, DateCanvassed: '2026-03-02' })),
	);
	const stored = running.sandbox.control.canvassResponses('demo').map(({ nativeId }) => nativeId);
	assert.deepEqual(
		stored.sort((a, b) => a - b),
		[100001, 100002, 100003, 100005],
	);
});

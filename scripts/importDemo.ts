/** The part of `npm start` that needs the dependencies: see start.mjs. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
	contactsFile,
	countByReason,
	importOutcome,
	rowsOf,
	unexpectedIn,
	type ImportOutcome,
} from './importOutcome';
import type { StoredWorkflow } from './n8nClient';
import { startSandboxedN8n, type SandboxedN8n } from './sandboxedN8n';
import { elapsed, say } from './shownCommand.mjs';

const EDITOR_PORT = 5678;

const examplesFolder = join(__dirname, '..', 'examples');
const IMPORT_EXAMPLE = 'import-contacts.json';

function portOf(text: string): number {
	const port = Number(text);
	if (Number.isInteger(port) && port > 0 && port <= 65_535) return port;
	throw new Error(`--port ${text}: a port is a number from 1 to 65535.`);
}

/** Stores every example and gives back the one that imports contacts. */
async function importExamples(running: SandboxedN8n): Promise<StoredWorkflow> {
	const credential = running.credential('demo');
	const credentialId = await running.n8n.client.createCredential(credential);
	let importWorkflow: StoredWorkflow | undefined;
	for (const file of readdirSync(examplesFolder).filter((name) => name.endsWith('.json'))) {
		const workflow = await running.importExample(join(examplesFolder, file), credentialId);
		if (file === IMPORT_EXAMPLE) importWorkflow = workflow;
	}
	if (!importWorkflow) throw new Error(`examples/${IMPORT_EXAMPLE} is missing.`);
	return importWorkflow;
}

function summary(outcome: ImportOutcome, took: string): string[] {
	return [
		'',
		`Import job ${outcome.jobId}: ${outcome.status}`,
		`  rows in the file   ${rowsOf(contactsFile)}`,
		`  rows that went in  ${outcome.wentIn}`,
		`  rows refused       ${outcome.refused.length}`,
		...countByReason(outcome.refused).map(
			([reason, count]) => `    ${String(count).padStart(4)}  ${reason}`,
		),
		`  time               ${took}`,
		'',
	];
}

function showAddresses({ n8n, sandbox }: SandboxedN8n): void {
	say(`Editor   ${n8n.url}   (${n8n.owner.email}, password ${n8n.owner.password})`);
	say(`Sandbox  ${sandbox.httpsUrl}   (what it was asked: ${sandbox.url}/_sandbox/requests)`);
	say('Ctrl-C ends both and removes what they wrote.');
}

/** Ctrl-C reaches this process but not n8n, which has a process group of its own and is stopped below. */
function interruptionSignal(): AbortSignal {
	const interruption = new AbortController();
	for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(name, () => interruption.abort());
	}
	return interruption.signal;
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			once: { type: 'boolean', default: false },
			port: { type: 'string', default: String(EDITOR_PORT) },
		},
	});
	const signal = interruptionSignal();
	const running = await startSandboxedN8n({ port: portOf(values.port), signal });
	try {
		const workflow = await importExamples(running);
		say(`Running "${workflow.name}" on ${basename(contactsFile)} …`);
		const start = Date.now();
		const outcome = importOutcome(await running.n8n.client.run(workflow, 'Start', { signal }));
		summary(outcome, elapsed(start)).forEach(say);

		const problem = unexpectedIn(outcome);
		if (problem !== undefined) throw new Error(`This is not what was to be expected. ${problem}`);
		if (values.once) return;
		showAddresses(running);
		if (!signal.aborted) await Promise.race([once(signal, 'abort'), running.n8n.ended]);
	} finally {
		say('Stopping …');
		await running.close();
	}
}

main().catch((error: unknown) => {
	const isInterruption = error instanceof Error && error.name === 'AbortError';
	const reason = error instanceof Error ? error.message : String(error);
	process.stderr.write(`\n${isInterruption ? 'Interrupted.' : reason}\n`);
	process.exitCode = 1;
});

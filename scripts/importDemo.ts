/** The part of `npm start` that needs the dependencies: see start.mjs. */
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, isFree } from '../hosts/freePort.mjs';
import {
	contactsFile,
	countByReason,
	examplesFolder,
	importOutcome,
	rowsOf,
	unexpectedIn,
	type ImportOutcome,
} from '../hosts/importOutcome';
import { needsOf } from '../hosts/exampleNeeds';
import type { StoredWorkflow } from '../hosts/n8nClient';
import { OWNER } from '../hosts/n8nProcess';
import { DEMO_OPTIONS, startSandboxedN8n, type SandboxedN8n } from '../hosts/sandboxedN8n';
import { elapsed, say } from '../hosts/runWithProgress.mjs';

const EDITOR_PORT = 5678;

const IMPORT_EXAMPLE = 'import-contacts.json';

/** Stores every example with the sandbox's credential in it; by the name of its file. */
async function importExamples(running: SandboxedN8n): Promise<Map<string, StoredWorkflow>> {
	const credential = running.credential('demo');
	const credentialId = await running.n8n.client.createCredential(credential);
	const stored = new Map<string, StoredWorkflow>();
	for (const file of readdirSync(examplesFolder).filter((name) => name.endsWith('.json'))) {
		stored.set(file, await running.importExample(join(examplesFolder, file), credentialId));
	}
	return stored;
}

function listOf(examples: Iterable<StoredWorkflow>): string[] {
	const lines = [...examples].map((example): [string, string] => [example.name, needsOf(example)]);
	const width = Math.max(...lines.map(([name]) => name.length));
	return [
		'Examples in the editor',
		...lines.map(([name, need]) => `  ${name.padEnd(width)}  ${need}`),
	];
}

function summary(outcome: ImportOutcome, took: string): string[] {
	return [
		'',
		`Import job ${outcome.jobId}: ${outcome.status}`,
		`  rows in the file   ${rowsOf(contactsFile)}`,
		`  rows imported      ${outcome.imported}`,
		`  rows rejected      ${outcome.rejected.length}`,
		...countByReason(outcome.rejected).map(
			([reason, count]) => `    ${String(count).padStart(4)}  ${reason}`,
		),
		`  time               ${took}`,
		'',
	];
}

function showAddresses({ n8n, sandbox, filesFolder, linkUrl }: SandboxedN8n): void {
	say(`Editor   ${n8n.url}   (${OWNER.email}, password ${OWNER.password})`);
	say(
		`Files    ${join(filesFolder, basename(contactsFile))}   (n8n may read this folder: copy your list to it)`,
	);
	say(
		`Links    ${linkUrl}   (your browser warns about their certificate, which npm start has created: continue)`,
	);
	say(`Sandbox  ${sandbox.httpsUrl}   (its requests: ${sandbox.url}/_sandbox/requests)`);
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

/** Imports the examples, runs one of them, and throws if it did not do what it should. */
async function showExamples(running: SandboxedN8n, signal: AbortSignal): Promise<void> {
	const examples = await importExamples(running);
	const workflow = examples.get(IMPORT_EXAMPLE);
	if (!workflow) throw new Error(`examples/${IMPORT_EXAMPLE} is missing.`);
	say(`Running "${workflow.name}" on ${basename(contactsFile)} …`);
	const start = Date.now();
	const outcome = importOutcome(await running.n8n.client.run(workflow, 'Start', { signal }));
	summary(outcome, elapsed(start)).forEach(say);

	const problem = unexpectedIn(outcome);
	if (problem !== undefined) throw new Error(`This is not the expected result. ${problem}`);
	[...listOf(examples.values()), ''].forEach(say);
}

/** What a new user enters in a credential of the deployment "Native Interface (v2)". */
function showCredential({ sandbox, credential }: SandboxedN8n): void {
	say(`Base URL  ${sandbox.httpsUrl}`);
	say(`API Key   ${String(credential('demo').data.apiKey)}   (made up)`);
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			once: { type: 'boolean', default: false },
			empty: { type: 'boolean', default: false },
			port: { type: 'string' },
		},
	});
	const signal = interruptionSignal();
	const usual = (await isFree(EDITOR_PORT)) ? EDITOR_PORT : await freePort();
	const running = await startSandboxedN8n({
		...DEMO_OPTIONS,
		withoutPackage: values.empty,
		port: Number(values.port ?? usual),
		signal,
	});
	try {
		if (values.empty) showCredential(running);
		else await showExamples(running, signal);
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

import assert from 'node:assert/strict';
import { after, before, type TestContext } from 'node:test';
import type { Execution } from '../hosts/execution';
import {
	startSandboxedN8n,
	type SandboxedN8n,
	type SandboxedN8nOptions,
} from '../hosts/sandboxedN8n';

/** The first run on a machine installs n8n. */
const STARTING_MS = 15 * 60 * 1000;

/** The n8n that the tests of a file use. */
export type TestN8n<N8n extends SandboxedN8n = SandboxedN8n> = N8n & {
	/** ID of the credential that was stored in it. */
	credentialId: string;
	/** Does something else before the first test, once n8n has started. */
	onStart: (prepare: () => Promise<void> | void) => void;
	/** Ends something else before n8n is ended. */
	onClose: (close: () => Promise<void>) => void;
};

/**
 * Starts an n8n before the first test of a file and ends it after the last one.
 *
 * @param options it has no editor unless they say so
 * @param tenant whose key is stored as a credential
 * @returns the n8n; its properties are there once it has started
 */
export const n8nForTests = (options: SandboxedN8nOptions = {}, tenant?: string): TestN8n =>
	startForTests(async () => await startSandboxedN8n({ hasEditor: false, ...options }), tenant);

/** The same for one that is started in another way. */
export function startForTests<N8n extends SandboxedN8n>(
	start: () => Promise<N8n>,
	tenant = 'demo',
): TestN8n<N8n> {
	const preparations: Array<() => Promise<void> | void> = [];
	const closers: Array<() => Promise<void>> = [];
	const running = {} as TestN8n<N8n>;
	running.onStart = (prepare) => preparations.push(prepare);
	running.onClose = (close) => closers.unshift(close);
	// Node runs several hooks of this kind at the same time.
	before(
		async () => {
			const started = await start();
			running.onClose(started.close);
			Object.defineProperties(running, Object.getOwnPropertyDescriptors(started));
			const { client } = started.n8n;
			running.credentialId = await client.createCredential(started.credential(tenant));
			for (const prepare of preparations) await prepare();
		},
		{ timeout: STARTING_MS },
	);
	after(async () => {
		for (const close of closers) await close();
	});
	return running;
}

export function assertSuccess({ status, error }: Execution): void {
	assert.equal(status, 'success', `${error?.message} ${String(error?.description)}`);
}

/** Says in the report of the tests how an execution ended. */
export function report(t: TestContext, what: string, { status, error, nodes }: Execution): void {
	const kept = nodes.Post ? `, with ${nodes.Post.outputs[0]?.length ?? 0} items of output` : '';
	const why = error ? `: "${error.message.split('\n')[0]}" ${String(error.description ?? '')}` : '';
	t.diagnostic(`${what}: n8n shows "${status}"${why}${kept}`);
}

/** What the first output of a node put out. */
export const outputOf = ({ nodes }: Execution, node: string) => nodes[node]?.outputs[0] ?? [];

/** A property of each item in the first output of a node. */
export const valuesOf = (execution: Execution, node: string, property: string) =>
	outputOf(execution, node).map((json) => json[property]);

/** How many items in the first output of Import Items have this status. */
export const countStatus = (execution: Execution, status: string) =>
	valuesOf(execution, 'Import Items', 'status').filter((each) => each === status).length;

export function only<T>(list: readonly T[]): T {
	assert.equal(list.length, 1);
	return list[0] as T;
}

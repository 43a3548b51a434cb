import assert from 'node:assert/strict';
import type { Execution } from '../hosts/execution';
import type { WorkflowFile } from '../hosts/n8nClient';
import { itemsWorkflow, postNode } from '../hosts/workflows';
import type { Sandbox, SandboxOptions } from '../sandbox/index';
import { assertSuccess } from './testN8n';

export const DIALLER = 'dialler';
/** Requests per second of its key: service.md 8.2. */
export const RATE = 200;
export const RESPONSE_MS = 100;

export const diallerSandbox = (extraPeople: number): SandboxOptions => ({
	tier: 'custom',
	tenants: [{ name: DIALLER, key: '44444444-4444-4444-8444-444444444444', extraPeople }],
});

/** Lets the service take some time for each of this many posts. */
export function delayPosts({ control }: Sandbox, count: number): void {
	control.addFault({
		method: 'POST',
		pathPrefix: '/people',
		count,
		fault: { kind: 'latency', ms: RESPONSE_MS },
	});
}

/** In an order that neither the service nor the node could make up. */
export const shuffle = (people: readonly number[]) =>
	[...people].sort((a, b) => ((a * 7919) % 10_007) - ((b * 7919) % 10_007));

export const shiftWorkflow = (people: readonly number[], credentialId: string): WorkflowFile =>
	itemsWorkflow(
		people.map((personId) => ({ personId })),
		[postNode(credentialId)],
	);

export const postsTo = ({ requests }: Sandbox) =>
	requests.filter(({ path }) => path.endsWith('/canvassResponses'));

/** Those of the people whom the service stored a response for, in the order of arrival. */
export function storedFor(people: readonly number[], { control }: Sandbox): number[] {
	const own = new Set(people);
	return control
		.canvassResponses(DIALLER)
		.map(({ nativeId }) => nativeId)
		.filter((person) => own.has(person));
}

/** Each response once at the service, and in order in the output. */
export function assertPosted(
	people: readonly number[],
	sandbox: Sandbox,
	execution: Execution,
): void {
	assertSuccess(execution);
	const sorted = (numbers: readonly number[]) => [...numbers].sort((a, b) => a - b);
	assert.deepEqual(sorted(storedFor(people, sandbox)), sorted(people));
	const [output = []] = execution.nodes.Post?.items ?? [];
	assert.deepEqual(
		output.map(({ json, pairedItem }) => ({ person: json.nativeId, pairedItem })),
		people.map((person, item) => ({ person, pairedItem: { item } })),
	);
}

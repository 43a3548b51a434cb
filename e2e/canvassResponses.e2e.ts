import assert from 'node:assert/strict';
import { it } from 'node:test';
import {
	assertPosted,
	delayPosts,
	DIALLER,
	diallerSandbox,
	postsTo,
	RATE,
	RESPONSE_MS,
	shiftWorkflow,
	shuffle,
} from './canvassShift';
import { n8nForTests } from './testN8n';

const RESPONSES = 2000;

const running = n8nForTests({ sandbox: diallerSandbox(RESPONSES) }, DIALLER);

it('posts thousands of canvass responses at the full rate of the key, each once and in order', async (t) => {
	const { sandbox, n8n, credentialId } = running;
	const people = shuffle(
		sandbox.control
			.people(DIALLER)
			.slice(0, RESPONSES)
			.map(({ nativeId }) => nativeId),
	);
	assert.equal(people.length, RESPONSES);
	const workflow = await n8n.client.createWorkflow(shiftWorkflow(people, credentialId));
	delayPosts(sandbox, RESPONSES);
	const execution = await n8n.client.run(workflow, 'Start');
	assertPosted(people, sandbox, execution);
	assert.equal(sandbox.control.canvassResponses(DIALLER).length, RESPONSES);

	const arrivals = postsTo(sandbox)
		.filter(({ admitted }) => admitted)
		.map(({ atMs }) => atMs);
	const seconds = ((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)) / 1000;
	const perSecond = (arrivals.length - 1) / seconds;
	const { status429, buckets } = sandbox.control.stats();
	t.diagnostic(
		`${arrivals.length} responses in ${seconds.toFixed(2)} s: ${perSecond.toFixed(1)} per second, ${((100 * perSecond) / RATE).toFixed(1)} % of the rate of the key; ${status429} rejected; most in one second ${buckets[0]?.maximumArrivedInOneSecond}`,
	);
	// How fast they come is the machine's part, which is busy with other tests. One that stalls lets responses
	// that left in time arrive together, and is slower by as much. Sent without a pace, most would be rejected.
	const stalls = Math.max(1, RATE / perSecond);
	assert.ok(status429 <= (RESPONSES / 20) * stalls, `${status429} rejected`);
	// That they do not wait for each other is the node's: at the full rate, so many begin before the first is
	// responded to.
	const together = Math.max(
		...arrivals.map(
			(from) => arrivals.filter((at) => at >= from && at < from + RESPONSE_MS).length,
		),
	);
	assert.ok(together >= (RATE * RESPONSE_MS) / 1000, `only ${together} at the same time`);
});

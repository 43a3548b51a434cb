import { VirtualTime } from '../../../bench/pace/virtualTime';
import { RateLimiter } from '../../../nodes/shared/transport/rateLimiter';
import { MOST_IN_FLIGHT } from '../../../nodes/shared/transport/requestsInFlight';

const PER_SECOND = 200;

/**
 * A service as one run sees it that always has more to send: how many responses each second brings, and
 * the most requests under way in it.
 * @param endOf when a request that arrives now is done, in milliseconds
 */
async function runAgainst(
	endOf: (now: number) => number,
	seconds: number,
): Promise<Array<{ responses: number; inFlight: number }>> {
	const time = new VirtualTime();
	const limiter = new RateLimiter(time, PER_SECOND, () => 0.5);
	const course = Array.from({ length: seconds + 1 }, () => ({ responses: 0, inFlight: 0 }));
	const now = () => course[Math.floor(time.now() / 1000)] ?? { responses: 0, inFlight: 0 };
	let inFlight = 0;
	const worker = async (): Promise<void> => {
		for (;;) {
			const permit = await limiter.acquire();
			inFlight++;
			now().inFlight = Math.max(now().inFlight, inFlight);
			await time.until(endOf(time.now()));
			inFlight--;
			now().responses++;
			permit.release('completed');
		}
	};
	for (let count = 0; count < MOST_IN_FLIGHT + 100; count++) void worker();
	await time.runUntil(seconds * 1000);
	return course.slice(0, seconds);
}

const mean = (course: Array<{ responses: number }>): number =>
	course.reduce((sum, { responses }) => sum + responses, 0) / course.length;
const most = (course: Array<{ inFlight: number }>): number =>
	Math.max(...course.map(({ inFlight }) => inFlight));

/** A service that handles this many requests per second, one after the other, and adds 100 ms to each. */
function busyService(perSecond: number): (now: number) => number {
	let free = 0;
	return (now) => {
		free = Math.max(free, now) + 1000 / perSecond;
		return free + 100;
	};
}

test.each([20, 300, 1000])(
	'a service that takes %d ms gets 98 percent of the rate from the first second on',
	async (responseMs) => {
		const seconds = 20;
		const course = await runAgainst((now) => now + responseMs, seconds);
		// What is sent in the last response time has no response yet.
		const possible = PER_SECOND * (seconds - responseMs / 1000);
		expect(mean(course) * seconds).toBeGreaterThanOrEqual(0.98 * possible);
		const groupMs = 20;
		expect(most(course)).toBeLessThanOrEqual((PER_SECOND * (responseMs + groupMs)) / 1000);
	},
);

test('a service that takes 2 seconds gets 98 percent of the rate after some seconds', async () => {
	const course = await runAgainst((now) => now + 2000, 30);
	expect(mean(course.slice(16))).toBeGreaterThanOrEqual(0.98 * PER_SECOND);
});

test('a service whose response times vary widely gets 98 percent of the rate', async () => {
	let sent = 0;
	const course = await runAgainst((now) => now + (sent++ % 10 === 0 ? 2000 : 30), 30);
	expect(mean(course.slice(10))).toBeGreaterThanOrEqual(0.98 * PER_SECOND);
});

test('a service that becomes five times slower gets the full rate again', async () => {
	const course = await runAgainst((now) => now + (now < 10_000 ? 100 : 500), 30);
	expect(mean(course.slice(16))).toBeGreaterThanOrEqual(0.98 * PER_SECOND);
});

test.each([50])(
	'a service that manages %d per second is not sent more and more requests',
	async (perSecond) => {
		const course = await runAgainst(busyService(perSecond), 60);
		const settled = course.slice(30);
		expect(mean(settled)).toBeGreaterThanOrEqual(0.98 * perSecond);
		expect(most(settled)).toBeLessThanOrEqual(90);
	},
);

test('a service that does not respond at all gets a bounded number of requests', async () => {
	const course = await runAgainst(() => 3_600_000, 20);
	expect(most(course)).toBeLessThanOrEqual(MOST_IN_FLIGHT);
});

import { outcome, scenario, type Story } from '../../bench/pace/scenarios';
import { ORDINARY_NETWORK, simulate, type Simulation } from '../../bench/pace/simulation';

/** The process that comes or goes does so after this many seconds. */
const EVENT_AT = 10;

/** Shortened runs of `npm run bench -- pace`: what docs/rate-limits.md promises of processes on one key. */
async function course(
	limit: number,
	processes: number,
	seconds: number,
	story: Story = 'all at once',
	changes: Partial<Simulation> = {},
) {
	const simulation = { ...scenario(story, limit, processes, seconds, EVENT_AT), ...changes };
	const result = await simulate(simulation);
	return { simulation, result, between: outcome.bind(null, simulation, result) };
}

/** The mean of four courses: in a single one, a stall of the process or the service weighs too much. */
async function meanOutcome(
	from: number,
	to: number,
	...[limit, processes, seconds, story, changes]: Parameters<typeof course>
): Promise<{ pace: number; jain: number; lost: number }> {
	const mean = { pace: 0, jain: 0, lost: 0 };
	for (const seed of [1, 2, 3, 4]) {
		const made = await course(limit, processes, seconds, story, { ...changes, seed });
		const { pace, jain } = made.between(from, to);
		mean.pace += pace / 4;
		mean.jain += jain / 4;
		mean.lost += made.result.lost;
	}
	return mean;
}

test.each([
	[200, 10],
	[15, 120],
	[4, 240],
	[2, 240],
])('a process alone uses 97 percent of %d per second', async (limit, seconds) => {
	const { between, result } = await course(limit, 1, seconds);
	const { pace, rejected } = between(0, seconds);
	expect(pace).toBeGreaterThanOrEqual(0.97);
	expect(rejected).toBeLessThanOrEqual(0.005);
	expect(result.lost).toBe(0);
});

test('a process alone uses 95 percent of 4 per second of a service that takes now 10 and now 300 ms', async () => {
	const network = { ...ORDINARY_NETWORK, meanWorkMs: 100 };
	const { between } = await course(4, 1, 120, 'all at once', { network });
	const { pace, rejected } = between(0, 120);
	expect(pace).toBeGreaterThanOrEqual(0.95);
	expect(rejected).toBeLessThanOrEqual(0.005);
});

test.each([
	[200, 60],
	[15, 180],
	[4, 240],
])(
	'three processes together use 95 percent of %d per second with 2 percent rejected',
	async (limit, seconds) => {
		const { between, result } = await course(limit, 3, seconds);
		const { pace, rejected, jain } = between(0, seconds);
		expect(pace).toBeGreaterThanOrEqual(0.95);
		expect(rejected).toBeLessThanOrEqual(0.025);
		expect(jain).toBeGreaterThan(0.8);
		expect(result.lost).toBe(0);
	},
);

test('each of 32 processes gets its turns at 4 per second', async () => {
	const { between, result } = await course(4, 32, 400);
	const { pace, lowest, rejected } = between(40, 400);
	expect(pace).toBeGreaterThanOrEqual(0.95);
	expect(lowest).toBeGreaterThan(0.05);
	expect(rejected).toBeLessThan(0.4);
	expect(result.lost).toBe(0);
});

test.each([
	[200, 5],
	[15, 40],
])('who joins at %d per second has a share after %d seconds', async (limit, seconds) => {
	const from = EVENT_AT + seconds;
	const { between } = await course(limit, 3, from + 10, 'one joins');
	const { lowest, pace } = between(from, from + 10);
	expect(lowest).toBeGreaterThan(0.1);
	expect(pace).toBeGreaterThan(0.93);
});

test.each([1, 2])(
	'who joins %d at 15 per second is soon done with 100 requests',
	async (others) => {
		let ended = 0;
		for (const seed of [1, 2, 3, 4]) {
			const { processes } = scenario('all at once', 15, others, 60);
			const later = { from: EVENT_AT, to: 60, calls: 100 };
			const changes = { seed, processes: [...processes, later] };
			const { result } = await course(15, others, 60, 'all at once', changes);
			ended +=
				result.seconds.reduce((calls, { accepted }) => calls + (accepted[others] ?? 0), 0) / 4;
		}
		expect(ended).toBeGreaterThanOrEqual(90);
	},
);

test.each([
	[200, 10],
	[15, 60],
])(
	'those who stay take over what one leaves at %d per second within %d seconds',
	async (limit, seconds) => {
		const from = EVENT_AT + seconds;
		const { pace } = await meanOutcome(from, from + 10, limit, 2, from + 10, 'one leaves');
		expect(pace).toBeGreaterThan(0.95);
	},
);

test('a key with a quarter of the rate that its tier names is used to 95 percent', async () => {
	const { between, result } = await course(50, 1, 40, 'all at once', { plannedLimit: 200 });
	const { pace, rejected } = between(0, 40);
	expect(pace).toBeGreaterThanOrEqual(0.95);
	expect(rejected).toBeLessThanOrEqual(0.025);
	expect(result.lost).toBe(0);
});

test('after another client took half of the key for 5 seconds, a process has all of it within 3', async () => {
	const otherClient = { from: 5, to: 10, perSecond: 100 };
	const { pace } = await meanOutcome(13, 22, 200, 1, 22, 'all at once', { otherClient });
	expect(pace).toBeGreaterThanOrEqual(0.97);
});

test('while responses take a second, three processes do not grow blindly', async () => {
	const processes = [0, 1, 2].map(() => ({ from: 0, to: 60, calls: 3000 }));
	const network = { ...ORDINARY_NETWORK, roundTripMs: 900, meanWorkMs: 100 };
	const { between, result } = await course(200, 3, 60, 'all at once', { processes, network });
	expect(result.lost).toBe(0);
	expect(result.acceptedAt).toHaveLength(9000);
	const { pace, rejected } = between(5, 40);
	expect(pace).toBeGreaterThanOrEqual(0.9);
	expect(rejected).toBeLessThanOrEqual(0.05);
});

test('the same settings give the same course', async () => {
	const [once, again] = [await course(15, 3, 30), await course(15, 3, 30)];
	expect(again.result).toEqual(once.result);
});

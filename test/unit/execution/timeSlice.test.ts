import { batchesInSlices, mapInSlices, TimeSlice } from '../../../nodes/shared/execution/timeSlice';

/** A clock on which only work and pauses take time; notes how long each slice of work was. */
class WorkClock {
	private time = 0;
	private sliceStart = 0;
	readonly slices: number[] = [];

	now = (): number => this.time;

	sleep = async (ms: number): Promise<void> => {
		this.slices.push(this.time - this.sliceStart);
		await new Promise((resolve) => setImmediate(resolve));
		this.time += ms;
		this.sliceStart = this.time;
	};

	work(ms: number): void {
		this.time += ms;
	}
}

describe('a loop in time slices', () => {
	test('yields whenever it has worked for 20 ms at most', async () => {
		const clock = new WorkClock();
		const entries = Array.from({ length: 500 }, (_, index) => index);
		const doubled = await mapInSlices(entries, new TimeSlice(undefined, clock), (entry) => {
			clock.work(0.4);
			return entry * 2;
		});
		expect(doubled).toEqual(entries.map((entry) => entry * 2));
		expect(clock.slices.length).toBeGreaterThan(9);
		expect(Math.max(...clock.slices)).toBeLessThanOrEqual(20);
	});

	test('costs short loops no pause', async () => {
		const clock = new WorkClock();
		await mapInSlices([1, 2, 3], new TimeSlice(undefined, clock), () => clock.work(1));
		expect(clock.slices).toEqual([]);
	});

	test('ends by one slice for all loops that share it', async () => {
		const clock = new WorkClock();
		const slice = new TimeSlice(undefined, clock);
		const loop = async (): Promise<void> => {
			for (let round = 0; round < 100; round++) {
				while (slice.isOver) await slice.yield();
				clock.work(1);
			}
		};
		await Promise.all(Array.from({ length: 50 }, loop));
		expect(Math.max(...clock.slices)).toBeLessThanOrEqual(20);
	});

	test('lets loops that follow each other in one turn share it', async () => {
		const clock = new WorkClock();
		for (let loop = 0; loop < 10; loop++) {
			const slice = new TimeSlice(undefined, clock);
			clock.work(2);
			if (slice.isOver) await slice.yield();
		}
		expect(Math.max(...clock.slices)).toBeLessThanOrEqual(20);
		expect(clock.slices.length).toBeGreaterThan(1);
	});

	test('shares one slice with a loop of the same execution that feeds it', async () => {
		const clock = new WorkClock();
		const { signal } = new AbortController();
		const given = Array.from({ length: 100 }, (_, index) => index);
		async function* read(): AsyncGenerator<number> {
			const slice = new TimeSlice(signal, clock);
			for (const entry of given) {
				if (slice.isOver) await slice.yield();
				clock.work(0.5);
				yield entry;
			}
		}
		const slice = new TimeSlice(signal, clock);
		for await (const entry of read()) {
			if (slice.isOver) await slice.yield();
			clock.work(0.5);
			expect(entry).toBeLessThan(100);
		}
		expect(Math.max(...clock.slices)).toBeLessThanOrEqual(6);
		expect(Math.min(...clock.slices)).toBeGreaterThanOrEqual(5);
	});

	test('gives batches that end with the slice, whatever is done with their entries', async () => {
		const clock = new WorkClock();
		const given = Array.from({ length: 100 }, (_, index) => index);
		const read: number[] = [];
		const batches = batchesInSlices(given, new TimeSlice(undefined, clock), (entry, index) => {
			clock.work(0.5);
			return entry + index;
		});
		for await (const batch of batches)
			for (const entry of batch) {
				clock.work(0.5);
				read.push(entry);
			}
		expect(read).toEqual(given.map((entry) => 2 * entry));
		expect(clock.slices.length).toBeGreaterThan(10);
		expect(Math.max(...clock.slices)).toBeLessThanOrEqual(6);
	});

	test.each([
		['one turn if n8n has no other work', [0.1, 0.1, 0.1], 0],
		['three quiet waits after a busy turn', [1, 1, 1, 1, 1], 3],
		['three in a row', [1, 1, 5, 1, 1, 1, 1], 5],
		['at most 25 ms', [5, 5, 5, 5, 5, 5, 5], 4],
	])('pauses for %s', async (_, turns, waits) => {
		const left = [...turns];
		const slept: number[] = [];
		let time = 0;
		const sleep = async (ms: number): Promise<void> => {
			slept.push(ms);
			await new Promise((resolve) => setImmediate(resolve));
			time += left.shift() ?? 0;
		};
		await new TimeSlice(undefined, { now: () => time, sleep }).yield();
		expect(slept).toEqual([0, ...Array<number>(waits).fill(1)]);
	});

	test('ends when the execution is cancelled', async () => {
		const clock = new WorkClock();
		const cancelling = new AbortController();
		const slice = new TimeSlice(cancelling.signal, clock);
		const work = jest.fn((entry: number) => {
			clock.work(1);
			if (entry === 5) cancelling.abort();
		});
		const entries = Array.from({ length: 100 }, (_, index) => index);
		await expect(mapInSlices(entries, slice, work)).rejects.toThrow('The execution was canceled.');
		expect(work).toHaveBeenCalledTimes(10);
	});
});

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import {
	type BeforeFile,
	BeforeReader,
	BeforeWriter,
	type KeptOutcomes,
	OutcomeWriter,
} from '../../../nodes/NativeBulkImport/before/beforeFile';
import { Records, type RowEnd } from '../../../nodes/NativeBulkImport/before/takeBackPlan';
import { TimeSlice } from '../../../nodes/shared/execution/timeSlice';
import { longestTurnOf } from '../../support/eventLoop';
import { repetitions } from '../../support/randomCases';

const ROWS = repetitions(20_000, 10_000);
/** This many rows in sequence are about one person. */
const PEOPLE = ROWS * 0.8;
/** What a row takes: its two lines of 200 bytes, and a few numbers. As objects they take 1.2 kB. */
const MOST_BYTES = 500;

const texts = (row: number): [string, string] => [`Before ${row}`, `Sent ${row}`];

/** The lines of a file, the last row first. Every tenth row was not sent. */
function lines(): string[] {
	const run = 'abcd1234';
	const marks = { database: 'd', databaseMark: 'a', keyMark: 'b' };
	const writer = new BeforeWriter({ file: 'before', version: 1, run, ...marks, fields: {} });
	const outcomes = new OutcomeWriter(run);
	for (let row = ROWS; row > 0; row--) {
		const person = row % PEOPLE;
		const values = { 'First Name': texts(row), 'Last Name': texts(row), Employer: texts(row) };
		writer.add({ row, person, values });
		const isSent = row % 10 > 0;
		const status = isSent ? 'imported' : 'notSent';
		outcomes.add({ row, status, primaryKey: isSent ? person : null, jobId: 7 });
	}
	const written = [...writer.end('2026-01-01T00:00:00Z'), ...outcomes.end()];
	return Buffer.concat(written).toString().split('\n');
}

async function read(all: readonly string[]): Promise<BeforeFile> {
	const slice = new TimeSlice(undefined);
	const reader = new BeforeReader();
	for (const line of all) {
		if (slice.isOver) await slice.yield();
		reader.add(line);
	}
	return await reader.end(slice);
}

async function recordsOf(file: BeforeFile, onEnd: (index: number, end: RowEnd) => void) {
	const outcomes = file.outcomes as KeptOutcomes;
	return await Records.of(file.rows, outcomes, new TimeSlice(undefined), onEnd);
}

function usedBytes(): number {
	setFlagsFromString('--expose-gc');
	(runInNewContext('gc') as () => void)();
	return process.memoryUsage().heapUsed;
}

describe('the rows of a long file "before"', () => {
	const all = lines();

	it('are put in order, and together by their record', async () => {
		const ends: number[] = [];
		const records = await recordsOf(await read(all), (index, { row, end }) => {
			expect(end).toBe('restored');
			expect(row.row).toBe(index + 1);
			ends.push(index);
		});
		expect(ends).toHaveLength(ROWS / 10);
		expect(records.count).toBe((PEOPLE * 9) / 10);
		const indexes = records.indexesOf(0);
		expect(indexes).toEqual([0, PEOPLE]);
		const { personId, rows } = records.at(indexes);
		expect(personId).toBe(1);
		expect(rows.map(({ kept }) => kept.row)).toEqual([1, PEOPLE + 1]);
		const count = Array.from({ length: records.count }, (_, record) => records.indexesOf(record));
		expect(count.flat()).toHaveLength((ROWS * 9) / 10);
	});

	it('take little memory', async () => {
		const before = usedBytes();
		const file = await read(all.map((line) => Buffer.from(line).toString()));
		const records = await recordsOf(file, () => undefined);
		const bytes = (usedBytes() - before) / ROWS;
		expect(records.count).toBeGreaterThan(0);
		expect(bytes).toBeLessThan(MOST_BYTES);
	});

	it('are read in turns', async () => {
		const work = async () => await recordsOf(await read(all), () => undefined);
		expect(await longestTurnOf(work, 50)).toBeLessThanOrEqual(50);
	});
});

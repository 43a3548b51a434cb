import fc from 'fast-check';
import type { IExecuteFunctions, INode } from 'n8n-workflow';
import { Readable } from 'node:stream';

import {
	addStartedJobs,
	ImportOutcome,
} from '../../../nodes/NativeBulkImport/importItems/outcome/importOutcome';
import type { Part, StartedImport } from '../../../nodes/NativeBulkImport/importItems/model';
import { jobIdsOf } from '../../../nodes/NativeBulkImport/importItems/start/startedImport';
import { InvalidRow } from '../../../nodes/shared/importFile/delimitedRows';
import { ROW_STATUSES } from '../../../nodes/shared/importFile/importReport';
import { waitForJobs } from '../../../nodes/shared/service/importJobWait';
import { type ScriptedResponse, scriptedService } from '../service/scriptedService';
import { repetitions } from '../../support/randomCases';

const node: INode = {
	id: '1',
	name: 'Import',
	type: 'nativeBulkImport',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};
const functions = { getNode: () => node } as unknown as IExecuteFunctions;
const wait = { pollIntervalMs: 1000, maxWaitMs: 60_000 };
const HEADER = 'BulkUploadDataID,ULFileID,PrimaryKey,PrimaryKeyType,N8nItem,RecordUrl,Contact\n';

/** A result file: the numbers of its rows, and how its first download breaks. */
interface ScriptedFile {
	numbers: number[];
	isGone?: boolean;
	breaksAfter?: number;
}

interface ScriptedJob {
	status: string;
	files: ScriptedFile[];
}

const isRejected = (number: number): boolean => number % 5 === 0;
const lineOf = (number: number): string =>
	`${number},6,${1000 + number},NativeID,k3f9x2-${number},https://x/${number},${isRejected(number) ? 'Invalid email' : 'Processed'}\n`;

/** Reads an import of which job `100 + index` is the job of part `index`. */
async function readImport(
	parts: Part[],
	jobs: ScriptedJob[],
	rowCount: number,
	invalid: number[] = [],
) {
	const attempts = new Map<string, number>();
	const response = (path: string): ScriptedResponse => {
		const index = Number(/bulkImportJobs\/(\d+)/.exec(path)?.[1]) - 100;
		const job = jobs[index];
		const resultFiles = job?.files.map((_, file) => ({
			url: `https://results.example.net/${index}/${file}`,
		}));
		return { status: 200, body: { id: 100 + index, status: job?.status, resultFiles } };
	};
	async function* content({ numbers, breaksAfter }: ScriptedFile, attempt: number) {
		const isBroken = attempt === 0 && breaksAfter !== undefined;
		const ordered = attempt === 0 ? numbers : [...numbers].reverse();
		yield Buffer.from(HEADER + ordered.slice(0, breaksAfter).map(lineOf).join(''));
		if (isBroken) throw Object.assign(new Error('x'), { code: 'ECONNRESET' });
		yield await Promise.resolve(
			Buffer.from(
				ordered
					.slice(breaksAfter ?? ordered.length)
					.map(lineOf)
					.join(''),
			),
		);
	}
	const { service, clock } = scriptedService(({ path }) => response(path), {
		anonymousSender: async ({ url }) => {
			const [, job = '', file = ''] = /net\/(\d+)\/(\d+)/.exec(url) ?? [];
			const scripted = jobs[Number(job)]?.files[Number(file)];
			const attempt = attempts.get(url) ?? 0;
			attempts.set(url, attempt + 1);
			return await Promise.resolve(
				!scripted || scripted.isGone
					? { statusCode: 404, headers: {}, body: Readable.from([Buffer.from('gone')]) }
					: { statusCode: 200, headers: {}, body: Readable.from(content(scripted, attempt)) },
			);
		},
	});
	const started: StartedImport = {
		totalRows: rowCount,
		parts,
		invalid: new Map(invalid.map((row) => [row, new InvalidRow('Column "Email"', 'is a list.')])),
		found: [],
		columns: { itemColumn: 'N8nItem', labels: ['Contact'] },
		blankIds: {},
		notes: [],
	};
	const reading = waitForJobs(service, jobIdsOf(parts), wait).then(async (ended) =>
		ImportOutcome.read({ functions, service }, { noun: 'item' }, started, ended, true),
	);
	await clock.runUntil(reading);
	const outcome = await reading;
	return outcome;
}

const part = (first: number, end: number, index: number): Part => ({
	first,
	end,
	rows: end - first,
	checksum: '',
	jobId: 100 + index,
	run: 'k3f9x2',
});

test('every row has one status, and the summary counts the same, whatever was lost', async () => {
	const scripts = fc.record({
		sizes: fc.array(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 4 }),
		seed: fc.array(fc.nat(1000), { minLength: 40, maxLength: 40 }),
	});
	await fc.assert(
		fc.asyncProperty(scripts, async ({ sizes, seed }) => {
			let next = 0;
			const draw = (): number => seed[next++ % seed.length] ?? 0;
			const parts: Part[] = [];
			const expected: string[] = [];
			const jobs = sizes.map((size, index): ScriptedJob => {
				const first = expected.length;
				parts.push(part(first, first + size, index));
				const numbers = Array.from({ length: size }, (_, at) => first + at + 1);
				const kind = draw() % 5;
				if (kind === 0) {
					expected.push(...numbers.map(() => 'failed'));
					return { status: 'Error', files: draw() % 2 === 0 ? [] : [{ numbers: [] }] };
				}
				if (kind === 1) {
					expected.push(...numbers.map(() => 'unknown'));
					return { status: 'Completed', files: [] };
				}
				const isOneGone = kind === 2;
				const files: ScriptedJob['files'] = [{ numbers: [] }, { numbers: [], isGone: isOneGone }];
				for (const number of numbers) {
					const fate = draw() % 4;
					const isMentioned = fate > 0;
					const file = files[fate % 2];
					if (isMentioned) file?.numbers.push(number);
					const isRead = isMentioned && !file?.isGone;
					const nothing = isOneGone ? 'unknown' : 'missing';
					expected.push(!isRead ? nothing : isRejected(number) ? 'failed' : 'imported');
				}
				if (files[0] && draw() % 2 === 0)
					files[0].breaksAfter = Math.floor(files[0].numbers.length / 2);
				return { status: 'Completed', files };
			});
			const outcome = await readImport(parts, jobs, expected.length);
			const statuses = expected.map((_, position) => outcome.resultAt(position)?.status);
			expect(statuses).toEqual(expected);
			const counts = outcome.counts;
			for (const status of ROW_STATUSES)
				expect(counts[status]).toBe(expected.filter((known) => known === status).length);
		}),
		{ numRuns: repetitions(60) },
	);
});

test('one row is counted as one', async () => {
	const outcome = await readImport([part(0, 1, 0)], [{ status: 'Completed', files: [] }], 1, []);
	expect(outcome.sentence()).toMatch(/^1 item: 1 /);
});

test('a job that may have been started is never called not sent', async () => {
	const lost = { status: 'unknown' as const, error: new Error('no response') };
	const refused = { status: 'notSent' as const, error: new Error('upload refused') };
	const outcome = await readImport(
		[
			{ first: 0, end: 2, rows: 2, checksum: '', failure: lost },
			{ first: 2, end: 4, rows: 2, checksum: '', failure: refused },
			part(4, 6, 0),
		],
		[{ status: 'Completed', files: [{ numbers: [5] }] }],
		7,
		[6],
	);
	expect([0, 2, 4, 5, 6].map((row) => outcome.resultAt(row)?.status)).toEqual([
		'unknown',
		'notSent',
		'failed',
		'missing',
		'invalid',
	]);
	expect(outcome.sentence()).toBe(
		'7 items: 1 failed, 1 missing from the results (check before importing again), 1 invalid and not sent, 2 not sent (safe to import again), 2 unknown (do not import again); import job 100',
	);
});

test('an error after the start names every job, and that its outcome is unknown', async () => {
	const outcome = await readImport(
		[part(0, 1, 0), part(1, 2, 1)],
		[0, 1].map((index) => ({ status: 'Completed', files: [{ numbers: [index + 1] }] })),
		2,
	);
	expect(
		addStartedJobs(outcome.started.parts, new RangeError('Invalid string length')),
	).toMatchObject({
		details: {
			message: expect.stringContaining('Import job 100') as string,
			description: expect.stringMatching(
				/^Do not import its rows again\..*other jobs of this import are 101\.$/,
			) as string,
			outcomeUnknown: true,
			replayable: false,
		},
	});
});

test('the summary counts what the rows say, also if two jobs have a row', async () => {
	const anyRow = { ...part(0, Number.POSITIVE_INFINITY, 1), run: undefined };
	const jobs = [
		{ status: 'Completed', files: [{ numbers: [1, 2] }] },
		{ status: 'Completed', files: [{ numbers: [4] }] },
	];
	const outcome = await readImport([part(0, 3, 0), anyRow], jobs, 4);
	const statuses = [0, 1, 2, 3].map((position) => outcome.resultAt(position)?.status);
	expect(statuses).toEqual(['imported', 'imported', 'missing', 'imported']);
	expect(outcome.counts).toMatchObject({ imported: 3, missing: 1, unknown: 0 });
});

test('a job that failed does not hide another one for the same rows', async () => {
	const jobs = [
		{ status: 'Error', files: [] },
		{ status: 'Completed', files: [{ numbers: [1, 2], isGone: true }] },
	];
	const outcome = await readImport([part(0, 2, 0), part(0, 2, 1)], jobs, 2);
	expect([0, 1].map((position) => outcome.statusAt(position))).toEqual(['unknown', 'unknown']);
});

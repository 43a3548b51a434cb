import { Readable } from 'node:stream';

import { readResultFile, downloadResultFile } from '../../../nodes/shared/execution/importResults';
import type { ResultRow } from '../../../nodes/shared/importFile/resultFile';
import type { ResultFile } from '../../../nodes/shared/service/importJobRecord';
import type { NativeService } from '../../../nodes/shared/service/nativeService';
import { CallCancelled } from '../../../nodes/shared/transport/cancellation';
import { type ScriptedResponse, errorOf, scriptedService } from '../service/scriptedService';

const file = {
	url: 'https://results.example.net/a.csv?sig=secret',
	dateExpired: '2999-02-03T04:05:06.7000000-05:00',
};
const text =
	'BulkUploadDataID,ULFileID,PrimaryKey,PrimaryKeyType,CrmId,Phones_1\n1,6,1001,NativeID,c-1,Processed\n';
const good: ScriptedResponse = { status: 200, body: text };
const lost: ScriptedResponse = Object.assign(new Error('x'), { code: 'ECONNRESET' });

async function allRows(
	service: NativeService,
	from: ResultFile,
	fileNumber: number,
	included: string[],
): Promise<ResultRow[]> {
	return await readResultFile(service, from, fileNumber, { included }, (row) => row);
}

async function read(response: (position: number) => ScriptedResponse, from = file) {
	const { service, clock, downloads } = scriptedService((_, position) => response(position));
	const outcome = await clock.runUntil(
		allRows(service, from, 2, ['CrmId']).catch((error: unknown) => error),
	);
	return { outcome, downloads };
}

test('the rows of a result file are read', async () => {
	const { outcome } = await read(() => good);
	expect(outcome).toMatchObject([
		{ row: 1, primaryKey: 1001, columns: { CrmId: 'c-1' }, outcomes: { Phones_1: 'Processed' } },
	]);
});

test.each<[string, ScriptedResponse]>([
	['a lost connection', lost],
	['a failure of the storage', { status: 503, body: '' }],
])('the download begins again after %s', async (_, fault) => {
	const { outcome, downloads } = await read((position) => (position < 2 ? fault : good));
	expect(outcome).toHaveLength(1);
	expect(downloads).toHaveLength(3);
	expect(downloads[2]?.at).toBeGreaterThanOrEqual(350 + 700);
});

test('a download that fails again and again says that the import itself is done', async () => {
	const { outcome, downloads } = await read(() => lost);
	expect(downloads).toHaveLength(6);
	expect(outcome).toMatchObject({
		message:
			'Result file 2 could not be downloaded: the connection broke before the response was complete',
		details: {
			replayable: true,
			outcomeUnknown: false,
			description: expect.stringContaining('do not import the rows again'),
		},
	});
	expect(JSON.stringify(outcome)).not.toContain('secret');
});

async function* brokenBody(): AsyncGenerator<Buffer> {
	yield await Promise.resolve(Buffer.from(text));
	throw lost as Error;
}

describe('200 files of a storage that fails', () => {
	const readAll = async (responses: (position: number) => ScriptedResponse, changes = {}) => {
		const scripted = scriptedService((_, position) => responses(position), changes);
		let failed = 0;
		for (let fileNumber = 1; fileNumber <= 200; fileNumber++) {
			const reading = errorOf(allRows(scripted.service, file, fileNumber, []));
			if ((await scripted.clock.runUntil(reading)) !== 'no error') failed++;
		}
		return { ...scripted, failed };
	};

	test.each<[string, ScriptedResponse]>([
		['cannot be reached', lost],
		['rejects requests', { status: 503, body: '' }],
	])('are given up within two minutes: it %s', async (_, fault) => {
		const { clock, downloads } = await readAll(() => fault);
		expect(downloads).toHaveLength(5 * 6 + 195);
		expect(clock.now()).toBeLessThan(120_000);
	});

	test('are given up within two minutes: each download breaks off', async () => {
		let opened = 0;
		const anonymousSender = async () => {
			opened++;
			const body = Readable.from(brokenBody());
			return await Promise.resolve({ statusCode: 200, headers: {}, body });
		};
		const { clock } = await readAll(() => lost, { anonymousSender });
		expect(opened).toBe(5 * 6 + 195);
		expect(clock.now()).toBeLessThan(120_000);
	});

	test('are tried as often as usual once one of them could be read', async () => {
		const { downloads, failed } = await readAll((position) =>
			position < 32 || position === 40 ? lost : good,
		);
		expect(failed).toBe(7);
		expect(downloads).toHaveLength(32 + 193 + 1);
	});
});

test('a link that has ended is not opened', async () => {
	const ended = { ...file, dateExpired: '2020-02-03T04:05:06.7000000-05:00' };
	const { outcome, downloads } = await read(() => good, ended);
	expect(outcome).toMatchObject({
		message: `Result file 2 is no longer available: its link expired at ${ended.dateExpired}`,
		details: { description: expect.stringContaining('do not import the rows again') },
	});
	expect(downloads).toEqual([]);
});

test.each(['', 'soon'])('a link with the end "%s" is opened', async (dateExpired) => {
	const { outcome } = await read(() => good, { ...file, dateExpired });
	expect(outcome).toHaveLength(1);
});

const readAgain =
	'Do not import the rows again. Read the results again later. If that does not help, ask the service operator.';

test.each([
	[
		'<html>Sorry</html>',
		'It is a web page. A login page or a proxy may stand between n8n and the file.',
	],
	['Sorry,1', 'It begins with: Sorry,1.'],
	['', 'It is empty.'],
])('a file with the content "%s" is not a result file', async (body, description) => {
	const { outcome, downloads } = await read(() => ({ status: 200, body }));
	expect(outcome).toMatchObject({
		message: 'Result file 2 is not a result file',
		details: { description: `${description} ${readAgain}` },
	});
	expect(downloads).toHaveLength(1);
});

test.each<[string, string | Buffer, string]>([
	['a zip archive', `PK\x03\x04\x14\0\0\0\0\0${text}`, 'it is a zip archive or a spreadsheet'],
	[
		'without a line end',
		`${text.slice(0, 40)}${'x'.repeat(9_000_000)}`,
		'it has a line of more than 8 million characters',
	],
])('a file that is %s is an error, and read once', async (_, body, problem) => {
	const { outcome, downloads } = await read(() => ({ status: 200, body: String(body) }));
	expect(outcome).toMatchObject({
		message: `Result file 2 cannot be read: ${problem}`,
		details: {
			description: expect.stringContaining('do not import the rows again') as string,
			replayable: true,
			outcomeUnknown: false,
		},
	});
	expect(downloads).toHaveLength(1);
});

test('a file that is larger than asked for is an error, not a full memory', async () => {
	const { service, clock, downloads } = scriptedService(() => good);
	expect((await downloadResultFile(service, file, 1, text.length)).length).toBe(text.length);
	expect(await clock.runUntil(errorOf(downloadResultFile(service, file, 1, 50)))).toMatchObject({
		message: 'Result file 1 is larger than 0.00005 MB',
		details: { description: expect.stringContaining('Raise Max File Size (MB)') as string },
	});
	expect(downloads).toHaveLength(2);
});

test('cancelling ends the attempts', async () => {
	const cancel = new AbortController();
	const { service, clock, downloads } = scriptedService(() => lost, { signal: cancel.signal });
	const reading = errorOf(allRows(service, file, 1, []));
	await clock.advance(100);
	cancel.abort();
	expect(await clock.runUntil(reading)).toBeInstanceOf(CallCancelled);
	expect(clock.now()).toBeLessThan(1000);
	expect(downloads).toHaveLength(1);
});

test('rows are handed out while the file arrives, and again in any order when the download begins again', async () => {
	const header = 'BulkUploadDataID,ULFileID,PrimaryKey,PrimaryKeyType,Phones_1\n';
	const rows = Array.from({ length: 9 }, (_, row) => `${row + 1},6,1,NativeID,Processed\n`);
	let attempts = 0;
	async function* body(): AsyncGenerator<Buffer> {
		const attempt = ++attempts;
		const ordered = attempt === 1 ? rows : [...rows].reverse();
		yield Buffer.from(header + ordered.slice(0, 4).join(''));
		yield Buffer.from(ordered.slice(4, 7).join(''));
		if (attempt < 3) throw lost as Error;
		yield await Promise.resolve(Buffer.from(ordered.slice(7).join('')));
	}
	const { service, clock } = scriptedService(() => good, {
		anonymousSender: async () =>
			await Promise.resolve({ statusCode: 200, headers: {}, body: Readable.from(body()) }),
	});
	const seen: Array<number | string | null> = [];
	const known = { included: [], labels: ['Phones_1'] };
	const whole = await clock.runUntil(
		readResultFile(service, file, 1, known, ({ row }) => {
			seen.push(row);
			return row;
		}),
	);
	// The last row that arrived may be cut: it waits for what follows.
	expect(seen.join(' ')).toBe('1 2 3 4 5 6 9 8 7 6 5 4 9 8 7 6 5 4 3 2 1');
	expect(whole).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1]);
});

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JobTiming } from '../../../sandbox/bulkImport/bulkImportService';
import { readImportFile } from '../../../sandbox/bulkImport/importFile';
import type { ResultShape } from '../../../sandbox/bulkImport/jobFault';
import type { FileRequest } from '../../../sandbox/bulkImport/jobRequestSchema';
import type { PublishedFile } from '../../../sandbox/bulkImport/resultFile';
import { RequestRejected } from '../../../sandbox/wire/requestRejected';
import { BulkImportHarness, type ImportInput } from './bulkImportHarness';
import { zipOf } from './bulkImportZip';

let harness = new BulkImportHarness();

afterEach(() => harness.service.close());

const EMAILS: ImportInput = {
	content: '1001,a@example.org\n1002,b@example.org',
	columns: ['NativeId', 'Email'],
	mappingTypes: [{ name: 'Email', resultFileColumnName: 'Result' }],
};

function timing(changes: Partial<JobTiming>): JobTiming {
	return { pendingMs: 0, rowsPerSecond: Infinity, minimumMs: 0, ...changes };
}

describe('the job record', () => {
	it('has the fields of the deployment and names its result files at the end', async () => {
		harness = new BulkImportHarness();
		const { record } = await harness.run(EMAILS);
		expect(record).toEqual({
			id: 1,
			status: 'Completed',
			resourceType: 'Contacts',
			resultFileSizeLimitKb: 5000,
			errors: [],
			resultFiles: [
				{
					url: 'https://results.example.org/0.csv',
					dateExpired: '2026-02-03T04:05:06.7000000-05:00',
				},
			],
			webhookUrl: null,
		});
		expect(harness.service.jobs()).toEqual([record]);
	});

	it('goes from Pending through InProgress to Completed', async () => {
		harness = new BulkImportHarness({ timing: timing({ pendingMs: 40, minimumMs: 40 }) });
		await harness.run(EMAILS);
		expect(harness.statuses).toEqual(['Pending', 'InProgress', 'Completed']);
	});

	it('shows errors while the job is in progress', async () => {
		harness = new BulkImportHarness({ timing: timing({ rowsPerSecond: 10 }) });
		const jobId = await harness.create({ ...EMAILS, content: '1001,nonsense\n1002,b@example.org' });
		while (harness.service.job(jobId)?.status !== 'InProgressWithErrors') await nextTurn();
		expect((await harness.end(jobId)).status).toBe('CompletedWithErrors');
	});

	it('takes no more rows per second than the timing says', async () => {
		harness = new BulkImportHarness({ timing: timing({ rowsPerSecond: 100 }) });
		const startedAt = Date.now();
		const rows = Array.from({ length: 20 }, (_row, index) => `1001,p${index}@example.org`);
		await harness.run({ ...EMAILS, content: rows.join('\n') });
		expect(Date.now() - startedAt).toBeGreaterThanOrEqual(190);
	});

	it('cannot be read before its time', async () => {
		let now = 1_000_000;
		harness = new BulkImportHarness({
			timing: timing({ readableAfterMs: 500 }),
			clock: () => now,
		});
		const jobId = await harness.create(EMAILS);
		expect(harness.service.job(jobId)).toBeUndefined();
		expect(harness.service.jobs()).toEqual([]);
		now += 500;
		expect(harness.service.job(jobId)).toMatchObject({ id: jobId });
	});

	it('is a copy that cannot change the job', async () => {
		harness = new BulkImportHarness();
		const { record } = await harness.run(EMAILS);
		record.errors.push({ code: 'X', text: 'x', referenceCode: 'x' });
		expect(harness.service.job(record.id)?.errors).toEqual([]);
	});

	it('does not exist for a rejected body', () => {
		harness = new BulkImportHarness();
		expect(() => harness.service.create({})).toThrow(RequestRejected);
		expect(harness.service.jobs()).toEqual([]);
	});

	it('stays as it is when the service is closed', async () => {
		harness = new BulkImportHarness({ timing: timing({ pendingMs: 20 }) });
		const jobId = await harness.create(EMAILS);
		harness.service.close();
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(harness.service.job(jobId)?.status).toBe('Pending');
		expect(harness.person(1001).emails).toHaveLength(1);
	});
});

describe('planned failures', () => {
	it('ends a job as Failed with the given text and imports nothing', async () => {
		harness = new BulkImportHarness({
			nextFault: () => ({ kind: 'fail', text: 'Out of order' }),
		});
		const { record } = await harness.run(EMAILS);
		expect(record).toMatchObject({
			status: 'Failed',
			resultFiles: null,
			errors: [{ text: 'Out of order' }],
		});
		expect(harness.person(1001).emails).toHaveLength(1);
	});

	it('leaves a job in progress', async () => {
		harness = new BulkImportHarness({ nextFault: () => ({ kind: 'neverEnds' }) });
		const jobId = await harness.create(EMAILS);
		await new Promise((resolve) => setTimeout(resolve, 30));
		expect(harness.service.job(jobId)?.status).toBe('InProgress');
	});

	it('leaves rows out of the result file that went in', async () => {
		harness = new BulkImportHarness({ nextFault: () => ({ kind: 'results', omitRows: [1] }) });
		const { rows } = await harness.run(EMAILS);
		expect(rows.map((row) => row.BulkUploadDataID)).toEqual(['2']);
		expect(harness.person(1001).emails).toHaveLength(2);
	});

	it('offers no result files', async () => {
		harness = new BulkImportHarness({ nextFault: () => ({ kind: 'results', files: 0 }) });
		const { record } = await harness.run(EMAILS);
		expect(record).toMatchObject({ status: 'Completed', resultFiles: null });
	});

	it('ends a job under another word', async () => {
		harness = new BulkImportHarness({
			nextFault: () => ({ kind: 'endsAs', status: 'Complete' }),
		});
		const { record } = await harness.run(EMAILS);
		expect(record).toMatchObject({ status: 'Complete', resultFiles: [{}] });
	});

	it('apply to one job each', async () => {
		const planned = [{ kind: 'fail', text: 'Once' } as const];
		harness = new BulkImportHarness({ nextFault: () => planned.shift() ?? null });
		expect((await harness.run(EMAILS)).record.status).toBe('Failed');
		expect((await harness.run(EMAILS)).record.status).toBe('Completed');
	});
});

describe('the file', () => {
	beforeEach(() => {
		harness = new BulkImportHarness();
	});

	const salutations = (
		content: string | Uint8Array,
		file: Record<string, unknown> = {},
	): ImportInput => ({
		content,
		columns: ['NativeId', 'Salutation', 'EnvelopeName'],
		mappingTypes: [{ name: 'Salutations', resultFileColumnName: 'Result' }],
		file,
	});

	it.each([
		[undefined, ','],
		['csv', ','],
		['Tab', '\t'],
		['PIPE', '|'],
	])('is split by the declared delimiter %s', async (columnDelimiter, delimiter) => {
		const content = ['1001', 'Dear', 'Zoë'].join(delimiter);
		await harness.run(salutations(content, columnDelimiter ? { columnDelimiter } : {}));
		expect(harness.person(1001).fields).toMatchObject({ salutation: 'Dear', envelopeName: 'Zoë' });
	});

	it('loses its first line when it has a header', async () => {
		const content = 'any,thing,here\r\n1001,Dear,You\r\n';
		const { rows } = await harness.run(salutations(content, { hasHeader: true }));
		expect(rows).toMatchObject([{ BulkUploadDataID: '1', PrimaryKey: '1001' }]);
	});

	it('may quote delimiters, quotes and line breaks when it says so', async () => {
		const content = '"1001","Dear, ""friend""","two\nlines"';
		await harness.run(salutations(content, { hasQuotes: true }));
		expect(harness.person(1001).fields).toMatchObject({
			salutation: 'Dear, "friend"',
			envelopeName: 'two\nlines',
		});
	});

	it('has literal quotes otherwise, and a delimiter in a value shifts the columns', async () => {
		const { record, rows } = await harness.run(
			salutations('1001,"Dear",You\n1002,"Dear, friend",You'),
		);
		expect(harness.person(1001).fields.salutation).toBe('"Dear"');
		expect(harness.person(1002).fields.salutation).toBeUndefined();
		expect(record.status).toBe('CompletedWithErrors');
		expect(rows.map((row) => row.BulkUploadDataID)).toEqual(['1']);
	});

	it('may begin with a byte order mark', async () => {
		const { rows } = await harness.run(salutations('\uFEFF1001,Dear,You'));
		expect(rows).toMatchObject([{ PrimaryKey: '1001' }]);
	});

	it.each<[string, Partial<ImportInput> | Promise<Partial<ImportInput>>, RegExp]>([
		['no zip archive', { archive: Buffer.from('1001,Dear,You') }, /not a readable zip archive/],
		['an archive over 20 MB', { archive: Buffer.alloc(20_000_001) }, /larger than 20 MB/],
		['an archive of 20 MB', { archive: Buffer.alloc(20_000_000) }, /not a readable zip archive/],
		[
			'an archive without the named file',
			zipOf({ 'other.csv': 'x' }).then((archive) => ({ archive })),
			/does not contain 'people.csv'/,
		],
		['another encoding', { content: Uint8Array.of(0x31, 0xe9) }, /not encoded in UTF-8/],
		['no rows', { content: '' }, /no rows/],
		[
			'a quote that is never closed',
			{ content: '1001,"Dear,You', file: { hasQuotes: true } },
			/not delimited/,
		],
		['only rows of other widths', { content: '1001\n1002' }, /2 rows do not have the declared/],
		[
			'a source that does not answer',
			{ file: { sourceUrl: 'https://nowhere.example.org/x' } },
			/could not be fetched/,
		],
		['only rows that are rejected', { content: '9,Dear,You' }, /Row 1: No person found/],
	])('with %s fails the job', async (_what, changes, text) => {
		const { record } = await harness.run({ ...salutations('1001,Dear,You'), ...(await changes) });
		expect(record).toMatchObject({ status: 'Failed', resultFiles: null });
		expect(record.errors).toHaveLength(1);
		expect(record.errors[0]?.text).toMatch(text);
	});

	it.each([
		[100_000_000, /not a readable zip archive/],
		[100_000_001, /larger than 100 MB/],
	])('may have 100 MB where the deployment takes as much: %i bytes', async (bytes, text) => {
		harness = new BulkImportHarness({ maxZipMegabytes: () => 100 });
		const archive = Buffer.alloc(bytes);
		const { record } = await harness.run({ ...salutations('1001,Dear,You'), archive });
		expect(record.errors[0]?.text).toMatch(text);
	});
});

describe('result files', () => {
	beforeEach(() => {
		harness = new BulkImportHarness();
	});

	it('have the columns of the deployment in order', async () => {
		const { files } = await harness.run({
			content: '1001,a@example.org,"x, y"\n9,b@example.org,z',
			columns: ['NativeId', 'Email', 'Key'],
			file: { hasQuotes: true },
			include: ['key'],
			mappingTypes: [{ name: 'Email' }, { name: 'Email', resultFileColumnName: 'Again' }],
		});
		expect(files).toEqual([
			[
				'BulkUploadDataID,ULFileID,PrimaryKey,PrimaryKeyType,key,Email_1001,Again',
				'1,6001,1001,NativeID,"x, y",Processed,Processed',
				'2,6001,,,z,No person found,No person found',
				'',
			].join('\n'),
		]);
	});

	it('are as many as the size limit makes necessary, with every row once', async () => {
		const rows = Array.from(
			{ length: 100 },
			(_row, index) => `1001,p${index}@example.org,ключ${index}`,
		);
		const { files, rows: results } = await harness.run({
			...EMAILS,
			content: rows.join('\n'),
			columns: ['NativeId', 'Email', 'Key'],
			include: ['Key'],
			resultFileSizeKbLimit: 1,
		});
		expect(files.length).toBeGreaterThan(3);
		for (const file of files) {
			expect(Buffer.byteLength(file)).toBeLessThanOrEqual(1000);
			expect(file).toMatch(/^BulkUploadDataID,/);
		}
		const numbers = results.map((row) => Number(row.BulkUploadDataID));
		expect(numbers[0]).not.toBe(1);
		expect([...numbers].sort((a, b) => a - b)).toEqual(rows.map((_row, index) => index + 1));
		expect(results.every((row) => row.Key === `ключ${Number(row.BulkUploadDataID) - 1}`)).toBe(
			true,
		);
	});
});

describe('result files of another shape', () => {
	const content = Array.from({ length: 10 }, (_, index) => `1001,p${index}@example.org`).join('\n');
	const run = async (shape: ResultShape) => {
		const published: PublishedFile[] = [];
		harness = new BulkImportHarness({
			nextFault: () => ({ kind: 'results', ...shape }),
			publishResultFile: (file) => {
				published.push(file);
				return { url: String(published.length), dateExpired: '' };
			},
		});
		await harness.run({ ...EMAILS, content, columns: ['NativeId', 'Email'] });
		return published;
	};
	const numbers = (content: Buffer | undefined) =>
		String(content)
			.trim()
			.split('\n')
			.slice(1)
			.map((line) => Number(line.split(',')[0]));
	const ordered = Array.from({ length: 10 }, (_, index) => index + 1);

	it('split the rows over several files', async () => {
		const files = await run({ files: 3 });
		expect(files.map(({ contents: [first] }) => numbers(first))).toEqual([
			[1, 2, 3, 4],
			[5, 6, 7, 8],
			[9, 10],
		]);
		expect(
			(await run({ files: 12 })).map(({ contents: [first] }) => numbers(first)).at(-1),
		).toEqual([]);
	});

	it('shuffle the rows the same way for the same seed, every row once', async () => {
		const importShuffled = async (shuffle: number) =>
			(await run({ files: 2, shuffle })).flatMap(({ contents: [first] }) => numbers(first));
		const rows = await importShuffled(7);
		expect(rows).not.toEqual(ordered);
		expect(rows.toSorted((a, b) => a - b)).toEqual(ordered);
		expect(await importShuffled(7)).toEqual(rows);
		expect(await importShuffled(8)).not.toEqual(rows);
	});

	it('leave out rows, have more columns, and come in another order the second time', async () => {
		const [file] = await run({ omitRows: [2], extraColumns: ['Note'], reversedAgain: true });
		const [first, second] = file?.contents ?? [];
		expect(String(first).split('\n')[0]).toMatch(/,Note$/);
		expect(numbers(first)).toEqual(ordered.filter((row) => row !== 2));
		expect(numbers(second)).toEqual(numbers(first).toReversed());
	});

	it('are missing, expired or cut', async () => {
		const files = await run({ files: 3, missing: [1], expired: [2], cut: { file: 3, bytes: 5 } });
		expect(files.map(({ link }) => link)).toEqual(['missing', 'expired', 'works']);
		expect(String(files[2]?.contents[0])).toBe('BulkU');
	});

	it.each(['utf8Bom', 'utf16le', 'utf16be'] as const)('are encoded as %s', async (encoding) => {
		const [file] = await run({ encoding });
		const decoder = new TextDecoder(
			encoding === 'utf8Bom' ? 'utf-8' : encoding.replace('utf16', 'utf-16'),
			{
				ignoreBOM: true,
			},
		);
		expect(decoder.decode(file?.contents[0])).toMatch(/^\uFEFFBulkUploadDataID,/);
	});

	it('are zipped', async () => {
		const [file] = await run({ zipped: true });
		const rows = await readImportFile(
			file?.contents[0] ?? Buffer.alloc(0),
			{ fileName: 'results.csv', hasHeader: true, columnDelimiter: 'CSV' } as FileRequest,
			20,
			AbortSignal.timeout(10_000),
		);
		expect(rows.map(([number]) => Number(number))).toEqual(ordered);
	});

	it('are none', async () => {
		expect(await run({ files: 0 })).toEqual([]);
	});
});

describe('100,000 rows', () => {
	it('are imported while other work gets its turn', async () => {
		harness = new BulkImportHarness();
		const rows = Array.from(
			{ length: 100_000 },
			(_row, index) => `First${index},Last${index},p${index}@example.org,K-${index}`,
		);
		const jobId = await harness.create({
			content: rows.join('\n'),
			columns: ['FirstName', 'LastName', 'Email', 'Crm'],
			include: ['Crm'],
			mappingTypes: [
				{ name: 'CreateOrUpdateContact' },
				{
					name: 'ApplyExternalID',
					fieldValueMappings: [
						{ fieldName: 'ExternalIdTypeID', staticValue: '1' },
						{ fieldName: 'ExternalId', columnName: 'Crm' },
					],
				},
			],
		});
		let turns = 0;
		for (; harness.service.job(jobId)?.status !== 'Completed'; turns++) await nextTurn();
		expect(harness.store.people.size).toBe(100_002);
		expect(turns).toBeGreaterThan(100);
	}, 180_000);
});

import { parse } from 'csv-parse/sync';
import { setTimeout as sleep } from 'node:timers/promises';
import {
	BulkImportService,
	type BulkImportOptions,
	type JobRecord,
} from '../../../sandbox/bulkImport/bulkImportService';
import type { TenantStore } from '../../../sandbox/store/tenantStore';
import { vocabularyOf } from '../../../sandbox/wire/vocabulary';
import { bulkImportTenant } from './bulkImportTenant';
import { zipOf } from './bulkImportZip';

export interface ImportInput {
	/** Content of the delimited file, without a header unless the file properties say so. */
	content: string | Uint8Array;
	columns: string[];
	mappingTypes: unknown[];
	resourceType?: string;
	include?: string[];
	file?: Record<string, unknown>;
	resultFileSizeKbLimit?: number;
	/** In place of a zip archive of the content. */
	archive?: Buffer;
}

interface ImportOutput {
	record: JobRecord;
	/** Rows of all result files, by column name, in the order of the files. */
	rows: Array<Record<string, string>>;
	files: string[];
}

const RUNNING = ['Pending', 'InProgress', 'InProgressWithErrors'];

/** One service with its tenant, whose jobs run at once unless a test asks for another timing. */
export class BulkImportHarness {
	readonly store: TenantStore = bulkImportTenant();
	readonly service: BulkImportService;
	/** Every status a job was seen in by `run`, without repetitions. */
	readonly statuses: string[] = [];
	private readonly files = new Map<string, string>();
	private readonly archives = new Map<string, Buffer>();

	constructor(options: Partial<BulkImportOptions> = {}, word: 'Native' | 'Van' = 'Native') {
		this.service = new BulkImportService({
			store: this.store,
			vocabulary: vocabularyOf(word),
			fetchFile: async (sourceUrl) => {
				const archive = this.archives.get(sourceUrl);
				if (!archive) throw new Error(`Nothing at ${sourceUrl}`);
				return archive;
			},
			publishResultFile: ({ contents: [content] }) => {
				const url = `https://results.example.org/${this.files.size}.csv`;
				this.files.set(url, String(content));
				return { url, dateExpired: '2026-02-03T04:05:06.7000000-05:00' };
			},
			timing: { pendingMs: 0, rowsPerSecond: Infinity, minimumMs: 0 },
			clock: Date.now,
			nextFault: () => null,
			minResultFileSizeKb: 1,
			...options,
		});
	}

	async create(input: ImportInput): Promise<number> {
		const sourceUrl = `https://user:secret@files.example.org/${this.archives.size}.zip`;
		const archive = input.archive ?? (await zipOf({ 'people.csv': input.content }));
		this.archives.set(sourceUrl, archive);
		const { jobId } = this.service.create({
			description: 'Test import',
			file: {
				fileName: 'people.csv',
				sourceUrl,
				columns: input.columns.map((name) => ({ name })),
				...input.file,
			},
			actions: [
				{
					actionType: 'loadMappedFile',
					resourceType: input.resourceType ?? 'Contacts',
					resultFileSizeKbLimit: input.resultFileSizeKbLimit ?? 5000,
					mappingTypes: input.mappingTypes,
					...(input.include && {
						columnsToIncludeInResultsFile: input.include.map((name) => ({ name })),
					}),
				},
			],
		});
		return jobId;
	}

	/** Waits for the end of a job. */
	async end(jobId: number): Promise<JobRecord> {
		for (;;) {
			const record = this.service.job(jobId);
			if (record && record.status !== this.statuses.at(-1)) this.statuses.push(record.status);
			if (record && !RUNNING.includes(record.status)) return record;
			await sleep(2);
		}
	}

	async run(input: ImportInput): Promise<ImportOutput> {
		const record = await this.end(await this.create(input));
		const files = (record.resultFiles ?? []).map((file) => this.files.get(file.url) ?? '');
		const rows = files.flatMap(
			(content): Array<Record<string, string>> => parse(content, { columns: true }),
		);
		return { record, rows, files };
	}

	person(nativeId: number) {
		const person = this.store.people.get(nativeId);
		if (!person) throw new Error(`No person ${nativeId}`);
		return person;
	}
}

import { parse } from 'csv-parse/sync';
import { stringify } from 'csv-stringify/sync';
import { inflateRawSync } from 'node:zlib';
import { z } from 'zod';

import type { VirtualWorld } from './virtualWorld';

const SECOND = 1000;
const MINUTE = 60 * SECOND;

/** How a job goes. `results…`: its rows are imported, but the result files tell less. */
const FATES = [
	'completes',
	'fails',
	'neverEnds',
	'resultsAreGone',
	'resultsOmitARow',
	'resultsRepeatARow',
	'resultsInTwoFiles',
] as const;
export type Fate = (typeof FATES)[number];
const ODD_FATES = FATES.slice(1) as [Fate, ...Fate[]];

interface ServiceHabits {
	/** Share of jobs with another fate than to complete. */
	oddities: number;
	/** Whether records of jobs have the description. */
	showsDescriptions: boolean;
	/** Whether the list of jobs has their status. */
	listsStatus: boolean;
	longestJobMs: number;
}

const jobSchema = z.object({
	description: z.string(),
	file: z.object({
		fileName: z.string(),
		sourceUrl: z.string(),
		columns: z.array(z.object({ name: z.string() })),
	}),
	actions: z
		.array(
			z.object({
				columnsToIncludeInResultsFile: z.array(z.object({ name: z.string() })),
				mappingTypes: z
					.array(
						z.object({
							name: z.string(),
							resultFileColumnName: z.string().optional(),
							fieldValueMappings: z.array(
								z.object({ fieldName: z.string(), columnName: z.string().optional() }),
							),
						}),
					)
					.length(1),
			}),
		)
		.length(1),
	listeners: z.array(z.object({ type: z.string(), value: z.string() })).optional(),
});

/** A row of a file as the service sees it. */
interface ServiceRow {
	/** The first name, which tells the rows of a life apart. */
	name: string;
	isAccepted: boolean;
	included: string[];
}

export interface ServiceJob {
	id: number;
	description: string;
	fate: Fate;
	listedAt: number;
	readableAt: number;
	endsAt: number;
	rows: ServiceRow[];
	includedColumns: string[];
	label: string;
	/** Links that n8n gave, to call when the job ends. */
	listeners: string[];
}

/** The delimited file in a zip archive of one file. */
function unzip(archive: Buffer): { name: string; text: string } {
	const nameLength = archive.readUInt16LE(26);
	const data = 30 + nameLength + archive.readUInt16LE(28);
	const content = archive.subarray(data, data + archive.readUInt32LE(18));
	return {
		name: archive.toString('utf8', 30, 30 + nameLength),
		text: inflateRawSync(content).toString('utf8'),
	};
}

export interface ServiceResponse {
	status: number;
	body: string;
	type?: string;
}

const json = (body: unknown, status = 200): ServiceResponse => ({
	status,
	body: JSON.stringify(body),
	type: 'application/json',
});

const DESCRIBED_FIELDS = ['FirstName', 'LastName', 'Email'].map((name) => ({
	name,
	description: '',
	hasPredefinedValues: false,
	isRequired: false,
	canBeMappedToColumn: true,
}));

/** The service and the storage of one life. Keeps what it really did with each row. */
export class VirtualService {
	readonly jobs: ServiceJob[] = [];
	private readonly files = new Map<string, Buffer>();

	constructor(
		private readonly world: VirtualWorld,
		private readonly habits: ServiceHabits,
	) {}

	handle(method: string, url: URL, body: unknown): ServiceResponse {
		const path = url.pathname.replace(/^\/v2/, '');
		if (url.hostname === 'storage.example.org') return this.store(method, path, body);
		if (url.hostname === 'results.example.org') return this.resultFile(path);
		if (method === 'POST' && path === '/bulkImportJobs') return this.start(String(body));
		if (path === '/bulkImportJobs') return this.list();
		const [, id] = /^\/bulkImportJobs\/(\d+)$/.exec(path) ?? [];
		if (id !== undefined) return this.record(Number(id));
		if (path === '/bulkImportMappingTypes/CreateOrUpdateContact') {
			const name = 'CreateOrUpdateContact';
			return json({ name, resourceTypes: ['Contacts'], fields: DESCRIBED_FIELDS });
		}
		return json({ errors: [{ code: 'NOT_FOUND', text: `There is no ${path}.` }] }, 404);
	}

	/** Jobs that import or have imported a row. */
	jobsWith(name: string): ServiceJob[] {
		return this.jobs.filter(
			({ fate, rows }) => fate !== 'fails' && rows.some((row) => row.name === name),
		);
	}

	hasEnded({ fate, endsAt }: ServiceJob): boolean {
		return fate !== 'neverEnds' && this.world.now() >= endsAt;
	}

	/** The service sees the latest job only now: its request was on the way for long. */
	delayLatestJob(ms: number): void {
		const job = this.jobs.at(-1);
		if (job) job.readableAt = job.listedAt = this.world.now() + ms;
	}

	private store(method: string, path: string, body: unknown): ServiceResponse {
		if (method !== 'PUT' || !Buffer.isBuffer(body)) return json({}, 405);
		this.files.set(path, Buffer.from(body));
		return { status: 200, body: '' };
	}

	private start(text: string): ServiceResponse {
		const parsed = jobSchema.safeParse(JSON.parse(text));
		if (!parsed.success) return json({ errors: [{ code: 'INVALID', text: 'The job' }] }, 400);
		const { description, file, actions, listeners = [] } = parsed.data;
		const [action] = actions;
		const [mappingType] = action?.mappingTypes ?? [];
		if (!action || !mappingType)
			throw new Error('The schema has let a job without an action pass.');
		const { world, habits } = this;
		const columns = file.columns.map(({ name }) => name);
		const columnOf = (field: string): number => {
			const mapping = mappingType.fieldValueMappings.find(({ fieldName }) => fieldName === field);
			return columns.indexOf(mapping?.columnName ?? field);
		};
		const included = action.columnsToIncludeInResultsFile.map(({ name }) => name);
		const job: ServiceJob = {
			id: 90_001 + this.jobs.length,
			description,
			fate: world.chance(habits.oddities) ? world.pick(ODD_FATES) : 'completes',
			listedAt: world.now(),
			readableAt: world.now() + world.whole(0, 20) * SECOND,
			endsAt: world.now() + 2 * SECOND + world.random() ** 3 * habits.longestJobMs,
			rows: this.readRows(file.sourceUrl, file.fileName).map((cells) => ({
				name: cells[columnOf('FirstName')] ?? '',
				isAccepted: cells[columnOf('Email')]?.includes('..') === false,
				included: included.map((name) => cells[columns.indexOf(name)] ?? ''),
			})),
			includedColumns: included,
			label: mappingType.resultFileColumnName ?? `${mappingType.name}_1`,
			listeners: listeners.map(({ value }) => value),
		};
		if (job.rows.length === 0) job.fate = 'fails';
		this.jobs.push(job);
		return json({ jobId: job.id });
	}

	private readRows(sourceUrl: string, fileName: string): string[][] {
		const archive = this.files.get(new URL(sourceUrl).pathname);
		const { name, text } = archive ? unzip(archive) : { name: '', text: '' };
		return name === fileName ? parse(text, { from: 2, skip_empty_lines: true }) : [];
	}

	private recordOf(job: ServiceJob): object {
		const { id, fate, description, rows } = job;
		const hasEnded = this.hasEnded(job);
		const isGood = fate !== 'resultsOmitARow' && rows.every(({ isAccepted }) => isAccepted);
		const ended = fate === 'fails' ? 'Failed' : isGood ? 'Completed' : 'CompletedWithErrors';
		const dateExpired = new Date(job.endsAt + 24 * 60 * MINUTE).toISOString();
		const files = fate === 'resultsInTwoFiles' ? [1, 2] : [1];
		return {
			id,
			status: hasEnded ? ended : 'InProgress',
			resourceType: 'Contacts',
			errors: hasEnded && fate === 'fails' ? [{ code: 'INVALID_FILE', text: 'No file.' }] : [],
			resultFiles:
				hasEnded && fate !== 'fails'
					? files.map((file) => ({
							url: `https://results.example.org/${id}/${file}.csv`,
							dateExpired,
						}))
					: null,
			...(this.habits.showsDescriptions && { description }),
		};
	}

	private record(id: number): ServiceResponse {
		const job = this.jobs.find((each) => each.id === id);
		return job && this.world.now() >= job.readableAt
			? json(this.recordOf(job))
			: json({ errors: [{ code: 'NOT_FOUND', text: 'No job.' }] }, 404);
	}

	private list(): ServiceResponse {
		const listed = this.jobs.filter(({ listedAt }) => listedAt <= this.world.now());
		const hidden = this.habits.listsStatus ? {} : { status: undefined };
		const items = listed.map((job) => ({ ...this.recordOf(job), ...hidden }));
		return json({ items, count: items.length, nextPageLink: null });
	}

	private resultFile(path: string): ServiceResponse {
		const [, id, file] = /^\/(\d+)\/(\d)\.csv$/.exec(path) ?? [];
		const job = this.jobs.find((each) => each.id === Number(id));
		if (!job || job.fate === 'resultsAreGone') return { status: 404, body: 'Not found' };
		const lines = job.rows.map(({ isAccepted, included }, index) => [
			String(index + 1),
			String(job.id),
			isAccepted ? String(job.id * 100 + index) : '',
			isAccepted ? 'NativeID' : '',
			...included,
			isAccepted ? 'Processed' : 'Email is not an address.',
		]);
		// No client may rely on the order.
		lines.reverse();
		if (job.fate === 'resultsOmitARow') lines.shift();
		if (job.fate === 'resultsRepeatARow' && lines[0]) lines.push(lines[0]);
		const half = Math.ceil(lines.length / 2);
		const inTwo = file === '1' ? lines.slice(0, half) : lines.slice(half);
		const head = ['BulkUploadDataID', 'ULFileID', 'PrimaryKey', 'PrimaryKeyType'];
		const rows = job.fate === 'resultsInTwoFiles' ? inTwo : lines;
		return {
			status: 200,
			body: stringify([[...head, ...job.includedColumns, job.label], ...rows]),
			type: 'text/csv',
		};
	}
}

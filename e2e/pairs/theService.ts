import { parse } from 'csv-parse/sync';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type NodeRun, readBinary } from '../../test/engine/support/engine';
import type { Sandboxed } from '../../test/engine/support/sandboxed';
import { unzip } from '../../test/engine/support/unzipped';
import type { Held, Kind } from './kinds';
import type { SentFile, Seen } from './seen';

const SEPARATORS: Record<string, string> = { CSV: ',', Pipe: '|', Tab: '\t' };

interface MappedField {
	fieldName: string;
	columnName?: string;
	staticValue?: string;
}

/** The rows of a file as the service reads them, by the ID of the field. */
function readRows(job: IDataObject, text: string): SentFile['rows'] {
	const file = job.file as IDataObject;
	const [action] = job.actions as IDataObject[];
	const columns = (file.columns as Array<{ name: string }>).map(({ name }) => name);
	const rows: string[][] = parse(text, {
		delimiter: SEPARATORS[String(file.columnDelimiter)] ?? ',',
		quote: file.hasQuotes === true ? '"' : null,
		bom: true,
		from: 2,
	});
	const mapped = (action?.mappingTypes as IDataObject[]).flatMap((type) =>
		((type.fieldValueMappings ?? []) as MappedField[]).map((field) => ({
			id: `${String(type.name)}:${field.fieldName}`,
			...field,
		})),
	);
	return rows.map((cells) => {
		const valueOf = (column: string) => cells[columns.indexOf(column)] ?? '';
		const values = mapped.map(({ id, fieldName, columnName, staticValue }) => [
			id,
			staticValue ?? valueOf(columnName ?? fieldName),
		]);
		const recordId = valueOf('ContributionId') || valueOf('ContributionID');
		const all = recordId === '' ? values : [...values, ['recordId', recordId]];
		return Object.fromEntries(all.filter(([, value]) => value !== '')) as Record<string, string>;
	});
}

async function readFile(job: IDataObject, zip: Buffer): Promise<Pick<SentFile, 'text' | 'rows'>> {
	const [content] = (await unzip(zip)).values();
	const text = content?.toString() ?? '';
	return { text, rows: readRows(job, text) };
}

const GIFT_IDS = [3001, 3002, 3003, 3004, 3005, 3006];

function heldBy(service: Sandboxed, { resourceType }: Kind): Held[] {
	if (resourceType === 'Contributions')
		return GIFT_IDS.map((recordId) => ({ recordId, emails: [] }));
	return service.people().map(({ nativeId, fields, emails }) => ({
		recordId: nativeId,
		firstName: fields.firstName,
		emails: emails.map(({ email }) => email),
	}));
}

/** Looks at the sandbox before and after a run of the node. */
export class ServiceWatch {
	private readonly requests: number;
	private readonly size: number;
	private readonly jobs: ReadonlySet<number>;

	constructor(
		private readonly service: Sandboxed,
		private readonly kind: Kind,
	) {
		this.requests = service.sandbox.requests.length;
		this.size = service.sandbox.control.size('demo');
		this.jobs = new Set(service.jobs().map(({ id }) => id));
	}

	/** Requests that can change something, with their paths. */
	writes(): string[] {
		return this.service.sandbox.requests
			.slice(this.requests)
			.filter(({ method, path }) => method !== 'GET' && !path.endsWith('/people/find'))
			.map(({ method, path }) => `${method} ${path}`);
	}

	async see(node: NodeRun, items: INodeExecutionData[]): Promise<Seen> {
		await this.service.settle();
		const requests = this.service.sandbox.requests.slice(this.requests);
		const newIds = this.service
			.jobs()
			.map(({ id }) => id)
			.filter((id) => !this.jobs.has(id));
		const files: SentFile[] = [];
		for (const { method, path, body, executed } of requests) {
			if (method !== 'POST' || !path.endsWith('/bulkImportJobs')) continue;
			const job = body as IDataObject;
			const url = String((job.file as IDataObject).sourceUrl);
			const response = await fetch(`${this.service.sandbox.url}${new URL(url).pathname}`);
			const read = await readFile(job, Buffer.from(await response.arrayBuffer()));
			const jobId = executed ? newIds.shift() : undefined;
			files.push({ job, ...read, ...(jobId !== undefined && { jobId }) });
		}
		const built = node.outputs.flat().filter(({ json, binary }) => json.job && binary?.data);
		for (const item of built) {
			const job = item.json.job as IDataObject;
			files.push({ job, ...(await readFile(job, await readBinary(item, 'data'))) });
		}
		return {
			node,
			items,
			files,
			writes: this.writes(),
			held: heldBy(this.service, this.kind),
			grown: this.service.sandbox.control.size('demo') - this.size,
		};
	}
}

import { parse } from 'csv-parse/sync';
import { setTimeout as sleep } from 'node:timers/promises';

import type { SandboxOptions } from '../../../sandbox';
import { DEMO_KEY, RunningSandbox, useRunning } from '../../support/runningSandbox';

export { DEMO_KEY, OTHER_KEY, RESTRICTED_KEY } from '../../support/runningSandbox';

export function basic(username: string, password: string): string {
	return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

interface CallResponse {
	status: number;
	headers: Headers;
	text: string;
	/** The parsed JSON body, or the text where it is no JSON. */
	body: unknown;
}

interface CallOptions {
	/** Sent in the header, with v4 by Basic; null for none. */
	key?: string | null;
	headers?: Record<string, string>;
	/** Sent as JSON. */
	body?: unknown;
}

/** A job over a file of these columns; the rows have no header. */
export interface ImportInput {
	columns: string;
	rows: string[] | Uint8Array;
	mappingTypes: unknown[];
	resourceType?: string;
	include?: string[];
	file?: Record<string, unknown>;
	resultFileSizeKbLimit?: number;
	/** In place of a zip archive of the rows. */
	archive?: Uint8Array;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** A sandbox without rate limits, and calls to it. */
class CalledSandbox extends RunningSandbox {
	/** One call over a real socket; redirects are not followed. */
	async call(
		method: string,
		path: string,
		{ key = DEMO_KEY, headers, body }: CallOptions = {},
	): Promise<CallResponse> {
		const credentials: Record<string, string> =
			key === null
				? {}
				: path.startsWith('/v4')
					? { authorization: basic('test', `${key}|1`) }
					: { apiKey: key };
		const response = await fetch(`${this.sandbox.url}${path}`, {
			method,
			redirect: 'manual',
			headers: {
				...credentials,
				...(body !== undefined && { 'content-type': 'application/json' }),
				...headers,
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, body: parsed(text) };
	}

	async get(path: string): Promise<CallResponse> {
		return await this.call('GET', path);
	}

	async post(path: string, body: unknown): Promise<CallResponse> {
		return await this.call('POST', path, { body });
	}

	/** Runs an import job to its end. `rows` are those of its result files, by column name. */
	async import(input: ImportInput) {
		const { columns, rows, archive, mappingTypes, resourceType = 'Contacts', include = [] } = input;
		const content = Array.isArray(rows) ? rows.join('\n') : rows;
		const named = (names: string[]) => names.map((name) => ({ name }));
		const sourceUrl = await (archive ? this.put(archive) : this.host('people.csv', content));
		const created = await this.post('/v2/bulkImportJobs', {
			description: 'Test import',
			file: {
				fileName: 'people.csv',
				sourceUrl,
				columns: named(columns.split(',')),
				...input.file,
			},
			actions: [
				{
					actionType: 'loadMappedFile',
					resourceType,
					resultFileSizeKbLimit: input.resultFileSizeKbLimit ?? 5000,
					mappingTypes,
					columnsToIncludeInResultsFile: named(include),
				},
			],
		});
		if (created.status !== 200) throw new Error(created.text);
		for (;;) {
			const record = this.jobs().at(-1);
			if (record && !/Pending|InProgress/.test(record.status)) {
				const files = await Promise.all(
					(record.resultFiles ?? []).map(async ({ url }) => await (await fetch(url)).text()),
				);
				const results = files.flatMap(
					(file): Array<Record<string, string>> => parse(file, { columns: true }),
				);
				return { record, files, rows: results };
			}
			await sleep(2);
		}
	}
}

/** Limits no test meets by accident, and jobs that end at once. */
export const useSandbox = (options: SandboxOptions = {}): CalledSandbox =>
	useRunning(new CalledSandbox(), {
		linkBase: 'http',
		tier: { high: 1_000_000, medium: 1_000_000, low: 1_000_000, monthly: null },
		jobTiming: { pendingMs: 0, rowsPerSecond: Infinity, minimumMs: 0 },
		...options,
	});

/** The properties that a 400 response complains about. */
export function rejectedProperties({ status, body }: CallResponse): string[] {
	expect(status).toBe(400);
	const { errors } = body as { errors: Array<{ properties?: string[] }> };
	return errors.flatMap((error) => error.properties ?? []);
}

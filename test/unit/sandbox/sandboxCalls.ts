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
interface ImportInput {
	columns: string;
	rows: string[];
	mappingTypes: unknown[];
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
	async import({ columns, rows, mappingTypes }: ImportInput) {
		const created = await this.post('/v2/bulkImportJobs', {
			description: 'Test import',
			file: {
				fileName: 'people.csv',
				sourceUrl: await this.host('people.csv', rows.join('\n')),
				columns: columns.split(',').map((name) => ({ name })),
			},
			actions: [
				{
					actionType: 'loadMappedFile',
					resourceType: 'Contacts',
					resultFileSizeKbLimit: 5000,
					mappingTypes,
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
				return { record, rows: results };
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

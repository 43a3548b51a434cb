import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { jobFaultSchema, type JobFault } from './bulkImport/jobFault';
import { strictObject } from './wire/schemas';

const milliseconds = z.number().min(0);

const faultKindSchema = z.discriminatedUnion('kind', [
	/** Executed later, or at once with a late response. */
	strictObject({
		kind: z.literal('latency'),
		ms: milliseconds,
		executed: z.boolean().optional(),
	}),
	/** Exactly this response; the request is not executed unless `executed`. */
	strictObject({
		kind: z.literal('response'),
		status: z.number().int().min(200).max(599),
		headers: z.record(z.string(), z.string()).optional(),
		/** Sent as JSON, unless it is text. */
		body: z.unknown(),
		executed: z.boolean().optional(),
	}),
	/** Executed; each of these texts in the body of the response is replaced. */
	strictObject({ kind: z.literal('replaced'), texts: z.record(z.string().min(1), z.string()) }),
	/** A response with this status; the request is not executed unless `executed`. */
	strictObject({
		kind: z.literal('status'),
		status: z.number().int().min(400).max(599),
		body: z.enum(['json', 'html']).optional(),
		/** Where a 429 or 503 says when to come back; default for 429 is the text. */
		retryAfter: z.enum(['text', 'seconds', 'date', 'none']).optional(),
		retryAfterMs: milliseconds.optional(),
		executed: z.boolean().optional(),
	}),
	/** 200 with an HTML page instead of the response; not executed. */
	strictObject({ kind: z.literal('htmlPage') }),
	/** Executed; the JSON is sent as this type. */
	strictObject({ kind: z.literal('wrongContentType'), contentType: z.string().optional() }),
	/** Executed; status and headers without a body. */
	strictObject({ kind: z.literal('emptyBody') }),
	/** Executed; half of the announced body, then the connection is cut. */
	strictObject({ kind: z.literal('truncatedBody') }),
	/** Executed; half of the body in a response that claims to be whole. */
	strictObject({ kind: z.literal('halfBody') }),
	/** Executed; this many megabytes of JSON instead of the response. */
	strictObject({ kind: z.literal('oversizedBody'), megabytes: z.number().positive().max(500) }),
	/** Executed; the body arrives in pieces over this time. */
	strictObject({ kind: z.literal('slowDrip'), ms: milliseconds }),
	/** The connection stays open without a response; not executed unless `executed`. */
	strictObject({ kind: z.literal('noResponse'), executed: z.boolean().optional() }),
	/** The connection is cut before the request is executed. */
	strictObject({ kind: z.literal('resetBefore') }),
	/** The connection is cut after the request was executed. */
	strictObject({ kind: z.literal('resetAfter') }),
	/** 302 to /Error.aspx; not executed. */
	strictObject({ kind: z.literal('redirectToErrorPage') }),
	/** 302 to another address, e.g. on another host; not executed. */
	strictObject({ kind: z.literal('redirect'), location: z.string() }),
	/** The next bulk import job fails like this. */
	strictObject({ kind: z.literal('job'), failure: jobFaultSchema }),
]);

export const faultSchema = strictObject({
	method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).optional(),
	/** Beginning of the path, with or without the version: `/people` or `/v2/people`. */
	pathPrefix: z.string().startsWith('/').optional(),
	/** Name of the tenant. */
	tenant: z.string().optional(),
	/** How many matching requests it applies to; default 1. */
	count: z.number().int().positive().optional(),
	/** How many matching requests are served as usual first; default 0. */
	skip: z.number().int().min(0).optional(),
	fault: faultKindSchema,
});

export type FaultRequest = z.output<typeof faultSchema>;
export type Fault = Exclude<FaultRequest['fault'], { kind: 'job' }>;

interface QueuedFault extends FaultRequest {
	remaining: number;
	toSkip: number;
}

interface FaultTarget {
	method: string;
	path: string;
	tenant: string | null;
}

function matches(queued: QueuedFault, target: FaultTarget): boolean {
	const prefix = queued.pathPrefix;
	const pathWithoutVersion = target.path.replace(/^\/v\d+(?=\/)/, '');
	return (
		(queued.method === undefined || queued.method === target.method) &&
		(queued.tenant === undefined || queued.tenant === target.tenant) &&
		(prefix === undefined ||
			target.path.startsWith(prefix) ||
			pathWithoutVersion.startsWith(prefix))
	);
}

/** Faults on demand, in the order they were added; each request gets at most one. */
export class FaultQueue {
	private queue: QueuedFault[] = [];

	/** @returns what takes the fault away again, used up or not */
	add(request: FaultRequest): () => void {
		const queued: QueuedFault = {
			...request,
			remaining: request.count ?? 1,
			toSkip: request.skip ?? 0,
		};
		this.queue.push(queued);
		return () => {
			this.queue = this.queue.filter((held) => held !== queued);
		};
	}

	clear(): void {
		this.queue = [];
	}

	/** The fault for a request that is about to be executed. */
	take(target: FaultTarget): Fault | null {
		const fault = this.takeFirst(
			(queued) => queued.fault.kind !== 'job' && matches(queued, target),
		);
		return fault && fault.kind !== 'job' ? fault : null;
	}

	/** The fault of a job that a tenant has just created. */
	takeJobFault(tenant: string): JobFault | null {
		const fault = this.takeFirst(
			(queued) => queued.fault.kind === 'job' && (queued.tenant ?? tenant) === tenant,
		);
		return fault?.kind === 'job' ? fault.failure : null;
	}

	private takeFirst(isMeant: (queued: QueuedFault) => boolean): FaultRequest['fault'] | undefined {
		for (const queued of this.queue.filter(isMeant)) {
			if (queued.toSkip-- > 0) continue;
			queued.remaining--;
			this.queue = this.queue.filter((held) => held.remaining > 0);
			return queued.fault;
		}
		return undefined;
	}
}

const MEGABYTE = 1024 * 1024;
const DRIP_PIECES = 10;

/** `{"padding":"aaa…"}` of the given size. */
function oversizeBody(megabytes: number): Readable {
	function* pieces() {
		yield '{"padding":"';
		const piece = 'a'.repeat(MEGABYTE);
		for (let sent = 0; sent < megabytes; sent++) yield piece;
		yield '"}';
	}
	return Readable.from(pieces(), { objectMode: false });
}

function truncateBody(body: Buffer): Readable {
	async function* pieces() {
		yield body.subarray(0, Math.floor(body.length / 2));
		// The first half must have left before the connection is cut.
		await sleep(20);
		throw new Error('The connection is cut.');
	}
	return Readable.from(pieces(), { objectMode: false });
}

function dripBody(body: Buffer, ms: number): Readable {
	const pieceLength = Math.ceil(body.length / DRIP_PIECES);
	const pauseMs = ms / Math.ceil(body.length / pieceLength);
	async function* pieces() {
		for (let start = 0; start < body.length; start += pieceLength) {
			await sleep(pauseMs);
			yield body.subarray(start, start + pieceLength);
		}
	}
	return Readable.from(pieces(), { objectMode: false });
}

/** Half of a body, never valid JSON by chance: half of the number 505 is a number too. */
function half(body: Buffer): Buffer {
	const piece = body.subarray(0, Math.floor(body.length / 2));
	return /^\d*$/.test(piece.toString()) ? Buffer.from('{') : piece;
}

/** A ready response as a fault changes it. */
interface AlteredResponse {
	body: Buffer | Readable | null;
	contentType?: string;
	/** Announced although less will follow. */
	contentLength?: number;
}

/** Undefined where the fault leaves the ready response alone. */
export function alterResponse(fault: Fault, body: Buffer): AlteredResponse | undefined {
	// An empty body has no half.
	const padded = body.length > 1 ? body : Buffer.from('{}');
	switch (fault.kind) {
		case 'replaced':
			return {
				body: Buffer.from(
					Object.entries(fault.texts).reduce(
						(text, [from, to]) => text.replaceAll(from, to),
						body.toString(),
					),
				),
			};
		case 'wrongContentType':
			return { body, contentType: fault.contentType ?? 'text/plain; charset=utf-8' };
		case 'emptyBody':
			return { body: null };
		case 'truncatedBody':
			return { body: truncateBody(padded), contentLength: padded.length };
		case 'halfBody':
			return { body: half(padded) };
		case 'oversizedBody':
			return { body: oversizeBody(fault.megabytes) };
		case 'slowDrip':
			return { body: dripBody(padded, fault.ms), contentLength: padded.length };
		default:
			return undefined;
	}
}

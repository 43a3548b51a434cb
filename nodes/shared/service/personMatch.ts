import { z } from 'zod';

import type { PersonReference } from './endpoints';
import { wholeId } from './recordId';
import type { Vocabulary } from './vocabulary';

/** How a call that looks for a person ended. */
export type MatchStatus = 'matched' | 'created' | 'notFound';

interface PersonMatch {
	matchStatus: MatchStatus;
	/** The service's own ID; null if no person was found, or the person was named by another ID only. */
	personId: number | null;
	/** What else the answer says of the person: nothing if it is a stub. */
	person: Record<string, unknown>;
}

/** What the service says of a match instead of the person itself: service.md 4.4 to 4.6. */
const stubSchema = z
	.object({ status: z.string().regex(/matched|stored|created|notfound/i) })
	.passthrough();

/** Whether the text of an answer is a match stub, and not an error or a page. */
export function holdsMatchStub(text: string): boolean {
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		return false;
	}
	return stubSchema.safeParse(body).success;
}

/** The person an address leads to, such as the one in the `Location` of a redirect. */
export function personOfAddress(address: string | undefined): number | undefined {
	return wholeId(/^[^?#]*\/people\/(\d+)\/?(?:[?#]|$)/i.exec(address ?? '')?.[1]);
}

/** A person as the service shows them; its properties are up to the deployment (service.md 4.7). */
export const personRecordSchema = z.record(z.string(), z.unknown());

function statusOf(httpStatus: number, said: string | undefined): MatchStatus {
	// The words of service.md 4.4 to 4.6: Matched, Unmatched, UnmatchedStored, Stored.
	if (said !== undefined && /(stored|created)$/i.test(said)) return 'created';
	if (said !== undefined && /^(unmatched|notfound)$/i.test(said)) return 'notFound';
	if (httpStatus === 404) return 'notFound';
	return httpStatus === 201 ? 'created' : 'matched';
}

/**
 * Reads any of the answers a match is known to give: a redirect with a stub or with its `Location`
 * only, a stub, a full person, or nothing of the kind found (service.md 4.4, 4.5 and 10).
 * @param named the person the call itself named, for answers that leave it out
 * @returns undefined if the answer names no person although there should be one
 */
export function readPersonMatch(
	answer: { status: number; headers: Record<string, string>; body: unknown },
	vocabulary: Vocabulary,
	named?: PersonReference,
): PersonMatch | undefined {
	const parsed = personRecordSchema.safeParse(answer.body);
	const body = parsed.success ? parsed.data : {};
	const stub = stubSchema.safeParse(body);
	const matchStatus = statusOf(answer.status, stub.success ? stub.data.status : undefined);
	if (matchStatus === 'notFound') return { matchStatus, personId: null, person: {} };
	const personId =
		wholeId(body[vocabulary.personId]) ??
		personOfAddress(answer.headers.location) ??
		(typeof named === 'number' ? named : null);
	if (personId === null && named === undefined) return undefined;
	return { matchStatus, personId, person: stub.success ? {} : body };
}

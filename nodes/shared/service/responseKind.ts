import type { HttpResponse } from '../transport/httpRequest';
import type { Endpoint } from './endpoints';
import { errorsIn, isEnvelopeOnly, saysNotFound } from './errorEnvelope';
import { holdsMatchStub, isUnmatchedStub, personOfAddress } from './personMatch';

/** The entries of a list: `items`, or with `anyName` the envelope's only list. */
export function listOf(envelope: Record<string, unknown>, anyName: boolean): unknown[] | undefined {
	if (Array.isArray(envelope.items)) return envelope.items;
	if (!anyName) return undefined;
	const lists = Object.values(envelope).filter((value) => Array.isArray(value));
	return lists.length === 1 ? lists[0] : undefined;
}

/** Whether a response is an error envelope: an error at any status. */
export function reportsErrors(
	{ retry }: Endpoint,
	{ status, body }: { status: number; body: unknown },
): boolean {
	if (status >= 300 || errorsIn(body).length === 0) return false;
	return retry !== 'read' || isEnvelopeOnly(body);
}

/** Whether the service says that the person whom a write names does not exist. */
export function namesNobody({ retry, matchesPeople }: Endpoint, body: unknown): boolean {
	return retry !== 'read' && !matchesPeople && isUnmatchedStub(body);
}

/** Whether the service itself responded to the call, without a rejection or an unexpected redirect. */
export function isExpectedResponse(endpoint: Endpoint, response: HttpResponse): boolean {
	const { status, headers, text } = response;
	if (status < 300) return true;
	if (status < 400) {
		const isMatch = personOfAddress(headers.location) !== undefined || holdsMatchStub(text);
		return endpoint.redirects === true && isMatch;
	}
	return (
		status === 404 && endpoint.expects404 === true && (holdsMatchStub(text) || saysNotFound(text))
	);
}

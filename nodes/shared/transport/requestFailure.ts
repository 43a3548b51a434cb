import { CallCancelled } from './cancellation';
import type { RequestLimits } from './requestLimits';

type RequestFailureKind =
	/** No connection, or an untrusted one: the request cannot have been executed. */
	| 'notSent'
	/** No complete response in time. */
	| 'timeout'
	/** The connection broke before the response was complete. */
	| 'broken'
	/** The response is larger than anything the service should send. */
	| 'oversized';

/** A request without a complete response. */
export class RequestFailure extends Error {
	constructor(
		readonly kind: RequestFailureKind,
		/** The code of the operating system or library, such as ECONNREFUSED; empty if unknown. */
		readonly code: string,
	) {
		super(`${kind} ${code}`.trim());
		this.name = 'RequestFailure';
	}
}

/** n8n itself blocked the URL. */
export const SSRF_BLOCKED = 'SSRF_BLOCKED';

const NOT_SENT_CODES = new Set([
	SSRF_BLOCKED,
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
]);

/**
 * Rejected certificates and handshakes; Node and OpenSSL have dozens of codes. They precede the
 * request.
 */
const NOT_SECURE =
	/^(CERT_|CRL_|DEPTH_|SELF_|UNABLE_|HOSTNAME_|INVALID_(CA|PURPOSE)|ERR_TLS_CERT|ERR_TLS_HANDSHAKE_TIMEOUT|EPROTO$|ERR_SSL_.*(WRONG_VERSION|PROTOCOL|HANDSHAKE|UNKNOWN_CA|CERTIFICATE|UNRECOGNIZED_NAME|HTTP_REQUEST))/;

/** Whether a code means that no secure connection was established. */
export function isInsecure(code: string): boolean {
	return NOT_SECURE.test(code);
}

const TIMEOUT_CODES = new Set(['ETIMEDOUT', 'ECONNABORTED', 'ESOCKETTIMEDOUT']);

/** The first known error code in a chain of causes; n8n wraps the library's error. */
function errorCode(error: unknown): string {
	const seen = new Set<unknown>();
	let found = '';
	for (
		let current = error;
		current !== null && typeof current === 'object' && !seen.has(current);

	) {
		seen.add(current);
		const { code, httpCode, name, message, description, cause, errorResponse } = current as Record<
			string,
			unknown
		>;
		// Node gives an interrupted handshake the code of any lost connection.
		if (/before secure TLS connection/.test(`${String(message)} ${String(description)}`))
			return 'ERR_TLS_HANDSHAKE_TIMEOUT';
		// Newer n8n versions give a name and a text, but no code.
		if (
			/^Ssrf/.test(String(name)) ||
			/^The request was blocked because .* restricted/.test(String(message))
		)
			return SSRF_BLOCKED;
		for (const candidate of [code, httpCode]) {
			const isCode =
				typeof candidate === 'string' && (/^E[A-Z_]+$/.test(candidate) || isInsecure(candidate));
			if (isCode) found ||= candidate;
		}
		current = cause ?? errorResponse;
	}
	return found;
}

/** The failure of a request, from what was thrown and what ended it. */
export function failureOf(error: unknown, { isLate, signal }: RequestLimits): Error {
	if (signal?.aborted) return new CallCancelled();
	if (error instanceof RequestFailure || error instanceof CallCancelled) return error;
	const code = errorCode(error);
	if (isLate || TIMEOUT_CODES.has(code)) return new RequestFailure('timeout', code);
	const isNotSent = NOT_SENT_CODES.has(code) || isInsecure(code);
	return new RequestFailure(isNotSent ? 'notSent' : 'broken', code);
}

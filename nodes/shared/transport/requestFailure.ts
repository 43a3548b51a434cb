import { CallCancelled } from './cancellation';
import type { RequestLimits } from './requestLimits';

export class RequestFailure extends Error {
	constructor(
		/** `notSent`: there was no connection, or an untrusted one, so nothing can have been executed. */
		readonly kind: 'notSent' | 'timeout' | 'broken' | 'oversized',
		/** Such as ECONNREFUSED; empty if unknown. */
		readonly code: string,
	) {
		super(`${kind} ${code}`.trim());
		this.name = 'RequestFailure';
	}
}

/** n8n itself blocked the URL. */
export const SSRF_BLOCKED = 'SSRF_BLOCKED';

const NOT_SENT_CODES: ReadonlySet<string> = new Set([
	SSRF_BLOCKED,
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
]);

/** Rejected certificates and handshakes, or a broken protection; Node and OpenSSL have dozens of codes. */
const NOT_SECURE =
	/^(CERT_|CRL_|DEPTH_|SELF_|UNABLE_|HOSTNAME_|INVALID_(CA|PURPOSE)|ERR_TLS_CERT|ERR_TLS_HANDSHAKE_TIMEOUT|EPROTO$|ERR_SSL_.*(WRONG_VERSION|PROTOCOL|HANDSHAKE|UNKNOWN_CA|CERTIFICATE|UNRECOGNIZED_NAME|HTTP_REQUEST))/;

export function isInsecure(code: string): boolean {
	return NOT_SECURE.test(code);
}

const TIMEOUT_CODES: ReadonlySet<string> = new Set([
	'ETIMEDOUT',
	'ECONNABORTED',
	'ESOCKETTIMEDOUT',
]);

function isErrorCode(code: unknown): code is string {
	return typeof code === 'string' && (/^E[A-Z_]+$/.test(code) || isInsecure(code));
}

/** Errors of an open connection, over which the request may have been sent. A failed handshake has the code EPROTO. */
const OPEN_CONNECTION = /^ERR_SSL_/;

/**
 * The first known code in a chain of causes: n8n wraps the library's error.
 * @returns also whether it came from reading: then there was a connection
 */
function errorCode(error: unknown): { code: string; isRead: boolean } {
	const seen = new Set<unknown>();
	let found = '';
	let isRead = false;
	let current = error;
	while (typeof current === 'object' && current !== null && !seen.has(current)) {
		seen.add(current);
		const { code, httpCode, name, message, description, cause, errorResponse, syscall } =
			current as Record<string, unknown>;
		// Node gives an interrupted handshake the code of any lost connection.
		if (/before secure TLS connection/.test(`${String(message)} ${String(description)}`))
			return { code: 'ERR_TLS_HANDSHAKE_TIMEOUT', isRead: false };
		// Newer n8n versions give a name and a text, but no code.
		if (
			/^Ssrf/.test(String(name)) ||
			/^The request was blocked because .* restricted/.test(String(message))
		)
			return { code: SSRF_BLOCKED, isRead: false };
		found ||= [code, httpCode].find(isErrorCode) ?? '';
		isRead ||= syscall === 'read';
		current = cause ?? errorResponse;
	}
	return { code: found, isRead };
}

export function failureOf(error: unknown, { isLate, signal }: RequestLimits): Error {
	if (signal?.aborted) return new CallCancelled();
	if (error instanceof RequestFailure || error instanceof CallCancelled) return error;
	const { code, isRead } = errorCode(error);
	// The code tells only which clock was first, that of this package or that of n8n.
	if (isLate || TIMEOUT_CODES.has(code)) return new RequestFailure('timeout', '');
	const wasOpen = isRead || OPEN_CONNECTION.test(code);
	const isNotSent = !wasOpen && (NOT_SENT_CODES.has(code) || isInsecure(code));
	return new RequestFailure(isNotSent ? 'notSent' : 'broken', code);
}

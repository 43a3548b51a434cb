import type { IncomingHttpHeaders } from 'node:http';
import { RequestRejected } from '../wire/requestRejected';

/** `v2` speaks as the specification says; `v4` as the best-known deployment does (service.md 7.2). */
export type Version = 'v2' | 'v4';
/** Database a v4 call is about: 0 voter file, 1 campaign. */
export type DatabaseMode = 0 | 1;
export type AuthenticationMethod = 'basic' | 'apiKey' | 'both' | 'none';

const V2_USERNAME = 'apiuser';
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const GUID_WITH_MODE = /^(.+)\|([01])$/;

interface BasicCredentials {
	username: string;
	password: string;
}

function basicCredentials(headers: IncomingHttpHeaders): BasicCredentials | undefined {
	const encoded = /^Basic ([A-Za-z0-9+/]+={0,2})$/i.exec(headers.authorization ?? '')?.[1];
	if (encoded === undefined) return undefined;
	const decoded = Buffer.from(encoded, 'base64').toString('utf8');
	const colon = decoded.indexOf(':');
	if (colon < 0) return undefined;
	return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

export function authenticationMethod(headers: IncomingHttpHeaders): AuthenticationMethod {
	const hasBasic = headers.authorization !== undefined;
	const hasHeader = headers.apikey !== undefined;
	if (hasBasic && hasHeader) return 'both';
	if (hasBasic) return 'basic';
	return hasHeader ? 'apiKey' : 'none';
}

/** The same body for a missing key, a wrong key and a wrong mode, as recorded (service.md 7.2). */
export function unauthorized(): RequestRejected {
	return new RequestRejected(401, [{ code: 'UNAUTHORIZED', text: 'Invalid Database Mode' }]);
}

/**
 * The key and database a call carries, by the rules of its version: v2 takes Basic with the literal
 * user name `apiuser` and a bare GUID, or the `apiKey` header (service.md 7.1); v4 takes Basic with any
 * user name and `GUID|mode` only. Never both methods at once: a client that sends both is confused.
 *
 * @returns undefined where the response must be 401.
 */
export function keyOf(
	headers: IncomingHttpHeaders,
	version: Version,
): { key: string; mode: DatabaseMode } | undefined {
	const method = authenticationMethod(headers);
	if (method === 'apiKey' && version === 'v2') {
		const key = headers.apikey;
		return typeof key === 'string' && GUID.test(key)
			? { key: key.toLowerCase(), mode: 1 }
			: undefined;
	}
	const credentials = method === 'basic' ? basicCredentials(headers) : undefined;
	if (!credentials) return undefined;
	if (version === 'v2') {
		return credentials.username === V2_USERNAME && GUID.test(credentials.password)
			? { key: credentials.password.toLowerCase(), mode: 1 }
			: undefined;
	}
	const [, key, mode] = GUID_WITH_MODE.exec(credentials.password) ?? [];
	if (key === undefined || !GUID.test(key)) return undefined;
	return { key: key.toLowerCase(), mode: mode === '0' ? 0 : 1 };
}

/**
 * Whether a request that must not carry the API key (file drop, result links) does. Basic credentials of
 * a file host are not a leak unless they hold a GUID, which only API keys are.
 */
export function carriesApiCredentials(headers: IncomingHttpHeaders): boolean {
	if (headers.apikey !== undefined) return true;
	const password = basicCredentials(headers)?.password ?? '';
	return GUID.test(GUID_WITH_MODE.exec(password)?.[1] ?? password);
}

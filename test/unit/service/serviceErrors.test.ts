import { endpoints, prepareCall } from '../../../nodes/shared/service/endpoints';
import { errorEntries } from '../../../nodes/shared/service/errorEnvelope';
import { ServiceError } from '../../../nodes/shared/service/serviceErrors';
import type { RetryClass } from '../../../nodes/shared/transport/retry';
import { type ScriptedResponse, errorOf, scriptedService } from './scriptedService';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const PAGE = '<!DOCTYPE html><html><body>Something went wrong</body></html>';

/** The error of a call with a given response. */
async function errorFor(
	response: ScriptedResponse | ((key: string) => ScriptedResponse),
	kind: RetryClass = 'read',
): Promise<ServiceError> {
	const scripted = scriptedService(() =>
		typeof response === 'function' ? response(scripted.apiKey) : response,
	);
	return await errorOfCall(scripted, kind);
}

/** The error of a call whose first attempt ends otherwise than those after it. */
async function errorAfter(
	first: ScriptedResponse,
	then: ScriptedResponse,
	kind: RetryClass,
): Promise<ServiceError> {
	const scripted = scriptedService((_, position) => (position === 0 ? first : then), {
		replayUnknownOutcome: true,
	});
	return await errorOfCall(scripted, kind);
}

async function errorOfCall(
	{ service, clock, apiKey }: ReturnType<typeof scriptedService>,
	kind: RetryClass,
): Promise<ServiceError> {
	const calls = {
		read: async () => await service.call(prepareCall(endpoints.getCode, { path: { codeId: 7 } })),
		safe: async () =>
			await service.call(prepareCall(endpoints.updateCode, { path: { codeId: 7 }, body: {} })),
		unsafe: async () =>
			await service.call(prepareCall(endpoints.createCode, { path: {}, body: { name: 'A' } })),
	};
	const error = await clock.runUntil(errorOf(calls[kind]()));
	if (!(error instanceof ServiceError)) throw new Error(`no ServiceError, but ${String(error)}`);
	expect(JSON.stringify(error.details).toLowerCase()).not.toContain(apiKey);
	// A headline and sentences that say what to do.
	expect(error.message).toMatch(/^[A-Z][^\n]{20,}[^.]$/);
	expect(error.details.description).toMatch(/^[A-Z].+[.]$/s);
	return error;
}

const envelope = (...errors: Array<Record<string, unknown>>) => ({ errors });

describe('a rejection', () => {
	test('403 says that the key is good but not for this call', async () => {
		const { details } = await errorFor({ status: 403, body: '' }, 'unsafe');
		expect(details.message).toBe('This key is not allowed to use POST /codes');
		expect(details.description).toContain('The key itself is right.');
		expect(details).toMatchObject({ httpCode: 403, replayable: false, outcomeUnknown: false });
	});

	// EveryAction / NGP VAN has no Base URL, Native Interface no Username.
	test.each<[string, ScriptedResponse, RegExp]>([
		['the key', { status: 401, body: '' }, /Check Deployment, API Key and, if shown, .*Username/],
		[
			'the address',
			{ status: 404, body: PAGE, headers: HTML },
			/Check Deployment and, if shown, Base URL and API Version/,
		],
	])('points to %s only in fields that are shown', async (_, response, advice) => {
		const { details } = await errorFor(response);
		expect(details.description).toMatch(advice);
	});

	test('400 names what is wrong, where and how to mend it', async () => {
		const body = envelope(
			{
				code: 'INVALID_PARAMETER',
				text: "'email' is not a valid email address",
				properties: ['emails[0].email'],
			},
			{
				code: 'INVALID_PARAMETER',
				text: 'Out of range',
				properties: ['$top', '$skip'],
				hint: 'default 50, max 200',
				referenceCode: 'r-17',
			},
		);
		const { details } = await errorFor({ status: 400, body }, 'unsafe');
		expect(details.message).toBe(
			"The service rejected POST /codes: emails[0].email: 'email' is not a valid email address; $top, $skip: Out of range (default 50, max 200) [reference r-17]",
		);
		expect(details.description).toContain('This request changed nothing.');
		expect(details.description).not.toContain('valid email address');
		expect(details.serviceErrors).toHaveLength(2);
		expect(details).toMatchObject({ replayable: false, outcomeUnknown: false });
	});

	test('400 without an envelope shows what the service said', async () => {
		const { details } = await errorFor({ status: 400, body: { message: 'Bad  value\nin line 2' } });
		expect(details.message).toBe('The service rejected GET /codes/7 with status 400');
		expect(details.description).toContain('Bad value');
	});

	test('400 with a web page says so instead of showing it', async () => {
		const { details } = await errorFor({ status: 400, body: PAGE, headers: HTML });
		expect(details.description).toContain('The response was a web page, not data');
		expect(details.description).not.toContain('<html>');
	});

	test.each<[string, ScriptedResponse]>([
		['that names a value', { status: 400, body: envelope({ text: 'Taken' }) }],
		['of another kind', { status: 403, body: '' }],
		['that is a detour', { status: 301, headers: { location: '/elsewhere' } }],
	])('%s after an attempt without a response mentions that attempt', async (_, response) => {
		const lost = Object.assign(new Error('x'), { code: 'ECONNRESET' });
		for (const kind of ['safe', 'unsafe'] as const) {
			const { details } = await errorAfter(lost, response, kind);
			expect(details.description).toContain(
				'An earlier attempt got no usable response and may have succeeded.',
			);
			expect(details.description.includes('could create a duplicate')).toBe(kind === 'unsafe');
			expect(details.description).not.toContain('Nothing was stored');
			expect(details).toMatchObject({ outcomeUnknown: true, replayable: false });
		}
		const { details } = await errorAfter(lost, response, 'read');
		expect(details.description).not.toContain('An earlier attempt');
		expect(details.outcomeUnknown).toBe(false);
	});
});

test.each<[number, 'read' | 'safe' | 'unsafe', boolean, boolean]>([
	[302, 'read', false, false],
	[302, 'safe', true, true],
	[302, 'unsafe', true, false],
	[301, 'unsafe', false, false],
])(
	'a redirect with status %d of a call of class %s: outcome unknown %s, replayable %s',
	async (status, kind, outcomeUnknown, replayable) => {
		const { details } = await errorFor({ status, headers: { location: '/Error.aspx' } }, kind);
		expect(details).toMatchObject({ outcomeUnknown, replayable });
		expect(details.description.includes('could create a duplicate')).toBe(
			kind === 'unsafe' && outcomeUnknown,
		);
	},
);

describe('a failure', () => {
	test('429 is known not to be executed and points to the share of the rate', async () => {
		const body = envelope({ code: '429', text: 'Rate limit exceeded. Try again in 30 ms.' });
		const { details } = await errorFor({ status: 429, body }, 'unsafe');
		expect(details.message).toContain('too many requests were sent with this key');
		expect(details.description).toContain('lower Rate Share in the credential');
		expect(details).toMatchObject({ httpCode: 429, replayable: true, outcomeUnknown: false });
	});

	test('a wait longer than the node waits is given in minutes', async () => {
		const headers = { 'retry-after': '3600' };
		const { details } = await errorFor({ status: 429, body: '', headers }, 'unsafe');
		expect(details.description).toContain('The service asks to wait 60 minutes');
		expect(details).toMatchObject({ replayable: true, outcomeUnknown: false });
	});

	test.each(['CERT_HAS_EXPIRED', 'ERR_TLS_CERT_ALTNAME_INVALID', 'EPROTO'])(
		'%s: nothing was sent, and the sentence is about the certificate',
		async (code) => {
			const { details } = await errorFor(Object.assign(new Error('x'), { code }), 'unsafe');
			expect(details.message).toBe(
				'No secure connection to the service could be made for POST /codes',
			);
			expect(details.description).toContain(`(${code})`);
			expect(details).toMatchObject({ replayable: true, outcomeUnknown: false });
		},
	);

	test.each([
		{ code: 'ERR_SSL_WRONG_VERSION_NUMBER' },
		{ code: 'EHOSTUNREACH', syscall: 'read' },
		{ code: 'EADDRNOTAVAIL', syscall: 'read' },
	])('of an open connection, %j, leaves the outcome of an unsafe call unknown', async (cause) => {
		const { details } = await errorFor(Object.assign(new Error('x'), cause), 'unsafe');
		expect(details).toMatchObject({ replayable: false, outcomeUnknown: true });
		expect(details.description).not.toContain('Nothing was sent');
	});

	test.each([500, 502, 504])('%d of an unsafe call leaves its outcome unknown', async (status) => {
		const { details } = await errorFor({ status, body: PAGE, headers: HTML }, 'unsafe');
		expect(details.message).toBe(
			`It is unknown whether the service executed POST /codes: the service failed with status ${status} and a web page instead of data`,
		);
		expect(details.description).toContain('could create a duplicate');
		expect(details.advice).toContain('"Retry Even if It May Duplicate"');
		expect(details).toMatchObject({ httpCode: status, replayable: false, outcomeUnknown: true });
	});

	test('500 of a read has changed nothing', async () => {
		const body = envelope({ code: 'INTERNAL_SERVER_ERROR', text: 'Oops', referenceCode: 'r-1' });
		const { details } = await errorFor({ status: 500, body });
		expect(details.message).toBe('GET /codes/7 failed: the service failed with status 500');
		expect(details.description).toContain('Nothing was changed.');
		expect(details.description).toContain('Oops [reference r-1]');
		expect(details).toMatchObject({ replayable: true, outcomeUnknown: false });
	});

	test('a service that cannot be reached has received nothing', async () => {
		const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
		const { details } = await errorFor(refused, 'unsafe');
		expect(details.message).toBe('The service could not be reached for POST /codes');
		expect(details.description).toContain('Nothing was sent (ECONNREFUSED).');
		expect(details).toMatchObject({ httpCode: undefined, replayable: true, outcomeUnknown: false });
	});

	const lost = Object.assign(new Error('x'), { code: 'ECONNRESET' });
	const refused = Object.assign(new Error('x'), { code: 'ECONNREFUSED' });
	const untrusted = Object.assign(new Error('x'), { code: 'CERT_HAS_EXPIRED' });
	const last: Array<[string, ScriptedResponse, string, string]> = [
		['429', { status: 429, body: '' }, 'the service failed with status 429', ''],
		['503', { status: 503, body: '' }, 'the service failed with status 503', ''],
		['no connection', refused, 'the service could not be reached', 'The code is ECONNREFUSED.'],
		[
			'no protected connection',
			untrusted,
			'no secure connection could be made',
			'The code is CERT_HAS_EXPIRED.',
		],
	];

	test.each(last)(
		'%s after an attempt without a response: whether it was executed is unknown',
		async (_, response, what, code) => {
			for (const kind of ['safe', 'unsafe'] as const) {
				const { message, details } = await errorAfter(lost, response, kind);
				expect(message).toMatch(
					/^It is unknown whether the service executed (POST|PUT) \/codes[/7]*: there was no usable response, and in the last attempt /,
				);
				expect(message.endsWith(what)).toBe(true);
				expect(details.description).toMatch(
					kind === 'safe' ? /^Running it again later is safe\./ : /could create a duplicate/,
				);
				expect(details.description).toContain(code);
				expect(details.description).not.toMatch(/not executed|Nothing was sent|turn on/);
				expect(details).toMatchObject({ outcomeUnknown: true, replayable: kind === 'safe' });
			}
		},
	);

	test.each(last)('%s after a lost attempt of a read has changed nothing', async (_, response) => {
		const { message, details } = await errorAfter(lost, response, 'read');
		expect(message).not.toContain('unknown');
		expect(details).toMatchObject({ outcomeUnknown: false, replayable: true });
	});
});

describe('a response that cannot be used', () => {
	test.each(['{"items":[{"codeId":1', 'OK', '<?xml version="1.0"?><a/>'])(
		'%s is not JSON, and is shown',
		async (body) => {
			const { details } = await errorFor({ status: 200, body });
			expect(details.message).toBe(
				'The service responded to GET /codes/7 with something that is not JSON',
			);
			expect(details.description).toContain(body);
		},
	);
});

test.each<[string, ScriptedResponse]>([
	['a web page', { status: 200, body: PAGE, headers: HTML }],
	['a redirect', { status: 302, headers: { location: '/Error.aspx' } }],
])('%s is never retried, so the error does not advise to allow retries', async (_, response) => {
	const { details } = await errorFor(response, 'unsafe');
	expect(details).toMatchObject({ outcomeUnknown: true, replayable: false });
	expect(details.advice).toBeUndefined();
});

describe('no error shows the key', () => {
	test.each<[string, (key: string) => ScriptedResponse]>([
		[
			'in what the service says',
			(key) => ({
				status: 400,
				body: envelope({ text: `Key ${key.toUpperCase()}`, properties: [key], hint: key, x: key }),
			}),
		],
		['in a plain text', (key) => ({ status: 400, body: `bad key ${key}`, headers: {} })],
		['in broken JSON', (key) => ({ status: 200, body: `{"key":"${key}` })],
		['in a redirect', (key) => ({ status: 302, body: '', headers: { location: `/e/${key}` } })],
	])('%s', async (_, response) => {
		// errorFor itself looks for the key.
		expect(await errorFor(response)).toBeInstanceOf(ServiceError);
	});

	test('and none the password of an address in the request', async () => {
		const { service, clock } = scriptedService(() => ({ status: 400, body: '' }));
		const body = { file: { sourceUrl: 'sftp://me:secret@files.example.org/a.zip' } };
		const work = service.call(prepareCall(endpoints.createBulkImportJob, { path: {}, body }));
		const error = await clock.runUntil(errorOf(work));
		expect(error).toMatchObject({
			details: { request: { body: { file: { sourceUrl: 'sftp://***@files.example.org/a.zip' } } } },
		});
		expect(JSON.stringify(error)).not.toContain('secret');
	});
});

test.each<[string, number]>([
	['{"errors":[{"code":"A","text":"B"}]}', 1],
	['{"errors":[{"code":429,"text":null,"properties":null,"hint":null}]}', 1],
	['{"errors":[{}]}', 1],
	['{"errors":[]}', 0],
	['{"errors":["text","more"]}', 2],
	['{"errors":"text"}', 1],
	['{"errors":{"name":["too long","empty"]}}', 2],
	['{"codeId":7,"errors":{},"error":0}', 0],
	['{"Errors":[{"Text":"B"}]}', 1],
	['{"error":"bad"}', 1],
	['{"error":{"message":"bad"}}', 1],
	['{"error":true,"message":"bad"}', 1],
	['{"error":false,"errors":[]}', 0],
	['{"success":false,"message":"bad"}', 1],
	['[{"errors":[{"text":"A"}]},{"codeId":7},{"error":"B"}]', 2],
	['{"message":"x"}', 0],
	['null', 0],
	['<html>', 0],
	// Nested too deeply to be read.
	[`{"errors":[{"text":"A"},${'['.repeat(6000)}${']'.repeat(6000)}]}`, 0],
])('%s holds %d readable entries', (text, count) => {
	expect(errorEntries(text)).toHaveLength(count);
});

test('long texts and lists of the service are cut', async () => {
	const entry = { text: `${'x'.repeat(999)}😀`, properties: ['phone'] };
	const body = envelope(...Array.from({ length: 40 }, () => entry));
	const { details } = await errorFor({ status: 400, body });
	expect(details.message).toMatch(/: (phone: x{999}…; ){30}and 10 more$/);
});

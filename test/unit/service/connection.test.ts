import { readConnection } from '../../../nodes/shared/service/connection';
import { InvalidInput } from '../../../nodes/shared/service/invalidInput';
import { leadsToThisMachine } from '../../../nodes/shared/service/protectedAddress';
import { Redactor } from '../../../nodes/shared/transport/redaction';

const KEY = 'a1b2c3d4-89ab-CDEF-0123-0fedcba98765';
const valid = { deployment: 'other', baseUrl: 'https://api.example.org', apiKey: KEY };

function rejection(changes: Record<string, unknown>): InvalidInput {
	try {
		readConnection({ ...valid, ...changes });
	} catch (error) {
		if (error instanceof InvalidInput) return error;
		throw error;
	}
	throw new Error('The credential was accepted.');
}

function decodedBasic(headers: Record<string, string>): string {
	const [scheme, encoded = ''] = (headers.Authorization ?? '').split(' ');
	expect(scheme).toBe('Basic');
	return Buffer.from(encoded, 'base64').toString('utf8');
}

describe('a credential is rejected', () => {
	test.each<[string, string, Record<string, unknown>]>([
		['with something that is no address', 'Base URL', { baseUrl: 'api.example.org' }],
		[
			'with a host that only begins like a loopback address',
			'Base URL',
			{ baseUrl: 'http://127.0.0.1.example.org' },
		],
		['with a user in the address', 'Base URL', { baseUrl: `https://me:${KEY}@api.example.org` }],
		['with a query in the address', 'Base URL', { baseUrl: `https://api.example.org?key=${KEY}` }],
		['without a key', 'API Key', { apiKey: '' }],
		['with a key and a database mode', 'API Key', { apiKey: `${KEY}|1` }],
		['with a version of several segments', 'API Version', { apiVersion: 'v2/x' }],
		['with a version that leaves the address', 'API Version', { apiVersion: '..' }],
		['without an identifier prefix', 'Identifier Prefix', { identifierPrefix: '' }],
		['with an identifier prefix of two words', 'Identifier Prefix', { identifierPrefix: 'My Van' }],
		['with a colon in the username', 'Username', { username: 'a:b' }],
		['with a line break in the username', 'Username', { username: 'a\r\nb' }],
		['with an unknown deployment', 'Deployment', { deployment: 'v4' }],
		['without an application name', 'Application Name', { deployment: 'van', databaseMode: '0' }],
		[
			'without a database',
			'Database Mode',
			{ deployment: 'van', username: 'app', databaseMode: 'none' },
		],
		['with a rate of 0', 'Rate Tier', { rateTier: 'manual', rateLow: 0 }],
		[
			'with no call at a time',
			'Concurrent Requests',
			{ rateTier: 'concurrency', concurrentRequests: 0 },
		],
		['with less than no volume', 'Monthly Requests', { monthlyRequests: -1 }],
		['with a share above 100', 'Rate Share', { rateShare: 101 }],
		['with no time to respond', 'Timeout', { timeout: 0 }],
		['with checks without a pause', 'Poll Interval', { pollInterval: 0 }],
	])('%s, naming %s and no key', (_, field, changes) => {
		const error = rejection(changes);
		expect(error.problems.map((problem) => problem.field)).toEqual([`Credential → ${field}`]);
		expect(error.message.toLowerCase()).not.toContain(KEY.toLowerCase().slice(0, 30));
		expect(error.message).toMatch(/^Credential → [A-Z].*[.]$/s);
	});

	test('with a value that an expression gave, naming it and the accepted values', () => {
		expect(rejection({ databaseMode: '2' }).message).toBe(
			'Credential → Database Mode is "2", but must be one of none, 0, 1. Open the credential and correct it.',
		);
	});

	test('with a key in the wrong field, without naming it', () => {
		expect(rejection({ databaseMode: KEY }).message).toBe(
			'Credential → Database Mode must be one of none, 0, 1. Open the credential and correct it.',
		);
	});

	test('with all its problems at once', () => {
		const { problems, message } = rejection({ baseUrl: '', apiKey: 'x', rateShare: 0 });
		expect(problems).toHaveLength(3);
		expect(message).toMatch(/^3 things to correct\. \(1\) Credential → Base URL is /);
	});

	test.each(['|', '\n'])('with advice where a pasted database mode belongs: %j', (bar) => {
		expect(rejection({ apiKey: `${KEY}${bar}1` }).message).toContain(
			'choose that digit in Database Mode',
		);
	});
});

describe('a deployment', () => {
	/** All but the words for people, which name the deployment. */
	const connectionOf = (data: unknown) => ({ ...readConnection(data), target: undefined });

	const hidden = {
		apiVersion: 'v9',
		authentication: 'header',
		identifierPrefix: 'Other',
		rateTier: 'legacy',
		rateShare: 10,
	};

	test('of the interface itself needs an address and a key', () => {
		const native = { ...valid, deployment: 'native' };
		expect(connectionOf(native)).toEqual(connectionOf(valid));
		const leftovers = { ...hidden, username: 'app', databaseMode: '1' };
		expect(connectionOf({ ...native, ...leftovers })).toEqual(connectionOf(valid));
	});

	test('of EveryAction or NGP VAN needs an application name, a key and a database', () => {
		const asked = { apiKey: KEY, username: 'acme.sync', databaseMode: '0' };
		expect(
			connectionOf({
				deployment: 'van',
				...asked,
				...hidden,
				baseUrl: 'https://old.example.org',
			}),
		).toEqual(
			connectionOf({
				...asked,
				deployment: 'other',
				baseUrl: 'https://api.securevan.com',
				apiVersion: 'v4',
				identifierPrefix: 'Van',
			}),
		);
	});

	test('is the interface itself where none is stored, as n8n shows it', () => {
		const { baseUrl, apiKey } = valid;
		const stored = {
			baseUrl,
			apiKey,
			apiVersion: 'v4',
			identifierPrefix: 'Van',
			databaseMode: '1',
		};
		expect(readConnection(stored)).toEqual(readConnection({ ...stored, deployment: 'native' }));
		expect(readConnection(stored).root).toBe('https://api.example.org/v2');
	});
});

test.each(['http://localhost:8080', 'http://127.1.2.3', 'http://[::1]:80'])(
	'plain http is possible to this machine: %s',
	(baseUrl) => {
		expect(readConnection({ ...valid, baseUrl }).root).toContain('http://');
	},
);

describe('a link to the machine of n8n', () => {
	const connection = readConnection(valid);
	test.each([
		'https://LOCALHOST.:8443',
		'https://n8n.localhost',
		'https://0x7f.1',
		'https://0.0.0.0',
		'https://[::1]',
		'https://[::]',
		'https://[::ffff:7f01:203]',
		'https://[0:0:0:0:0:ffff:127.0.0.1]',
		'https://[::ffff:0.0.0.0]',
	])('is recognised: %s', (link) => {
		expect(leadsToThisMachine(new URL(link), connection.root)).toBe(true);
	});

	test.each([
		'https://files.example.org',
		'https://localhost.example.org',
		'https://[::ffff:128.0.0.1]',
	])('is not %s', (link) => {
		expect(leadsToThisMachine(new URL(link), connection.root)).toBe(false);
	});

	test('may be one where the service is there, too', () => {
		const local = readConnection({ ...valid, baseUrl: 'http://localhost:4010' });
		expect(leadsToThisMachine(new URL('https://[::ffff:127.0.0.1]'), local.root)).toBe(false);
	});
});

describe('the root of all addresses', () => {
	test.each([
		['https://api.example.org///', '/v2/', 'https://api.example.org/v2'],
		['  https://api.example.org  ', ' v4 ', 'https://api.example.org/v4'],
		['https://api.example.org', '', 'https://api.example.org'],
		['https://api.example.org/gateway/van/', 'v2', 'https://api.example.org/gateway/van/v2'],
		['https://api.example.org:8443', 'v2.1', 'https://api.example.org:8443/v2.1'],
		['https://api.example.org/v2', 'v2', 'https://api.example.org/v2'],
	])('of %s and version "%s" is %s', (baseUrl, apiVersion, root) => {
		expect(readConnection({ ...valid, baseUrl, apiVersion }).root).toBe(root);
	});
});

describe('the key is sent', () => {
	test.each([
		['none', KEY],
		['1', `${KEY}|1`],
	])('by HTTP Basic or in a header, database mode %s', (databaseMode, password) => {
		const basic = readConnection({ ...valid, databaseMode }).authenticationHeaders;
		expect(decodedBasic(basic)).toBe(`apiuser:${password}`);
		const header = readConnection({ ...valid, authentication: 'header', databaseMode });
		expect(header.authenticationHeaders).toEqual({ apiKey: password });
	});

	test('with the username the deployment wants', () => {
		const { authenticationHeaders } = readConnection({ ...valid, username: ' my.app ' });
		expect(decodedBasic(authenticationHeaders)).toBe(`my.app:${KEY}`);
	});
});

test('every form in which the key is sent is a secret', () => {
	const { authenticationHeaders, secrets } = readConnection({ ...valid, databaseMode: '1' });
	const redactor = new Redactor(secrets);
	expect(redactor.text(JSON.stringify(authenticationHeaders))).toMatch(
		/^\{"Authorization":"Basic \*\*\*=*"\}$/,
	);
	expect(redactor.text(`${KEY}|1 ${KEY.toLowerCase()}`)).toBe('*** ***');
	// The forms in which services repeat it: .NET without dashes, Gson with an escaped padding, URLs with their own Base64.
	const login = Buffer.from(`apiuser:${KEY}|1`);
	const repeated = [
		KEY.replaceAll('-', ''),
		login.toString('base64').replaceAll('=', '%3D'),
		login.toString('base64').replaceAll('=', String.raw`\u003d`),
		login.toString('base64url'),
	];
	for (const text of repeated) expect(redactor.text(text)).toMatch(/^\*{3}(%3D|\\u003d)*$/);
});

test('the same key in another casing draws on the same rate, another address does not', () => {
	const identity = (changes: Record<string, unknown>) =>
		readConnection({ ...valid, ...changes }).rateIdentity;
	expect(identity({ apiKey: KEY.toLowerCase() })).toBe(identity({ apiKey: KEY.toUpperCase() }));
	expect(identity({ databaseMode: '1' })).toBe(identity({}));
	expect(identity({ baseUrl: 'https://other.example.org' })).not.toBe(identity({}));
});

import * as fc from 'fast-check';

import { redactUrls, Redactor } from '../../../nodes/shared/transport/redaction';
import { longestTurnOf } from '../../support/eventLoop';
import { repetitions } from '../../support/randomCases';

const KEY = '01234567-89ab-cdef-0123-456789abcdef';
const BASIC = Buffer.from(`apiuser:${KEY}|1`).toString('base64');
const redactor = new Redactor([`${KEY}|1`, KEY, BASIC, '']);

describe('the key', () => {
	test.each([
		['with its database mode', `key ${KEY}|1.`, 'key ***.'],
		['with another database mode', `key ${KEY}|0.`, 'key ***|0.'],
		['in the Basic header', `Authorization: Basic ${BASIC}`, 'Authorization: Basic ***'],
	])('is hidden %s', (_, text, expected) => {
		expect(redactor.text(text)).toBe(expected);
	});

	test('does not survive anywhere in any value', () => {
		const withKey = fc
			.tuple(fc.string(), fc.constantFrom(KEY, KEY.toUpperCase(), `${KEY}|1`, BASIC), fc.string())
			.map((parts) => parts.join(''));
		const leaf = fc.oneof(withKey, fc.string(), fc.integer(), fc.constant(null));
		const value = fc.letrec<{ any: unknown }>((tie) => ({
			any: fc.oneof(
				{ maxDepth: 4 },
				leaf,
				fc.array(tie('any'), { maxLength: 4 }),
				fc.dictionary(fc.oneof(withKey, fc.string()), tie('any'), { maxKeys: 4 }),
			),
		})).any;
		fc.assert(
			fc.property(value, (input) => {
				const shown = JSON.stringify(redactor.value(input)).toLowerCase();
				expect(shown).not.toContain(KEY);
				expect(shown).not.toContain(BASIC.toLowerCase());
			}),
		);
	});

	test('may contain characters that mean something in patterns', () => {
		expect(new Redactor(['a.b*c|(d']).text('a.b*c|(d axb')).toBe('*** axb');
	});
});

describe('user and password of an address', () => {
	test.each([
		['https', 'https://me:secret@files.example.org/a.zip', 'https://***@files.example.org/a.zip'],
		['a user alone', 'sftp://me@files.example.org/a', 'sftp://***@files.example.org/a'],
		['percent-encoded signs', 'sftp://me:s%40%2F%3A@example.org/a', 'sftp://***@example.org/a'],
		['several @', 'https://me@example.org:se@cr@et@example.org/', 'https://***@example.org/'],
		['quotation marks', 'https://me:se"c<r>et@example.org/', 'https://***@example.org/'],
		['a single slash', 'https:/me:secret@example.org/', 'https:/***@example.org/'],
		['no slash', 'https:me:secret@example.org/', 'https:***@example.org/'],
		['escaped slashes', '"https:\\/\\/me:secret@example.org"', '"https:\\/\\/***@example.org"'],
		[
			'several addresses in a sentence',
			'from sftp://a:b@one.example.org/x to https://c:d@two.example.org.',
			'from sftp://***@one.example.org/x to https://***@two.example.org.',
		],
		[
			'an address in JSON text',
			'{"sourceUrl":"https://a:b@example.org/x","email":"data@example.org"}',
			'{"sourceUrl":"https://***@example.org/x","email":"data@example.org"}',
		],
	])('are hidden with %s', (_, text, expected) => {
		expect(redactUrls(text)).toBe(expected);
	});

	test.each([
		'write to data@example.org',
		'mailto:data@example.org',
		'https://example.org/people?email=data@example.org',
		'https://example.org/@team',
		'https://example.org#data@example.org',
		'see https://example.org and write to data@example.org',
		'{"url":"https://example.org","email":"data@example.org"}',
		'the time is 12:30, ask data@example.org',
	])('are not seen where there are none: %s', (text) => {
		expect(redactUrls(text)).toBe(text);
	});

	test('never survive, whatever an address parser accepts in them', () => {
		const password = fc
			.string({ minLength: 1, maxLength: 12, unit: 'grapheme-ascii' })
			.map((text) => `pw-${text.replace(/[\s/?#\\]/g, '')}-pw`);
		fc.assert(
			fc.property(fc.constantFrom('https', 'sftp', 'ftps'), password, (scheme, secret) => {
				const address = `${scheme}://me:${secret}@files.example.org/a.zip`;
				expect(new URL(address).hostname).toBe('files.example.org');
				expect(redactUrls(address)).toBe(`${scheme}://***@files.example.org/a.zip`);
			}),
		);
	});
});

describe('user and password of an address that was sent', () => {
	// Begins with letters that no other text has.
	const secret = (start: string) =>
		fc
			.string({ unit: 'grapheme', maxLength: 12 })
			.map((text) => `${start}${text.replace(/[/?#@:\\\s]/g, ' ')}${start}`);
	const page = (text: string) =>
		text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
	const html = (text: string) => page(text).replace(/"/g, '&quot;');
	const forms: Array<(text: string) => string> = [
		(text) => text,
		encodeURIComponent,
		encodeURI,
		page,
		html,
		(text) => html(text).replace(/'/g, '&#x27;'),
		(text) => page(text).replace(/'/g, '&#039;').replace(/"/g, '&#34;'),
		(text) => JSON.stringify(text).slice(1, -1),
	];

	test('appear nowhere in a page that leaves quotation marks as they are', () => {
		const own = new Redactor();
		own.hideUrlSecrets({ url: `sftp://Zq'&Zq:Xv"<Xv@files.example.org/a.zip` });
		expect(own.text(`Login of Zq'&amp;Zq with Xv"&lt;Xv failed`)).toBe(
			'Login of *** with *** failed',
		);
	});

	test('appear nowhere, however a text repeats them', () => {
		fc.assert(
			fc.property(
				...([secret('Zq'), secret('Xv'), fc.boolean(), fc.constantFrom(...forms)] as const),
				(user, password, isEncoded, form) => {
					const write = isEncoded ? encodeURIComponent : (text: string) => text;
					const sourceUrl = `sftp://${write(user)}:${write(password)}@files.example.org/a.zip`;
					const own = new Redactor();
					own.hideUrlSecrets({ file: { sourceUrl } });
					const texts = [
						sourceUrl,
						form(sourceUrl),
						`Login of ${form(user)} with ${form(password)} failed`,
						`<a href="${html(sourceUrl)}">x</a>`,
						URL.canParse(sourceUrl) ? new URL(sourceUrl).href : '',
					];
					for (const text of texts) {
						const shown = own.text(text);
						expect(shown).not.toContain('Xv');
						expect(shown).not.toContain('Zq');
					}
				},
			),
			{ numRuns: repetitions(500) },
		);
	});

	test('leave words alone that only contain a short user', () => {
		const own = new Redactor();
		own.hideUrlSecrets('sftp://me:abc@files.example.org/a.zip');
		expect(own.text('some name of me: abc, abcdef')).toBe('some name of ***: ***, abcdef');
	});
});

test.each(['sftp://bob:my secret@host/a.zip', ' https://my user:"secret>@host/a.zip'])(
	'an address alone loses its whole user and password: %s',
	(address) => {
		expect(redactUrls(address).trim()).toMatch(/^(sftp|https):\/\/\*\*\*@host\/a\.zip$/);
	},
);

describe('what is no secret', () => {
	test.each([
		'https://tiktok.com/@ann',
		'https://example.org/?mail=ann@example.org',
		'mailto:ann@example.org',
		'bob:secret@example.org',
	])('stays as it is after %s', (link) => {
		const own = new Redactor();
		own.hideUrlSecrets({ link });
		expect(own.text('ann, mail=ann, tiktok.com/, bob and secret')).toBe(
			'ann, mail=ann, tiktok.com/, bob and secret',
		);
	});

	test('is what another call has sent', () => {
		const own = new Redactor([KEY]);
		const ofCall = own.with({ link: 'https://ann:secret1@example.org' });
		expect(ofCall.text(`ann has secret1 and ${KEY}`)).toBe('*** has *** and ***');
		expect(own.text('ann has secret1')).toBe('ann has secret1');
	});
});

test('the Basic header of an address is hidden, however its signs are written', () => {
	for (const address of ['https://bob:p@ss wörd@host/a', 'https://bob:p%40ss%20w%C3%B6rd@host/a']) {
		const own = new Redactor();
		own.hideUrlSecrets(address);
		const header = Buffer.from('bob:p@ss wörd').toString('base64');
		expect(own.text(`Authorization: Basic ${header}`)).toMatch(/^Authorization: Basic \*\*\*=*$/);
	}
});

test('thousands of addresses with passwords do not slow down a call', async () => {
	const link = (n: number) => `https://user${n}:secret${n}@files.example.org/`;
	const links = Array.from({ length: 2000 }, (_, n) => link(n));
	let shown: unknown;
	const redact = async (): Promise<void> => {
		const own = new Redactor();
		own.hideUrlSecrets(links);
		shown = own.value({ links, text: 'secret1999 '.repeat(10_000) });
		await Promise.resolve();
	};
	expect(await longestTurnOf(redact, 1000)).toBeLessThanOrEqual(1000);
	expect(JSON.stringify(shown)).not.toMatch(/secret\d|user\d/);
});

import type { IDataObject } from 'n8n-workflow';

import { longestTurnOf } from '../../support/eventLoop';

/** No text stops n8n: a turn of the event loop takes at most this long. */
export const LONGEST_TURN_MS = 50;

const LENGTH = 100_000;

const repeated = (alphabet: string): string => alphabet.repeat(LENGTH / alphabet.length);

/** Each has made a pattern or a loop slow, or could. */
export const texts = [
	'1'.repeat(40_000),
	...['a', ' ', '"', '\\', 'a@', '0,', 'https:', 'https://a:b@c ', 'a\u0301\u0316'].map(repeated),
	...['{{', '($json['].map(repeated),
	// Repeated signs or blanks between words that a pattern looks for.
	`${'+'.repeat(LENGTH)}1`,
	...[' ', ', '].map((blank) => `Donor Name${repeated(blank)}/ last${repeated(blank)}x`),
];
/** Those that only a response can hold. */
export const responseTexts = [
	...texts,
	...['[', '/', '/people/1', 'https:\\', ', file 1, rows 1-1, check aaaaaaaa, key '].map(repeated),
];

/** All of them in one text. */
const mixed = responseTexts.map((text) => text.slice(0, LENGTH / responseTexts.length)).join('');

/** For whole operations. What reads texts is tried with all of them in unit tests, and every pattern is analysed. */
export const fewTexts = [mixed, '1'.repeat(40_000), repeated(' ')];

const shown = (text: string): string => JSON.stringify(text.slice(0, 20)).slice(1, -1);

type Work = (text: string) => Promise<unknown>;

/**
 * The texts that take longer, with the time.
 * @param prepare what the test does itself before, which is not measured
 */
export async function slowTexts(
	tried: string[],
	work: Work,
	prepare: Work = async () => await Promise.resolve(),
): Promise<string[]> {
	const slow: string[] = [];
	for (const text of tried) {
		await prepare(text);
		const longest = await longestTurnOf(async () => await work(text), LONGEST_TURN_MS);
		if (longest > LONGEST_TURN_MS) slow.push(`${shown(text)}…: ${longest} ms`);
	}
	return slow;
}

/** A record with the text wherever the service could write one: shorter, because it is there 16 times. */
const recordWith = (whole: string): IDataObject => {
	const text = whole.slice(0, LENGTH / 5);
	const names = { name: text, status: text, description: text, firstName: text, url: text };
	const record = { id: 1, jobId: 1, codeId: 501, nativeId: 100_001, ...names, dateCreated: text };
	const list = { items: [record], nextPageLink: text };
	return { ...record, ...list, resultFiles: [{ url: text }] };
};
const rejectionWith = (text: string): IDataObject => ({
	errors: [{ code: 'INVALID', text, hint: text, properties: [text] }],
});

/** By status: the texts, and what a service can write them into. */
export const hostileResponses: Array<
	[status: number, texts: string[], body: (text: string) => unknown]
> = [
	[200, [...fewTexts, repeated('['), repeated('/people/1')], recordWith],
	[200, [mixed], (text) => [recordWith(text), text]],
	[400, [mixed], rejectionWith],
	[404, [mixed], (text) => `<html>${text}`],
];

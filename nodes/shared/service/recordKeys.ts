import type { IDataObject } from 'n8n-workflow';

import { buildPath, type PreparedCall } from './endpoints';
import { wholeId } from './bodySchema';
import { nationalDigits } from './phoneNumber';
import { isObject } from './requestBody';
import type { Vocabulary } from './connection';

function textOf(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** Letters and digits only, without case and accents: `D’Ann Sample` is `dannsample`. */
function folded(value: unknown): string {
	return textOf(value)
		.normalize('NFKD')
		.toLowerCase()
		.replace(/[^\p{L}\p{N}]/gu, '');
}

function entriesOf(value: unknown): IDataObject[] {
	return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Everything by which the service could recognise a person: service.md 4.3. */
function personKeys(body: unknown, { personId }: Vocabulary): string[] {
	const person = isObject(body) ? body : {};
	const keys: string[] = [];
	const add = (kind: string, value: string): void => {
		if (value !== '') keys.push(`${kind} ${value}`);
	};
	add('person', String(wholeId(person[personId]) ?? ''));
	for (const { email } of [...entriesOf(person.emails), person])
		add('email', textOf(email).trim().toLowerCase());
	for (const { phoneNumber } of [...entriesOf(person.phones), { phoneNumber: person.phone }])
		add('phone', nationalDigits(textOf(phoneNumber)));
	for (const { type, externalId } of entriesOf(person.identifiers))
		if (folded(externalId) !== '') add('identifier', `${folded(type)}:${folded(externalId)}`);
	const name = `${folded(person.firstName)} ${folded(person.lastName)}`;
	if (name !== ' ') {
		add('born', person.dateOfBirth === undefined ? '' : `${name} ${folded(person.dateOfBirth)}`);
		for (const { zipOrPostalCode } of entriesOf(person.addresses)) {
			const zip = folded(zipOrPostalCode).slice(0, 5);
			if (zip !== '') add('zip', `${name} ${zip}`);
		}
	}
	return keys;
}

/** `007` and `7` are one number, and the service ignores case. */
function normalised(segment: string): string {
	return /^\d+$/.test(segment) ? segment.replace(/^0+(?=\d)/, '') : segment.toLowerCase();
}

/** Calls that share a name may change the same record; `people/7/notes` shares that of `people/7`. */
export function recordKeys(call: PreparedCall, vocabulary: Vocabulary): string[] {
	const { endpoint } = call;
	if (endpoint.retry === 'read') return [];
	const [resource = '', record = ''] = buildPath(endpoint, call.path)
		.slice(1)
		.split('/')
		.map((segment) => normalised(decodeURIComponent(segment)));
	// A word in place of an ID is an action: people/findOrCreate.
	const isRecord = record !== '' && !(endpoint.method === 'POST' && /^[a-z]+$/.test(record));
	if (isRecord) return [`${resource}/${record}`];
	return resource === 'people' || endpoint.matchesPeople ? personKeys(call.body, vocabulary) : [];
}

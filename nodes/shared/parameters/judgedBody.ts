import { valueKindOf } from '../importFile/headerSynonyms';
import { judgeValue, type ValueKind } from '../importFile/valueKinds';
import type { BodyFields } from '../service/bodyField';
import { MOST_ENTRIES } from '../service/bodySchema';
import { isArtefact } from '../service/noValue';
import { nationalDigits } from '../service/phoneNumber';
import { isObject } from '../service/requestBody';

/** Properties of bodies that no field of an import is named like. */
const KINDS: Readonly<Record<string, ValueKind>> = {
	additionalEnvelopeName: 'words',
	additionalSalutation: 'words',
	assignedValue: 'words',
	dateCanvassed: 'date',
	dateOfBirth: 'birth',
	description: 'words',
	employer: 'words',
	envelopeName: 'words',
	formalEnvelopeName: 'words',
	formalSalutation: 'words',
	jobTitle: 'words',
	name: 'words',
	nickname: 'name',
	occupation: 'words',
	organizationContactCommonName: 'words',
	organizationContactOfficialName: 'words',
	phoneNumber: 'phone',
	salutation: 'words',
	zipOrPostalCode: 'zip',
};

const kindOf = (property: string): ValueKind | undefined =>
	KINDS[property] ?? valueKindOf(property);

/** What was found in a value of a body, by its property: what it was, and what is sent; empty for no value. */
export interface JudgedValue {
	property: string;
	before: string;
	after: string;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * A body with its values as a list would have them: without words for nothing, and with what is certain
 * cleaned. Everything else stays, for the check of the body.
 * @param note is called for each value that is changed
 */
export function judgedBody(
	input: unknown,
	fields: BodyFields,
	note: (judged: JudgedValue) => void,
): unknown {
	if (Array.isArray(input) && input.length <= MOST_ENTRIES)
		return input.map((entry) => judgedBody(entry, fields, note));
	if (!isObject(input)) return input;
	const place = {
		state: textOf(input.stateOrProvince),
		country: textOf(input.countryCode),
	};
	return Object.fromEntries(
		Object.entries(input).map(([property, value]): [string, unknown] => {
			const field = Object.hasOwn(fields, property) ? fields[property] : undefined;
			if (field?.fields) return [property, judgedBody(value, field.fields, note)];
			const kind = field && kindOf(property);
			if (kind === undefined || typeof value !== 'string') return [property, value];
			const { verdict, text, reason } = judgeValue(kind, value, place);
			const isBlank = verdict === 'noValue' && reason === undefined && value.trim() !== '';
			if (!isBlank && verdict !== 'cleaned') return [property, value];
			// An expression without a value is a mistake where the field identifies a person.
			if (isArtefact(value) && !field?.schema.safeParse(value).success) return [property, value];
			// The body has only the digits anyway.
			if (kind === 'phone' && nationalDigits(value) === nationalDigits(text) && text !== '')
				return [property, value];
			// Nobody sees blanks around it as a change.
			if (text !== value.trim()) note({ property, before: value, after: text });
			return [property, isBlank ? undefined : text];
		}),
	);
}

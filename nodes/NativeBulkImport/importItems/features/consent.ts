import type { INodeProperties } from 'n8n-workflow';

import { simplifyName } from '../../../shared/importFile/fileColumns';
import { CONTROL_FIELD } from '../../../shared/importFile/headerSynonyms';
import { type Problem, throwIfAny } from '../../../shared/service/invalidInput';
import { CONTACT_PLACE, type ImportFeature } from '../feature';
import {
	type MappedField,
	type MappingPlan,
	type PlannedColumn,
	screenName,
} from '../mapping/importMapping';

const LABEL = 'Consent Was Collected';

const option: INodeProperties = {
	displayName: LABEL,
	name: 'consentWasCollected',
	type: 'boolean',
	default: false,
	description:
		'Whether everybody whom this import opts in to calls, texts or emails has agreed. Needed for an opt-in that is the same for all rows, or has no column with its date.',
};

/** E.g. `PhoneOptInStatusID` and `EmailSubscriptionStatusId`. */
function isOptInField({ field }: MappedField): boolean {
	return /OptIn|Subscription|Consent/i.test(field) && !CONTROL_FIELD.test(field);
}

/** `Opt Out`, `Unknown`, `Not Subscribed` and the like; without its name, any other value may opt in. */
const OPTS_NOBODY_IN = /^(un|not?\b|opt(ed)?[ -]?out)/i;

/** The name of a fixed value that opts people in; undefined for other values. */
function optInName({ accepted, value }: MappedField) {
	const name = accepted?.entries.find(({ id }) => String(id) === value)?.name ?? value;
	return OPTS_NOBODY_IN.test(name) ? undefined : name;
}

/** Words of a consent, not of its end: `date unsubscribed` is not one. */
const CONSENT = /\b(opt(ed)? ?in|consent|subscri|sign(ed)? ?up)/;
/** `Consent given on`, but not `Consent on file`. */
const MOMENT = /\b(date|datetime|time|timestamp)\b|\b(at|on)$/;
const END =
	/\b(un ?subscri|opt(ed)? ?out|revo|withdr|cancel|declin|refus|den(y|ied|ial)|remov|reject|terminat|expir|renew|lapse|ends?\b|ended\b)/;

/** `OptInDate` and `opt_in_date` → `opt in date`. */
function wordsOf(name: string): string {
	const words = name.slice(0, 500).split(/[^\p{L}\p{N}]+|(?<=\p{Ll})(?=\p{Lu})/u);
	return words.map(simplifyName).join(' ').trim();
}

/** Throws InvalidInput for an opt-in that nobody vouches for. */
function checkConsent(
	{ fixed, columns }: MappingPlan,
	properties: readonly string[],
	optsNobodyIn: (column: PlannedColumn) => boolean,
): void {
	const problem = (target: MappedField, effect: string, other: string): Problem => ({
		field: screenName(target),
		text: `${effect} If everybody agreed, turn on ${LABEL} in ${CONTACT_PLACE}. Otherwise remove this field, or ${other}.`,
	});
	const hasDate = properties
		.map(wordsOf)
		.some((words) => CONSENT.test(words) && MOMENT.test(words) && !END.test(words));
	const mapped = columns
		.filter((column) => !optsNobodyIn(column))
		.flatMap(({ expression = '', fields }) =>
			fields
				.filter(isOptInField)
				.map((target) => ({ target, isForAll: !expression.includes('$') })),
		);
	throwIfAny([
		...fixed.filter(isOptInField).flatMap((target) => {
			const name = optInName(target);
			const effect = `would store "${name}" for everybody in the list.`;
			return name === undefined
				? []
				: [problem(target, effect, 'map it to a column that says who agreed')];
		}),
		...mapped
			.filter(({ isForAll }) => isForAll || !hasDate)
			.map(({ target, isForAll }) =>
				isForAll
					? problem(
							target,
							'can opt people in, and its expression does not depend on the row.',
							'enter it as a fixed value, or map it to a column that says who agreed',
						)
					: problem(
							target,
							'can opt people in, and no column says when they agreed.',
							'add a column such as Opt-In Date. For a list that only opts people out, enter the opt-out as a fixed value',
						),
			),
	]);
}

export const consent: ImportFeature = {
	options: { group: 'contact', place: 0, fields: [option] },
	of({ parameters, sends }) {
		if (!sends || parameters.in('options').flag('consentWasCollected')) return undefined;
		return {
			checkMapping: async (mapping, rows, optsNobodyIn) =>
				checkConsent(mapping, await rows.properties(), optsNobodyIn),
		};
	},
};

import { mapValues } from 'lodash';

import { plainTest } from '../../../shared/importFile/plainValues';
import { judgeValue, KINDS, type ValueKind } from '../../../shared/importFile/valueKinds';
import { dayText } from '../../../shared/service/dateText';

/** A value as people are compared by it; empty for what has no text. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	if (typeof value === 'number') return String(value);
	const day = dayText(value);
	return typeof day === 'string' ? day : '';
}

const PLAIN = mapValues(KINDS, (_, kind) => plainTest(kind as ValueKind));

/** Whether no rule could object to a text: asked by all from one memory of the last values. */
export function isPlain(kind: ValueKind, text: string): boolean {
	return PLAIN[kind](text);
}

/** The text of a value as it is judged: blank for one that says nothing, or cannot be sent. */
export function saidText(kind: ValueKind, text: string): string {
	if (isPlain(kind, text)) return text;
	const judged = judgeValue(kind, text);
	return judged.verdict === 'impossible' ? '' : judged.text;
}

/** The same, for comparing people: blank also for a value that may be a mistake. */
export function certainText(kind: ValueKind, text: string): string {
	if (isPlain(kind, text)) return text;
	const judged = judgeValue(kind, text);
	return judged.verdict === 'fits' || judged.verdict === 'cleaned' ? judged.text : '';
}

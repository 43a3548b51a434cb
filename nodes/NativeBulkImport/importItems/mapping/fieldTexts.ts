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

/** How texts of a kind are read. */
interface KindTexts {
	/** The text as it is judged: blank for one that says nothing, or cannot be sent. */
	said(text: string): string;
	/** The same, for comparing people: blank also for a value that may be a mistake. */
	certain(text: string): string;
}

function kindTexts(kind: ValueKind): KindTexts {
	const isPlain = plainTest(kind);
	return {
		said(text) {
			if (isPlain(text)) return text;
			const judged = judgeValue(kind, text);
			return judged.verdict === 'impossible' ? '' : judged.text;
		},
		certain(text) {
			if (isPlain(text)) return text;
			const judged = judgeValue(kind, text);
			return judged.verdict === 'fits' || judged.verdict === 'cleaned' ? judged.text : '';
		},
	};
}

/** By kind. */
export const TEXTS = mapValues(KINDS, (_, kind) => kindTexts(kind as ValueKind));

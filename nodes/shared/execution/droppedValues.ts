import type { IExecuteFunctions } from 'n8n-workflow';

import { inTitleCase } from '../service/bodyField';
import type { NativeService } from '../service/nativeService';
import { showHint } from './showHint';

interface Entered {
	/** Read-only properties: a record that was read can be sent back. */
	dropped: readonly string[];
	/** Values that are not sent as they were entered; `after` is empty for a text that means no value. */
	judged: ReadonlyArray<{ property: string; before: string; after: string }>;
}

const LONGEST_SHOWN = 60;

const shown = (text: string): string => JSON.stringify(text.slice(0, LONGEST_SHOWN));

/** Says once per run and property what is not sent, or not as it was entered. */
export function noteDropped(
	{ functions, service }: { functions: IExecuteFunctions; service: NativeService },
	{ dropped, judged }: Entered,
): void {
	const reported = service.once(noteDropped, () => new Set<string>());
	const isFresh = (key: string): boolean => {
		const isNew = !reported.has(key);
		reported.add(key);
		return isNew;
	};
	// Positions in lists differ between items.
	const names = [...new Set(dropped.map((name) => name.replace(/\[\d+\]/g, '')))].filter(isFresh);
	if (names.length > 0)
		showHint(functions, `Not sent, because the service sets it itself: ${names.join(', ')}.`);
	for (const { property, before, after } of judged) {
		if (!isFresh(`${property} ${after === '' ? 'blank' : 'cleaned'}`)) continue;
		const name = inTitleCase(property);
		showHint(
			functions,
			after === ''
				? `${name} ${shown(before)} means "no value" and was not sent.`
				: `${name} was cleaned: ${shown(before)} → ${shown(after)}.`,
		);
	}
}

import type { IExecuteFunctions } from 'n8n-workflow';

import type { NativeService } from '../service/nativeService';

/** The fields a user filled in, as n8n passes them. */
export type FieldValues = Record<string, unknown>;

/** The entries of one kind in a fixed collection with several values. */
export function entries(collection: unknown, kind: string): FieldValues[] {
	const list = (collection as FieldValues | null | undefined)?.[kind];
	return Array.isArray(list) ? (list as FieldValues[]) : [];
}

/** The value typed or chosen in a resource locator. */
export function locatorValue(value: unknown): unknown {
	return value !== null && typeof value === 'object' && '__rl' in value && 'value' in value
		? value.value
		: value;
}

/** The value, or undefined if the field is empty. */
export function nonEmpty(value: unknown): unknown {
	const entered = locatorValue(value);
	const isEmpty = entered === null || (typeof entered === 'string' && entered.trim() === '');
	return isEmpty ? undefined : entered;
}

/** Lists once per run the read-only values that are not sent: a record that was read can be sent back. */
export function noteDropped(
	{ functions, service }: { functions: IExecuteFunctions; service: NativeService },
	dropped: readonly string[],
): void {
	const reported = service.once(noteDropped, () => new Set<string>());
	// Positions in lists differ between items.
	const names = [...new Set(dropped.map((name) => name.replace(/\[\d+\]/g, '')))];
	const fresh = names.filter((name) => !reported.has(name));
	if (fresh.length === 0 || !('addExecutionHints' in functions)) return;
	for (const name of fresh) reported.add(name);
	functions.addExecutionHints({
		message: `Not sent, because the service sets it itself: ${fresh.join(', ')}.`,
		location: 'outputPane',
	});
}

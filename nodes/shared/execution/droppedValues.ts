import type { IExecuteFunctions } from 'n8n-workflow';

import type { NativeService } from '../service/nativeService';
import { showHint } from './showHint';

/** Lists once per run the read-only values that are not sent: a record that was read can be sent back. */
export function noteDropped(
	{ functions, service }: { functions: IExecuteFunctions; service: NativeService },
	dropped: readonly string[],
): void {
	const reported = service.once(noteDropped, () => new Set<string>());
	// Positions in lists differ between items.
	const names = [...new Set(dropped.map((name) => name.replace(/\[\d+\]/g, '')))];
	const fresh = names.filter((name) => !reported.has(name));
	if (fresh.length === 0) return;
	for (const name of fresh) reported.add(name);
	showHint(functions, `Not sent, because the service sets it itself: ${fresh.join(', ')}.`);
}

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Other code in the place of an expression. */
export interface Change {
	id: string;
	file: string;
	start: number;
	end: number;
	/** What the code from start to end becomes. */
	text: string;
}

declare global {
	/** Whether a change counts: whoever runs the code with changes decides. */
	var reachMutant: ((id: string) => boolean) | undefined;
}

/** Puts changes into the files of a folder. All are there at once, so that the code is translated once. */
export function plant(folder: string, changes: readonly Change[]): void {
	const fromTheEnd = changes.toSorted((one, other) => other.start - one.start);
	for (const { file, start, end, text, id } of fromTheEnd) {
		const path = join(folder, file);
		const code = readFileSync(path, 'utf8');
		const planted = `(globalThis.reachMutant?.('${id}') ? (${text}) : (${code.slice(start, end)}))`;
		writeFileSync(path, code.slice(0, start) + planted + code.slice(end));
	}
}

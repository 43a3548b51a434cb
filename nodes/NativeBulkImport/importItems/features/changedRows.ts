import { z } from 'zod';

/** As it is stored with the started jobs; rows are numbered from 1. */
export const storedChangesSchema = z.object({
	unchanged: z.number(),
	/** E.g. `18:Ab3+xyz`: how the row is remembered once it is imported. */
	sent: z.string(),
	comparison: z.string(),
});

/** The rows of a list that are new or changed since they were imported. */
export class ChangedRows {
	/**
	 * @param sent how each row is remembered, by its position from 0; empty if it cannot be written
	 * @param unchanged number of rows that are left out
	 * @param comparison names the comparison in the memory of the node
	 */
	constructor(
		private readonly sent: ReadonlyMap<number, string>,
		readonly unchanged: number,
		readonly comparison: string,
	) {}

	isLeftOut(position: number): boolean {
		return !this.sent.has(position);
	}

	marksOf(isImported: (position: number) => boolean): string[] {
		return [...this.sent].flatMap(([position, mark]) =>
			mark !== '' && isImported(position) ? mark : [],
		);
	}

	store(): z.infer<typeof storedChangesSchema> {
		const rows = [...this.sent].map(([position, mark]) => `${position + 1}:${mark}`);
		return { unchanged: this.unchanged, sent: rows.join(' '), comparison: this.comparison };
	}

	static restore({
		unchanged,
		sent,
		comparison,
	}: z.infer<typeof storedChangesSchema>): ChangedRows {
		const rows = sent.split(' ').map((entry): [number, string] => {
			const [row = '', mark = ''] = entry.split(':');
			return [Number(row) - 1, mark];
		});
		return new ChangedRows(new Map(rows), unchanged, comparison);
	}
}

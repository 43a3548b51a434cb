import { ChangedRows } from '../../../nodes/NativeBulkImport/importItems/features/skipUnchanged/changedRows';

test('a dry run counts rows of which a part was stored and rows in doubt apart', () => {
	const held = new Map([
		[0, { status: 'failed', reason: 'A part was stored.' } as const],
		[1, { status: 'unknown', reason: 'Its outcome is not known.' } as const],
		[2, { status: 'unknown', reason: 'Its outcome is not known.' } as const],
	]);
	const { found } = new ChangedRows(new Map([[3, undefined]]), 4, held);
	const shown = Object.assign({}, ...found.map((each) => each.shown?.(8, 1, String)));
	expect(shown).toEqual({ partlyStored: 1, inDoubt: 2, unchanged: 4, newOrChanged: 1 });
});

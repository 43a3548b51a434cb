import { ChangedRows } from '../../../nodes/NativeBulkImport/importItems/features/skipUnchanged/changedRows';

test('a dry run counts rows of which a part was stored and rows in doubt apart', () => {
	const held = new Map([
		[0, { status: 'failed', reason: 'A part was stored.' } as const],
		[1, { status: 'unknown', reason: 'Its outcome is unknown.' } as const],
		[2, { status: 'unknown', reason: 'Its outcome is unknown.' } as const],
	]);
	const { found } = new ChangedRows(new Map([[3, undefined]]), 4, held);
	const shown = Object.assign({}, ...found.map((each) => each.shown?.(8, 1, String)));
	expect(shown).toEqual({ partlyStored: 1, inDoubt: 2, unchanged: 4, newOrChanged: 1 });
});

const row = (key: string, attempt: number, more: { afterDoubt?: true } = {}) => ({
	key,
	value: `${key}+/=`,
	is: 'open' as const,
	attempt,
	...more,
});

test('what is sent is the same once n8n has stored it', () => {
	const sent = new Map([
		[0, row('a', 0)],
		[2, undefined],
		[9, row('b', 1)],
		[1234, row('c', 12, { afterDoubt: true })],
	]);
	const held = new Map([[5, { status: 'failed', reason: 'A part was stored.' } as const]]);
	const changed = new ChangedRows(sent, 4, held);
	const stored = JSON.parse(JSON.stringify(changed.store())) as ReturnType<ChangedRows['store']>;
	const restored = ChangedRows.restore(stored.changed);
	expect(restored?.sent).toEqual(sent);
	expect(restored?.summary()).toEqual(changed.summary());
	const reasonsOf = ({ found }: ChangedRows) =>
		[0, 2, 5, 6].map((position) => found.flatMap((each) => each.reasonAt(position, String) ?? []));
	expect(restored && reasonsOf(restored)).toEqual(reasonsOf(changed));
});

test('only the statuses that rows have leave rows out', () => {
	const statuses = ({ found }: ChangedRows) => found.map(({ leftOut }) => leftOut?.status);
	expect(statuses(new ChangedRows(new Map(), 1, new Map()))).toEqual(['unchanged']);
	const held = new Map([[0, { status: 'unknown', reason: 'In doubt.' } as const]]);
	expect(statuses(new ChangedRows(new Map(), 1, held))).toEqual(['unknown', 'unchanged']);
});

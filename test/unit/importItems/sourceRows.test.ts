import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidRow } from '../../../nodes/shared/importFile/delimitedRows';
import { ItemRows } from '../../../nodes/NativeBulkImport/rows/sourceRows';

/** Longer than loops may go on without a turn of the event loop. */
const ROW_MS = 8;

test('a row is read when it is asked for, and n8n has its turn before the next one if it took long', async () => {
	const items = Array.from({ length: 6 }, (_, row) => ({ json: { a: row } }));
	let evaluated = 0;
	const functions = {
		getInputData: () => items,
		getExecutionCancelSignal: () => undefined,
		evaluateExpression: () => {
			const end = performance.now() + ROW_MS;
			while (performance.now() < end);
			return ++evaluated;
		},
	} as unknown as IExecuteFunctions;
	let turns = 0;
	let isOver = false;
	const countTurns = (): void => {
		turns++;
		if (!isOver) setImmediate(countTurns);
	};
	setImmediate(countTurns);

	const turnsAt: number[] = [];
	const columns = [{ name: 'A', expression: '={{ $json.a + 1 }}' }];
	for await (const batch of new ItemRows(functions).read(columns))
		for (const row of batch) {
			turnsAt.push(turns);
			expect(row instanceof InvalidRow ? row : row[0]).toBe(evaluated);
		}
	isOver = true;

	expect(evaluated).toBe(items.length);
	// The first turn may begin behind what counts it.
	expect(new Set(turnsAt).size).toBeGreaterThanOrEqual(items.length - 1);
});

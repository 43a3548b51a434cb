import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidRow } from '../../../nodes/shared/importFile/delimitedRows';
import { ItemRows } from '../../../nodes/NativeBulkImport/rows/sourceRows';

/** Longer than loops may go on without a turn of the event loop. */
const ROW_MS = 8;

test('a row is read when it is asked for, and its batch ends if it took long', async () => {
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
	const columns = [{ name: 'A', expression: '={{ $json.a + 1 }}' }];
	for await (const batch of new ItemRows(functions).read(columns)) {
		const rows = [];
		for (const row of batch) {
			rows.push(row);
			expect(row instanceof InvalidRow ? row : row[0]).toBe(evaluated);
		}
		expect(rows.length).toBeLessThanOrEqual(1);
	}
	expect(evaluated).toBe(items.length);
});

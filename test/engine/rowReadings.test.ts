import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { FileRows, ItemRows } from '../../nodes/NativeBulkImport/rows/sourceRows';
import { csvOf, fileOf, itemImport, itemsOf, people, personMap } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

/** Everything that wants to see the rows before they are sent. */
const ALL = { runKey: 'today', cleanValues: true, duplicates: 'stop', report: true };

/** How often an import reads the values of its rows. */
async function readings(items: INodeExecutionData[], options: INodeParameters): Promise<number> {
	const reads = [ItemRows, FileRows].map(({ prototype }) => jest.spyOn(prototype, 'read'));
	try {
		const parameters = itemImport(service, personMap, {
			source: 'detect',
			options: { pollInterval: 0.05, maxRowsPerFile: 4, ...options },
		});
		const { error } = await service.run(node, parameters, { items });
		expect(error).toBeUndefined();
		return reads.reduce((sum, { mock }) => sum + mock.calls.length, 0);
	} finally {
		for (const read of reads) read.mockRestore();
	}
}

const rows = people(9);
const withDuplicate = [...rows, ...rows.slice(0, 1)];

describe.each([
	['items', async (list: typeof rows) => await Promise.resolve(itemsOf(list))],
	['a file', async (list: typeof rows) => [await fileOf(csvOf(list))]],
])('the rows of %s', (_, source) => {
	test.each<[string, number, INodeParameters, typeof rows]>([
		['once for all who want to see them', 1, ALL, rows],
		['once if nothing waits for their outcome', 1, { ...ALL, waitForOutcome: 'none' }, rows],
		['once for a dry run', 1, { ...ALL, dryRun: true }, rows],
		['once more to look people up', 2, { dryRun: true, lookUpMatches: 'all' }, rows],
		['once more if rows are left out', 2, { duplicates: 'first' }, withDuplicate],
	])('are read %s', async (__, times, options, list) => {
		expect(await readings(await source(list), options)).toBe(times);
	});
});

test.each<[string, number, typeof rows]>([
	['never if all were sent', 0, rows],
	['once if one was not', 1, people(9, { 1: { Mail: 'nobody' } })],
])('of a file nothing waits for, values are read for the output %s', async (_, times, list) => {
	const read = jest.spyOn(FileRows.prototype, 'readGiven');
	const items = [await fileOf(csvOf(list))];
	await readings(items, { waitForOutcome: 'none' });
	expect(read).toHaveBeenCalledTimes(times);
	read.mockRestore();
});

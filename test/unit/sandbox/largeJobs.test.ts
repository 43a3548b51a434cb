import { longestTurnOf } from '../../support/eventLoop';
import { repetitions } from '../../support/randomCases';
import { useSandbox } from './sandboxCalls';

/** A job must not keep other calls waiting, however many of its rows look alike. */

const MOST_MS = 250;

const service = useSandbox();
const COLUMNS = ['FirstName', 'LastName', 'Email', 'Phone', 'AddressLine1', 'ZipOrPostal'];

test.each<[string, number, (row: number) => string]>([
	['one name', 5000, (row) => `Ann,Sample,p${row}@example.org,,${row} Elm St,10001`],
	[
		'one phone of an office',
		5000,
		(row) => `First${row},Last${row},,212-555-0100,${row} Elm St,10001`,
	],
	[
		'one phone and one first name',
		repetitions(2000, 1000),
		(row) => `Ann,Last${row},,212-555-0100,${row} Elm St,10001`,
	],
])('responds while it imports rows with %s', async (_, count, rowOf) => {
	const before = service.people().length;
	const rows = Array.from({ length: count }, (_row, index) => rowOf(index));
	let imported = 0;
	const importRows = async () => {
		service.sandbox.control.reset();
		const sourceUrl = await service.host('people.csv', rows.join('\n'));
		await service.post('/v2/bulkImportJobs', {
			description: 'Test import',
			file: { fileName: 'people.csv', sourceUrl, columns: COLUMNS.map((name) => ({ name })) },
			actions: [
				{
					actionType: 'loadMappedFile',
					resourceType: 'Contacts',
					resultFileSizeKbLimit: 5000,
					mappingTypes: [{ name: 'CreateOrUpdateContact' }],
				},
			],
		});
		await service.settle();
		imported = service.people().length - before;
	};
	expect(await longestTurnOf(importRows, MOST_MS)).toBeLessThanOrEqual(MOST_MS);
	expect(imported).toBe(count);
});

import type { IDataObject } from 'n8n-workflow';

import { mapAutomatically } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { itemImport, itemsOf, personMap } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

const importRows = async (rows: IDataObject[], map?: Record<string, string>) =>
	await service.run(
		node,
		itemImport(service, map ?? {}, {
			options: { pollInterval: 0.05 },
			...(map ? {} : { fieldMap: mapAutomatically }),
		}),
		{ items: itemsOf(rows) },
	);

/** The rows that Extract from File returns for a sheet whose first row is a title. */
const sheet = (...rows: string[][]): IDataObject[] =>
	rows.map((values) =>
		Object.fromEntries(
			values.flatMap((value, at): Array<[string, string]> => {
				const name = at === 0 ? 'Spring Gala' : `__EMPTY${at > 1 ? `_${at - 1}` : ''}`;
				return value === '' ? [] : [[name, value]];
			}),
		),
	);
const ANN = ['Ann', 'Sample', 'ann@example.org'];
const HEADERS = ['First Name', 'Last Name', 'Mail'];

it.each([
	['automatically', undefined],
	['by hand', personMap],
])('says what to set where a title is above the columns, mapped %s', async (_, map) => {
	const { error } = await importRows(sheet(HEADERS, ANN), map);
	expect(error?.message).toBe(
		'Item 1 names the columns ("First Name", "Last Name", "Mail"), because the first row of the sheet is something else, such as a title. Add the option Range in "Extract from File", and enter how many rows of the sheet are above the one that names the columns. A CSV file needs no "Extract from File": connect the file itself to this node.',
	);
	expect(service.starts()).toEqual([]);
});

it('finds the item below further titles', async () => {
	const { error } = await importRows(sheet(['Members of March'], HEADERS, ANN));
	expect(error?.message).toContain('Item 2 names the columns ("First Name", "Last Name", "Mail")');
});

it('says that a sheet has no names of columns', async () => {
	const { error } = await importRows([
		{ Ann: 'Bo', Sample: 'Example', 'ann@example.org': 'bo@example.org' },
	]);
	expect(error?.message).toContain(
		'Items have no names of columns: what should name them looks like a person, with "ann@example.org".',
	);
});

it('says that Header Row is off', async () => {
	const { error } = await importRows([{ row: HEADERS }, { row: ANN }]);
	expect(error?.message).toContain('Turn on the option Header Row in "Extract from File".');
});

it.each<[string, IDataObject]>([
	[
		'an empty column',
		{ 'First Name': 'Ann', 'Last Name': 'Sample', __EMPTY: '', Mail: 'a@example.org' },
	],
	['a column without a name', { Name: 'Sample, Ann', '': 'Home', Mail: 'a@example.org' }],
])('imports items with %s', async (_, row) => {
	const { outputs, error } = await importRows([row]);
	expect(error).toBeUndefined();
	expect(outputs[0]?.map(({ json }) => json.status)).toEqual(['imported']);
});

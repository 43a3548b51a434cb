import { parse } from 'csv-parse/sync';
import { pick } from 'lodash';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { shownImport } from '../../../hosts/importScreen';
import { fromList, mapFields } from '../../../hosts/locators';
import { type NodeRun, readBinary, storeBinary } from './engine';
import type { Sandboxed } from './sandboxed';
import { unzip } from './unzipped';

/** The rows of the first file of an import with Hosting None as they are sent, by the name of the column. */
export async function sentBy({ outputs }: NodeRun): Promise<Array<Record<string, string>>> {
	const [text] = (await unzip(await readBinary(outputs[0]?.[0], 'data'))).values();
	return parse(text ?? '', { columns: true });
}

/** The expression of a property of the item, or of a column of the file. */
export const property = (name: string): string => `={{ $json[${JSON.stringify(name)}] }}`;

/** The fields of a contact, from rows with the columns "First Name", "Last Name" and "Mail". */
export const personMap = {
	'CreateOrUpdateContact:FirstName': property('First Name'),
	'CreateOrUpdateContact:LastName': property('Last Name'),
	'CreateOrUpdateContact:Email': property('Mail'),
};

/**
 * An import of contacts with one node over the sandbox's file host.
 * @param map by the ID of the field
 * @param changes replace parameters as a whole; options stand flat in `options`, and go where the screen has them
 */
export const itemImport = (
	{ sandbox }: Sandboxed,
	map: Record<string, string>,
	changes: INodeParameters = {},
): INodeParameters => ({
	// For the tests, which read it; the node does not know it there.
	...pick(changes, 'source'),
	...shownImport({
		resource: 'job',
		operation: 'createFromItems',
		resourceType: fromList('Contacts'),
		mappingTypes: ['CreateOrUpdateContact'],
		fieldMap: mapFields(map),
		description: 'Items of a test',
		hosting: 'put',
		uploadUrl: `${sandbox.url}/drop/{file}?sig=1`,
		downloadUrl: `${sandbox.httpsUrl}/drop/{file}`,
		...changes,
	}),
});

export const itemsOf = (rows: readonly object[]): INodeExecutionData[] =>
	rows.map((json) => ({ json: json as IDataObject }));

/** An item with a file in the field `data`. */
export async function fileOf(content: string | Uint8Array): Promise<INodeExecutionData> {
	const file = { fileName: 'people.csv', mimeType: 'text/csv' };
	return { json: {}, binary: { data: await storeBinary(Buffer.from(content), file) } };
}

/** Rows as a file has them, headed by their columns. */
export const csvOf = (rows: readonly object[]): string =>
	[Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
		.map((values) => `${values.join(',')}\n`)
		.join('');

/** Rows as items or, with the source "binary", as a file. */
export const inputOf = async (rows: readonly object[], source: unknown) =>
	source === 'binary' ? [await fileOf(csvOf(rows))] : itemsOf(rows);

/** Rows for {@link personMap}. */
export const people = (count: number, changes: Record<number, IDataObject> = {}): IDataObject[] =>
	Array.from({ length: count }, (_, row) => ({
		'First Name': `First${row}`,
		'Last Name': `Last${row}`,
		Mail: `p${row}@example.org`,
		...changes[row],
	}));

/** A value as an expression. Braces side by side would end it. */
export const asExpression = (value: unknown): string =>
	`={{ ${JSON.stringify(value).replaceAll('}}', '} }').replaceAll('}}', '} }')} }}`;

export const resultOf = (item: INodeExecutionData | undefined) =>
	item?.json.importResult as IDataObject;
export const statusesOf = (items: INodeExecutionData[] | undefined) =>
	items?.map(({ json }) => json.status);
export const messagesOf = ({ hints }: NodeRun): string =>
	hints.map(({ message }) => message).join(' ');

/** What Only Show says of the list as a whole. */
export const totalsOf = ({ outputs }: Pick<NodeRun, 'outputs'>): IDataObject =>
	(outputs.flat().find(({ json }) => json.totals !== undefined)?.json.totals ?? {}) as IDataObject;

/** What would stop an import that is only shown. */
export const stopsOf = ({ outputs }: NodeRun): string[] =>
	outputs.flat().flatMap(({ json }) => {
		const [, stop] = /^Would stop the import: ([^]*)/.exec(String(json.problem)) ?? [];
		return stop ?? [];
	});

/** What stopped an import, or would. */
export const whyStopped = (run: NodeRun): string => run.error?.message ?? stopsOf(run).join(' ');

/** The HTML of the report; empty without one. */
export async function reportOf({ outputs }: NodeRun): Promise<string> {
	const item = outputs.flat().find(({ binary }) => binary?.report);
	return item ? (await readBinary(item, 'report')).toString() : '';
}

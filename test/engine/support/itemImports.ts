import { parse } from 'csv-parse/sync';
import type { INodeParameters } from 'n8n-workflow';

import { fromList } from '../../../hosts/locators';
import { type NodeRun, readBinary } from './engine';
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
 * @param changes replace parameters as a whole
 */
export const itemImport = (
	{ sandbox }: Sandboxed,
	map: Record<string, string>,
	changes: INodeParameters = {},
): INodeParameters => ({
	resource: 'job',
	operation: 'createFromItems',
	resourceType: fromList('Contacts'),
	mappingTypes: ['CreateOrUpdateContact'],
	fieldMap: {
		mappingMode: 'defineBelow',
		value: map,
		schema: [],
		matchingColumns: [],
	} as unknown as INodeParameters,
	description: 'Items of a test',
	hosting: 'put',
	uploadUrl: `${sandbox.url}/drop/{file}?sig=1`,
	downloadUrl: `${sandbox.httpsUrl}/drop/{file}`,
	options: { pollInterval: 0.05 },
	...changes,
});

import type { INodeParameters } from 'n8n-workflow';

import { fromList } from '../../../hosts/locators';
import type { Sandboxed } from './sandboxed';

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

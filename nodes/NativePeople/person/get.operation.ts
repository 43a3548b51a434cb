import { asItems, type NodeOperation } from '../../shared/execution/operation';
import {
	personReferenceFields,
	personReferenceInput,
} from '../../shared/parameters/personReference';
import { simplifyFields, simplifyIfAsked } from '../../shared/parameters/simplify';
import { endpoints } from '../../shared/service/endpoints';
import { expandField, readPerson } from '../personMatch';

export const getOperation: NodeOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get person',
	description: 'Read one person by the number the service gave them or by an ID of another system',
	calls: [endpoints.getPerson],
	properties: [...personReferenceFields, expandField, ...simplifyFields],
	async run({ parameters, service }) {
		const person = personReferenceInput(parameters);
		const record = await readPerson(service, person, parameters.names('expand'));
		return asItems(simplifyIfAsked(parameters, record));
	},
};

import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { dateFormatOption } from '../../shared/parameters/dateFormat';
import {
	personReferenceFields,
	personReferenceInput,
} from '../../shared/parameters/personReference';
import { simplifyFields, simplifyIfAsked } from '../../shared/parameters/simplify';
import { endpoints, prepareCall } from '../../shared/service/endpoints';
import { personInput, personParameters } from '../personForm';
import {
	expandField,
	fullRecordOption,
	matchOutput,
	readPerson,
	requireMatchableOption,
	throwIfUnmatchable,
} from '../personMatch';

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

export const findOperation: NodeOperation = {
	value: 'find',
	name: 'Find',
	action: 'Find person',
	description:
		'Look for one person by email, phone, or name and address. Nothing is stored. In the output, matchStatus is matched or notFound.',
	calls: [endpoints.findPerson, endpoints.getPerson],
	properties: personParameters(true),
	options: [
		dateFormatOption,
		requireMatchableOption('such a person is notFound'),
		fullRecordOption,
		expandField,
	],
	async run(item) {
		const { parameters, service } = item;
		const body = personInput(item);
		// The service's own ID is enough to find a person.
		const isNamed = service.vocabulary.personId in body;
		const isRequired = parameters.in('options').flag('requireMatchable', true);
		if (isRequired && !isNamed) throwIfUnmatchable(body);
		const call = prepareCall(endpoints.findPerson, { path: {}, body });
		const response = await service.call(call);
		return asItems(await matchOutput(item, call, response));
	},
};

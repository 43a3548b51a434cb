import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { bodyInput } from '../../shared/parameters/bodyForm';
import { dateFormatOption } from '../../shared/parameters/dateFormat';
import {
	personReferenceFields,
	personReferenceInput,
	personReferenceOutput,
} from '../../shared/parameters/personReference';
import { simplifyFields, simplifyIfAsked } from '../../shared/parameters/simplify';
import { objectOf } from '../../shared/service/bodyField';
import { recordIdSchema } from '../../shared/service/bodySchema';
import { codeIdField } from '../../shared/service/code';
import {
	endpoints,
	formatPerson,
	type PersonReference,
	prepareCall,
} from '../../shared/service/endpoints';
import { isMatchable } from '../../shared/service/personMatch';
import type { ServiceError } from '../../shared/service/serviceErrors';
import { personInput, personParameters } from '../personForm';
import {
	checkMatchable,
	expandField,
	matchOutput,
	readPerson,
	recordOptions,
	requireMatchableOption,
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
		...recordOptions,
	],
	async run(item) {
		const { parameters, service } = item;
		const body = personInput(item);
		// The service's own ID is enough to find a person.
		if (!(service.vocabulary.personId in body)) checkMatchable(parameters, body);
		const call = prepareCall(endpoints.findPerson, { path: {}, body });
		const response = await service.call(call);
		return asItems(await matchOutput(item, call, response));
	},
};

/**
 * An operation that finds a person or creates one.
 * @param addHint explains errors of this endpoint
 */
function findOrCreateOperation(
	endpoint: typeof endpoints.findOrCreatePerson | typeof endpoints.findOrCreateContact,
	texts: Pick<NodeOperation, 'action' | 'description'>,
	addHint?: (error: ServiceError) => ServiceError,
): NodeOperation {
	return {
		value: 'findOrCreate',
		name: 'Find or Create',
		...texts,
		calls: [endpoint, endpoints.getPerson],
		properties: personParameters(true),
		options: [dateFormatOption, requireMatchableOption('each is stored as new'), ...recordOptions],
		write(item) {
			const body = personInput(item);
			checkMatchable(item.parameters, body);
			// With too little data to match, the service creates a person each time: a retry would duplicate.
			const retry = isMatchable(body) ? endpoint.retry : 'unsafe';
			return {
				call: prepareCall({ ...endpoint, retry }, { path: {}, body }),
				output: async (response, call) => await matchOutput(item, call, response),
				...(addHint && { addHint }),
			};
		},
	};
}

export const findOrCreatePersonOperation = findOrCreateOperation(endpoints.findOrCreatePerson, {
	action: 'Find or create person',
	description:
		'Find a person by email, phone, or name and address, or create one. To be sure that new data reaches a matched person, use Update afterwards.',
});

/** Some deployments lack this endpoint: service.md 4.5. */
function addContactHint(error: ServiceError): ServiceError {
	const { httpCode, description, outcomeUnknown, request } = error.details;
	if (request?.method === 'GET' || ![404, 405].includes(httpCode ?? 0)) return error;
	return error.with({
		message: 'This deployment of the service cannot find or create contacts',
		description: `${outcomeUnknown ? description : 'Nothing was stored.'} Choose the resource Person with the operation Find or Create, which takes the same fields.`,
	});
}

export const findOrCreateContactOperation = findOrCreateOperation(
	endpoints.findOrCreateContact,
	{
		action: 'Find or create contact',
		description:
			'The same as Find or Create of a person, but sent to the address /contacts/findOrCreate. Use it only if your deployment requires it.',
	},
	addContactHint,
);

/**
 * service.md 1.1 names only PUT and PATCH. Known deployments update people with POST (service.md 4.6),
 * which keeps omitted values. PUT may clear them, so it must be chosen explicitly.
 */
function addUpdateHint(error: ServiceError, person: PersonReference): ServiceError {
	const { httpCode, serviceErrors, description, outcomeUnknown, request } = error.details;
	if (request?.method !== 'POST') return error;
	const otherWay = `the Native Record node with the resource name people and the record ID ${formatPerson(person)}: Patch changes only the fields you send; Update (PUT) may clear those you leave out`;
	if (httpCode === 405) {
		return error.with({
			message: 'This deployment of the service does not update people with POST',
			description: `${outcomeUnknown ? description : 'Nothing was changed.'} Use ${otherWay}.`,
		});
	}
	// For a missing record, the service returns an error; for a missing address, a web page.
	if (httpCode !== 404 || serviceErrors.length > 0) return error;
	return error.with({
		description: `${description} If other operations with people work, this deployment does not update them with POST: use ${otherWay}.`,
	});
}

export const updateOperation: NodeOperation = {
	value: 'update',
	name: 'Update',
	action: 'Update person',
	description:
		'Change a person. Fields you leave out stay as they are. Emails, phones and addresses are added to the existing ones; none can be removed.',
	calls: [endpoints.updatePerson, endpoints.getPerson],
	properties: [...personReferenceFields, ...personParameters(false)],
	options: [dateFormatOption, ...recordOptions],
	write(item) {
		const person = personReferenceInput(item.parameters);
		const body = personInput(item, person);
		return {
			call: prepareCall(endpoints.updatePerson, { path: { person }, body }),
			output: async (response, call) => await matchOutput(item, call, response, person),
			addHint: (error) => addUpdateHint(error, person),
		};
	},
};

/** The request body: service.md 4.6. */
const fields = { codeId: { schema: recordIdSchema, screen: codeIdField } };
const personCode = { label: 'Code', fields, schema: objectOf(fields, 'codeId') };

export const applyCodeOperation: NodeOperation = {
	value: 'applyCode',
	name: 'Apply Code',
	action: 'Apply code to person',
	description:
		'Put a source code or a tag on a person. If the person already has it, nothing changes.',
	calls: [endpoints.applyCode],
	properties: [...personReferenceFields, codeIdField],
	write({ parameters, service }) {
		const person = personReferenceInput(parameters);
		const { body } = bodyInput(parameters, personCode);
		const who = personReferenceOutput(person, service.vocabulary);
		return {
			call: prepareCall(endpoints.applyCode, { path: { person }, body }),
			output: () => ({ applied: true, ...who, ...body }),
		};
	},
};

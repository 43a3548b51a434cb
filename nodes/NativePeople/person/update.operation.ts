import type { NodeOperation } from '../../shared/execution/operation';
import { dateFormatOption } from '../../shared/parameters/dateFormat';
import {
	personReferenceFields,
	personReferenceInput,
} from '../../shared/parameters/personReference';
import {
	endpoints,
	formatPerson,
	type PersonReference,
	prepareCall,
} from '../../shared/service/endpoints';
import type { ServiceError } from '../../shared/service/serviceErrors';
import { personInput, personParameters } from '../personForm';
import { expandField, fullRecordOption, matchOutput } from '../personMatch';

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
	options: [dateFormatOption, fullRecordOption, expandField],
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

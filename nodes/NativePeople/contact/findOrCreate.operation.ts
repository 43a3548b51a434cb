import { endpoints } from '../../shared/service/endpoints';
import type { ServiceError } from '../../shared/service/serviceErrors';
import { findOrCreateOperation } from '../findOrCreate';

/** Some deployments lack this endpoint: service.md 4.5. */
function addContactHint(error: ServiceError): ServiceError {
	const { httpCode, request } = error.details;
	if (request?.method === 'GET' || ![404, 405].includes(httpCode ?? 0)) return error;
	return error.with({
		message: 'This deployment of the service cannot find or create contacts',
		description:
			'Nothing was stored. Choose the resource Person with the operation Find or Create, which takes the same fields.',
	});
}

export const findOrCreateContactOperation = findOrCreateOperation(
	endpoints.findOrCreateContact,
	{
		name: 'Find or Create',
		action: 'Find or create contact',
		description:
			'The same as Find or Create of a person, but sent to the address /contacts/findOrCreate. Use it only if your deployment asks for it.',
	},
	addContactHint,
);

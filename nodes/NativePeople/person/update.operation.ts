import type { IDataObject } from 'n8n-workflow';

import { checkThenSend } from '../../shared/execution/checkThenSend';
import { asItems, type ItemContext, type NodeOperation } from '../../shared/execution/operation';
import {
	dryRunOption,
	isDryRun,
	maxConcurrentRequestsOption,
	optionsCollection,
	timeoutOption,
} from '../../shared/parameters/callOptions';
import {
	type PersonReference,
	personReferenceFields,
	personReferenceInput,
} from '../../shared/parameters/personReference';
import { endpoints } from '../../shared/service/endpoints';
import { type RequestDescription, ServiceError } from '../../shared/service/serviceErrors';
import { expandField, fullRecordOption, type MatchOptions } from '../matchOptions';
import { personFields } from '../personFields';
import { personInput } from '../personInput';
import { matchedPerson } from '../personMatch';

interface Update {
	person: PersonReference;
	body: Record<string, unknown>;
}

function checkedUpdate({ functions, service, itemIndex }: ItemContext): Update {
	const person = personReferenceInput(functions, itemIndex);
	const { body } = personInput(functions, itemIndex, service.vocabulary, false);
	return { person, body };
}

function describedUpdate({ service }: ItemContext, { person, body }: Update): RequestDescription {
	return 'nativeId' in person
		? service.describe(endpoints.updatePerson, { path: person, body })
		: service.describe(endpoints.updatePersonByType, { path: person, body });
}

/**
 * service.md 1.1 names PUT and PATCH only. Known deployments update people with POST instead
 * (service.md 4.6), which keeps what is left out; PUT may clear it, so it is never sent unasked.
 */
function explained(error: unknown, person: PersonReference): unknown {
	if (!(error instanceof ServiceError) || error.details.request.method !== 'POST') return error;
	const { httpCode, serviceErrors, description } = error.details;
	const recordId =
		'nativeId' in person ? String(person.nativeId) : `${person.personIdType}:${person.personId}`;
	const otherWay = `the Native Record node with the resource name people and the record ID ${recordId}: Patch changes only the fields you send; Update (PUT) may clear those you leave out`;
	if (httpCode === 405) {
		return new ServiceError({
			...error.details,
			message: 'This deployment of the service does not update people with POST',
			description: `${error.details.outcomeUnknown ? description : 'Nothing was changed.'} Use ${otherWay}.`,
		});
	}
	// A record that is missing has an error of the service; an address that is missing has a page.
	if (httpCode !== 404 || serviceErrors.length > 0) return error;
	return new ServiceError({
		...error.details,
		description: `${description} If other operations with people work, this deployment does not update them with POST: use ${otherWay}.`,
	});
}

async function updated(
	{ functions, service, itemIndex }: ItemContext,
	{ person, body }: Update,
): Promise<IDataObject> {
	const options = functions.getNodeParameter('options', itemIndex, {}) as MatchOptions;
	return 'nativeId' in person
		? await matchedPerson(
				service,
				endpoints.updatePerson,
				{ path: person, body },
				options,
				person.nativeId,
			)
		: await matchedPerson(service, endpoints.updatePersonByType, { path: person, body }, options);
}

export const updateOperation: NodeOperation = {
	value: 'update',
	name: 'Update',
	action: 'Update person',
	description:
		'Change a person. Fields you leave out stay as they are. Emails, phones and addresses are added to the existing ones; none can be removed.',
	properties: [
		...personReferenceFields,
		...personFields(false),
		optionsCollection([
			fullRecordOption,
			expandField,
			dryRunOption,
			timeoutOption,
			maxConcurrentRequestsOption,
		]),
	],
	async runAll(run) {
		return await checkThenSend(
			run,
			async (item) => await Promise.resolve(checkedUpdate(item)),
			async (item, update) => {
				if (isDryRun(item.functions, item.itemIndex)) {
					return asItems({ dryRun: true, request: { ...describedUpdate(item, update) } });
				}
				try {
					return asItems(await updated(item, update));
				} catch (error) {
					return await Promise.reject(explained(error, update.person) as Error);
				}
			},
		);
	},
};

import type { IExecuteFunctions } from 'n8n-workflow';

import { checkThenSend } from '../../shared/execution/checkThenSend';
import { asItems, type NodeOperation } from '../../shared/execution/operation';
import {
	dryRunOption,
	isDryRun,
	maxConcurrentRequestsOption,
	optionsCollection,
	replayUnknownOutcomeOption,
	timeoutOption,
} from '../../shared/parameters/callOptions';
import { type CanvassResponse, lacksPhone } from '../../shared/service/canvassResponse';
import { endpoints } from '../../shared/service/endpoints';
import type { NativeService, ServiceAnswer } from '../../shared/service/nativeService';
import type { RequestDescription } from '../../shared/service/serviceErrors';
import {
	personReferenceFields,
	personReferenceInput,
	personReferenceOutput,
	type PersonReference,
} from '../../shared/parameters/personReference';
import { canvassResponseFields } from './canvassResponseFields';
import { canvassResponseInput } from './canvassResponseInput';

interface CanvassPost {
	person: PersonReference;
	response: CanvassResponse;
}

async function send(
	service: NativeService,
	{ person, response: body }: CanvassPost,
): Promise<ServiceAnswer> {
	return 'nativeId' in person
		? await service.call(endpoints.createCanvassResponse, { path: person, body })
		: await service.call(endpoints.createCanvassResponseByType, { path: person, body });
}

function describe(
	service: NativeService,
	{ person, response: body }: CanvassPost,
): RequestDescription {
	return 'nativeId' in person
		? service.describe(endpoints.createCanvassResponse, { path: person, body })
		: service.describe(endpoints.createCanvassResponseByType, { path: person, body });
}

/** service.md 5.1: an application by phone or text must say which phone a disposition is about. */
function hintAtMissingPhones(functions: IExecuteFunctions, items: number[]): void {
	const [first, ...more] = items;
	if (first === undefined) return;
	const which = `Item ${first + 1}${more.length > 0 ? ` and ${more.length} more` : ''}`;
	if (!('addExecutionHints' in functions)) return;
	functions.addExecutionHints({
		message: `${which} came by phone or text message, but without Phone ID or Phone. The service then cannot note wrong or disconnected numbers and opt-ins with the right phone. Add Phone ID under Canvass Context.`,
		type: 'warning',
		location: 'outputPane',
	});
}

export const createOperation: NodeOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create canvass response',
	description: 'Post the outcome of a call, text message, visit or other contact with a person',
	properties: [
		...personReferenceFields,
		...canvassResponseFields,
		optionsCollection([
			dryRunOption,
			timeoutOption,
			replayUnknownOutcomeOption,
			maxConcurrentRequestsOption,
		]),
	],
	async runAll(run) {
		const withoutPhone: number[] = [];
		const results = await checkThenSend(
			run,
			async ({ functions, itemIndex }): Promise<CanvassPost> => {
				const person = personReferenceInput(functions, itemIndex);
				const response = canvassResponseInput(functions, itemIndex);
				if (lacksPhone(response)) withoutPhone.push(itemIndex);
				return await Promise.resolve({ person, response });
			},
			async ({ functions, service, itemIndex }, post) => {
				if (isDryRun(functions, itemIndex)) {
					return asItems({ dryRun: true, request: { ...describe(service, post) } });
				}
				await send(service, post);
				const { person, response } = post;
				const who = personReferenceOutput(person, service.vocabulary);
				return asItems({ created: true, ...who, ...response });
			},
		);
		hintAtMissingPhones(run.functions, withoutPhone);
		return results;
	},
};

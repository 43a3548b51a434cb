import { deepCopy, type IExecuteFunctions } from 'n8n-workflow';

import type { NodeOperation } from '../../shared/execution/operation';
import { sendEach } from '../../shared/execution/sendEach';
import { dateFormatOption } from '../../shared/parameters/dateFormat';
import { lacksPhone } from '../../shared/service/canvassResponse';
import { endpoints, prepareCall } from '../../shared/service/endpoints';
import {
	personReferenceFields,
	personReferenceInput,
	personReferenceOutput,
} from '../../shared/parameters/personReference';
import { canvassParameters, canvassResponseInput } from './canvassResponseInput';

/** service.md 5.1: for calls and texts, a disposition must name its phone. */
function showMissingPhoneHint(functions: IExecuteFunctions, items: number[]): void {
	const [first, ...more] = items;
	if (first === undefined) return;
	const which = `Item ${first + 1}${more.length > 0 ? ` and ${more.length} more` : ''}`;
	if (!('addExecutionHints' in functions)) return;
	functions.addExecutionHints({
		message: `${which} came by phone or text message, but without Phone ID or Phone. The service then cannot record wrong numbers and opt-ins for the right phone. Add Phone ID under Canvass Context.`,
		type: 'warning',
		location: 'outputPane',
	});
}

export const createOperation: NodeOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create canvass response',
	description: 'Post the outcome of a call, text message, visit or other contact with a person',
	calls: [endpoints.createCanvassResponse],
	properties: [...personReferenceFields, ...canvassParameters],
	options: [dateFormatOption],
	async runAll(run) {
		const withoutPhone: number[] = [];
		const results = await sendEach(run, ({ parameters, service, itemIndex }) => {
			const person = personReferenceInput(parameters);
			const body = parameters.once(canvassResponseInput);
			if (lacksPhone(body)) withoutPhone.push(itemIndex);
			const who = personReferenceOutput(person, service.vocabulary);
			return {
				call: prepareCall(endpoints.createCanvassResponse, { path: { person }, body }),
				// Later nodes may change an item.
				output: () => ({ created: true, ...who, ...deepCopy(body) }),
			};
		});
		showMissingPhoneHint(run.functions, withoutPhone);
		return results;
	},
};

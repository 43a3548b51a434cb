import { checkThenSend } from '../../shared/execution/checkThenSend';
import { asItems, type ItemContext, type NodeOperation } from '../../shared/execution/operation';
import {
	dryRunOption,
	isDryRun,
	maxConcurrentRequestsOption,
	optionsCollection,
	timeoutOption,
} from '../../shared/parameters/callOptions';
import { codeIdField, codeIdInput } from '../../shared/parameters/codeId';
import {
	type PersonReference,
	personReferenceFields,
	personReferenceInput,
	personReferenceOutput,
} from '../../shared/parameters/personReference';
import { endpoints } from '../../shared/service/endpoints';
import { type PersonCode, personCodeSchema } from '../../shared/service/personCode';
import type { RequestDescription } from '../../shared/service/serviceErrors';

interface Application {
	person: PersonReference;
	body: PersonCode;
}

/** Throws InvalidInput naming the field on the screen. */
function applicationInput({ functions, itemIndex }: ItemContext): Application {
	const person = personReferenceInput(functions, itemIndex);
	const codeId = codeIdInput(functions, itemIndex);
	return { person, body: personCodeSchema.parse({ codeId }) };
}

function described({ service }: ItemContext, { person, body }: Application): RequestDescription {
	return 'nativeId' in person
		? service.describe(endpoints.applyCode, { path: person, body })
		: service.describe(endpoints.applyCodeByType, { path: person, body });
}

async function send({ service }: ItemContext, { person, body }: Application): Promise<void> {
	if ('nativeId' in person) await service.call(endpoints.applyCode, { path: person, body });
	else await service.call(endpoints.applyCodeByType, { path: person, body });
}

export const applyCodeOperation: NodeOperation = {
	value: 'applyCode',
	name: 'Apply Code',
	action: 'Apply code to person',
	description:
		'Put a source code or a tag on a person. If the person already has it, nothing changes.',
	properties: [
		...personReferenceFields,
		codeIdField,
		optionsCollection([dryRunOption, timeoutOption, maxConcurrentRequestsOption]),
	],
	async runAll(run) {
		return await checkThenSend(
			run,
			async (item) => await Promise.resolve(applicationInput(item)),
			async (item, application) => {
				if (isDryRun(item.functions, item.itemIndex)) {
					return asItems({ dryRun: true, request: { ...described(item, application) } });
				}
				await send(item, application);
				const { person, body } = application;
				const who = personReferenceOutput(person, item.service.vocabulary);
				return asItems({ applied: true, ...who, ...body });
			},
		);
	},
};

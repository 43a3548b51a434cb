import type { IDataObject } from 'n8n-workflow';

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
import {
	type Code,
	codeTypeProblems,
	createdCodeId,
	supportedEntityProblems,
} from '../../shared/service/code';
import { endpoints } from '../../shared/service/endpoints';
import { refuseIfAny } from '../../shared/service/invalidInput';
import type { NativeService } from '../../shared/service/nativeService';
import { unusableAnswerError } from '../../shared/service/serviceErrors';
import { availableNamesReader } from './availableNames';
import {
	codeTypeOptions,
	defineCodeField,
	descriptionField,
	metadataFields,
	nameField,
	parentCodeField,
	supportedEntitiesField,
} from './codeFields';
import { codeInput, problemsOnScreen } from './codeInput';

async function createCode(service: NativeService, code: Code): Promise<IDataObject> {
	const values = { path: {}, body: code };
	const answer = await service.call(endpoints.createCode, values);
	const codeId = createdCodeId(answer);
	const body = service.redactor.value(answer.body);
	if (codeId === undefined) {
		throw unusableAnswerError(
			{ ...answer, text: body === undefined ? '' : JSON.stringify(body) },
			service.describe(endpoints.createCode, values),
			endpoints.createCode.replay,
			'an answer without the ID of the new code',
		);
	}
	const answered = body !== null && typeof body === 'object' ? body : {};
	return { ...code, ...answered, codeId };
}

export const createOperation: NodeOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create code',
	description: 'Create a source code or a tag, e.g. for an event or an appeal',
	properties: [
		defineCodeField,
		{
			displayName: 'Code (JSON)',
			name: 'codeJson',
			type: 'json',
			typeOptions: { rows: 8 },
			default: '',
			required: true,
			displayOptions: { show: { defineCode: ['json'] } },
			description:
				'The whole code with name and, as needed, description, parentCodeId, codeType (SourceCode or Tag), supportedEntities, campaign, contactType, generalLedgerFund, costCenter, revenueStream, mailMergeTemplate and isSourceCodeApplicable. Supported entities of a source code are ignored by the service and not sent.',
		},
		{
			displayName: 'Code Type',
			name: 'codeType',
			type: 'options',
			options: codeTypeOptions,
			default: 'SourceCode',
			displayOptions: { show: { defineCode: ['fields'] } },
			description:
				'A source code tells where a contribution or contact came from; a tag groups records. Cannot be changed later. Checked against what the key may use before the code is created.',
		},
		{ ...nameField, required: true, displayOptions: { show: { defineCode: ['fields'] } } },
		{ ...descriptionField, displayOptions: { show: { defineCode: ['fields'] } } },
		{
			...parentCodeField,
			displayOptions: { show: { defineCode: ['fields'], codeType: ['Tag'] } },
		},
		{
			...supportedEntitiesField,
			displayOptions: { show: { defineCode: ['fields'], codeType: ['Tag'] } },
		},
		{
			displayName: 'Source Code Metadata',
			name: 'sourceCodeMetadata',
			type: 'collection',
			placeholder: 'Add Metadata',
			default: {},
			displayOptions: { show: { defineCode: ['fields'], codeType: ['SourceCode'] } },
			description: 'What the source code belongs to. Used for source codes only.',
			options: metadataFields,
		},
		optionsCollection([
			dryRunOption,
			timeoutOption,
			replayUnknownOutcomeOption,
			maxConcurrentRequestsOption,
		]),
	],
	async runAll(run) {
		const available = availableNamesReader(run.service);
		return await checkThenSend(
			run,
			async ({ functions, itemIndex }) => {
				const code = codeInput(functions, itemIndex);
				if (!isDryRun(functions, itemIndex)) {
					const { codeType, supportedEntities } = code;
					const problems = codeTypeProblems(codeType, await available.codeTypes());
					if (supportedEntities?.length) {
						const known = await available.supportedEntities();
						problems.push(...supportedEntityProblems(supportedEntities, known));
					}
					refuseIfAny(problemsOnScreen(functions, itemIndex, problems));
				}
				return code;
			},
			async ({ functions, service, itemIndex }, code) => {
				if (!isDryRun(functions, itemIndex)) return asItems(await createCode(service, code));
				const request = service.describe(endpoints.createCode, { path: {}, body: code });
				return asItems({ dryRun: true, request: { ...request } });
			},
		);
	},
};

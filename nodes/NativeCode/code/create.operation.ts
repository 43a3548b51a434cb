import type { IDataObject } from 'n8n-workflow';

import type { NodeOperation } from '../../shared/execution/operation';
import { isDryRun } from '../../shared/execution/sendEach';
import {
	type Code,
	codeTypeProblems,
	createdCodeId,
	supportedEntityProblems,
} from '../../shared/service/code';
import { endpoints } from '../../shared/service/endpoints';
import { throwIfAny } from '../../shared/service/invalidInput';
import {
	type NativeService,
	prepareCall,
	type PreparedCall,
	type ServiceResponse,
} from '../../shared/service/nativeService';
import { codeTypes, supportedEntityNames } from '../../shared/service/serviceLists';
import { availableNames } from './availableNames';
import {
	codeTypeOptions,
	CODE_JSON_LABEL,
	descriptionField,
	metadataFields,
	nameField,
	parentCodeField,
	supportedEntitiesField,
} from './codeFields';
import { codeInput, problemsOnScreen } from './codeInput';
import { fieldsOrJson } from '../../shared/parameters/fieldKinds';

function codeOutput(
	service: NativeService,
	code: Code,
	response: ServiceResponse,
	call: PreparedCall,
): IDataObject {
	const codeId = createdCodeId(response);
	if (codeId === undefined)
		throw service.unusableResponse(call, response, 'a response without the ID of the new code');
	const body = service.redactor.value(response.body);
	const answered = body !== null && typeof body === 'object' ? body : {};
	return { ...code, ...answered, codeId };
}

export const createOperation: NodeOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create code',
	description: 'Create a source code or a tag, e.g. for an event or an appeal',
	calls: [endpoints.listCodeTypes, endpoints.listSupportedEntities, endpoints.createCode],
	properties: [
		...fieldsOrJson('Code', {
			displayName: CODE_JSON_LABEL,
			name: 'codeJson',
			description:
				'The code with the property names of the service, e.g. {"name": "Spring appeal", "codeType": "SourceCode", "campaign": {"campaignId": 1501}}',
		}),
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
	],
	async write(item) {
		const { service } = item;
		const code = codeInput(item);
		if (!isDryRun(item)) {
			const { codeType, supportedEntities } = code;
			const problems = codeTypeProblems(codeType, await availableNames(service, codeTypes));
			if (supportedEntities?.length) {
				const known = await availableNames(service, supportedEntityNames);
				problems.push(...supportedEntityProblems(supportedEntities, known));
			}
			throwIfAny(problemsOnScreen(item, problems));
		}
		return {
			call: prepareCall(endpoints.createCode, { path: {}, body: code }),
			output: (response, call) => codeOutput(service, code, response, call),
		};
	},
};

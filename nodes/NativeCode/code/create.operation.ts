import type { IDataObject } from 'n8n-workflow';

import { isDryRun, type NodeOperation } from '../../shared/execution/operation';
import { fieldsOrJson, problemsOnScreen, usingFields } from '../../shared/parameters/bodyForm';
import { byLabel, screenFields, withScreen } from '../../shared/service/bodyField';
import { type Code, codeForm, createdCodeId } from '../../shared/service/code';
import { endpoints, prepareCall, type PreparedCall } from '../../shared/service/endpoints';
import { throwIfAny } from '../../shared/service/invalidInput';
import type { NativeService, ServiceResponse } from '../../shared/service/nativeService';
import { codeInput, codeTypeProblems, entityProblems } from './codeInput';

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

const { codeType, name, description, parentCodeId, supportedEntities, ...metadata } =
	codeForm.fields;

export const createOperation: NodeOperation = {
	value: 'create',
	name: 'Create',
	action: 'Create code',
	description: 'Create a source code or a tag, e.g. for an event or an appeal',
	calls: [endpoints.listCodeTypes, endpoints.listSupportedEntities, endpoints.createCode],
	properties: [
		...fieldsOrJson(
			codeForm,
			'The code with the property names of the service, e.g. {"name": "Spring appeal", "codeType": "SourceCode", "campaign": {"campaignId": 1501}}',
		),
		...usingFields(codeForm, [
			...screenFields({ codeType, name: withScreen(name, { required: true }), description }),
			...screenFields({ parentCodeId, supportedEntities }).map((field) => ({
				...field,
				displayOptions: { show: { codeType: ['Tag'] } },
			})),
			{
				displayName: 'Source Code Metadata',
				name: 'sourceCodeMetadata',
				type: 'collection',
				placeholder: 'Add Metadata',
				default: {},
				displayOptions: { show: { codeType: ['SourceCode'] } },
				description: 'What the source code belongs to. Used for source codes only.',
				options: byLabel(screenFields(metadata)),
			},
		]),
	],
	async write(item) {
		const { service } = item;
		const code = codeInput(item);
		if (!isDryRun(item)) {
			const problems = [
				...(await codeTypeProblems(service, code.codeType)),
				...(await entityProblems(service, code.supportedEntities)),
			];
			throwIfAny(problemsOnScreen(item.parameters, codeForm, problems));
		}
		return {
			call: prepareCall(endpoints.createCode, { path: {}, body: code }),
			output: (response, call) => codeOutput(service, code, response, call),
		};
	},
};

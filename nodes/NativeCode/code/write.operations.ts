import type { IDataObject } from 'n8n-workflow';

import { isDryRun, type ItemContext, type NodeOperation } from '../../shared/execution/operation';
import { fieldsOrJson, problemsOnScreen, usingFields } from '../../shared/parameters/bodyForm';
import type { BodyProblem } from '../../shared/service/bodyProblem';
import { byLabel, screenFields, withScreen } from '../../shared/service/bodyField';
import {
	type Code,
	codeForm,
	codeIdField,
	createdCodeId,
	DEFAULT_CODE_TYPE,
	isSourceCode,
} from '../../shared/service/code';
import {
	clearableFields,
	codeRecordSchema,
	hidesSupportedEntities,
	mergedCode,
} from '../../shared/service/codeChanges';
import { endpoints, prepareCall, type PreparedCall } from '../../shared/service/endpoints';
import { sameName } from '../../shared/service/nearestName';
import { throwIfAny } from '../../shared/service/invalidInput';
import type { NativeService, ServiceResponse } from '../../shared/service/nativeService';
import { isObject } from '../../shared/service/requestBody';
import { ServiceError } from '../../shared/service/serviceErrors';
import {
	codeInput,
	codeTypeProblems,
	type CodeUpdate,
	codeUpdateInput,
	entityProblems,
} from './codeInput';

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
	return { ...code, ...(isObject(body) && body), codeId };
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

/**
 * The current code with the changes of an item. Throws InvalidInput, and ServiceError if the update would
 * lose a part of the code.
 */
async function mergeIntoCurrent(
	{ parameters, service }: ItemContext,
	codeId: number,
	{ changes, clear }: CodeUpdate,
): Promise<IDataObject> {
	const values = { path: { codeId }, query: { $expand: 'supportedEntities' } };
	const current = await service.read(endpoints.getCode, values, codeRecordSchema);
	if (hidesSupportedEntities(current, changes, clear)) {
		throw new ServiceError({
			message: `The service did not show the supported entities of code ${codeId}`,
			description:
				'Nothing was changed, because the update would have cleared them. Enter them in Supported Entities, or choose them under Clear Fields.',
			request: service.describe(prepareCall(endpoints.getCode, values)),
		});
	}
	const codeType = current.codeType ?? DEFAULT_CODE_TYPE;
	const { codeType: given = codeType, supportedEntities } = changes;
	const text = `cannot be changed from ${codeType} to ${given}. Leave it out, or create a new code of that type.`;
	const problems: BodyProblem[] = sameName(given, codeType) ? [] : [{ path: ['codeType'], text }];
	if (problems.length === 0 && !isSourceCode(codeType))
		problems.push(...(await entityProblems(service, supportedEntities)));
	throwIfAny(problemsOnScreen(parameters, codeForm, problems));
	return mergedCode(current, changes, clear) as IDataObject;
}

const REPLACES =
	'The kinds of records the tag can be put on. They replace those it has now. Source codes have a fixed set: for them, this is not sent.';

export const updateOperation: NodeOperation = {
	value: 'update',
	name: 'Update',
	action: 'Update code',
	description: 'Change some properties of a code and leave all others as they are',
	calls: [
		endpoints.getCode,
		endpoints.listCodeTypes,
		endpoints.listSupportedEntities,
		endpoints.updateCode,
	],
	properties: [
		codeIdField,
		...fieldsOrJson(
			codeForm,
			'The properties to change, with the same names as when a code is created. All others stay as they are. The code type cannot be changed.',
		),
		...usingFields(codeForm, [
			{
				displayName: 'Update Fields',
				name: 'updateFields',
				type: 'collection',
				placeholder: 'Add Field',
				default: {},
				description:
					'What to change. A field that is not here, or is empty, stays as it is. The code type cannot be changed.',
				options: byLabel(screenFields(codeForm.fields))
					.filter(({ name }) => name !== 'codeType')
					.map((field) =>
						field.name === 'supportedEntities' ? { ...field, description: REPLACES } : field,
					),
			},
		]),
		{
			displayName: 'Clear Fields',
			name: 'clearFields',
			type: 'multiOptions',
			options: byLabel(clearableFields).map(({ name, displayName }) => ({
				name: displayName,
				value: name,
			})),
			default: [],
			description: 'Fields to empty',
		},
	],
	write(item) {
		const codeId = item.parameters.id('codeId');
		const update = codeUpdateInput(item);
		return {
			call: prepareCall(endpoints.updateCode, { path: { codeId } }),
			complete: async (call) => ({
				...call,
				body: await mergeIntoCurrent(item, codeId, update),
			}),
			output: (_, { body }) => ({ ...(isObject(body) && body), codeId, updated: true }),
		};
	},
};

/** The service also returns 403 for a code that is in use: service.md 6.2. */
const IN_USE =
	'The service also returns 403 for a code that is in use: on records, or with codes under it.';

function addInUseHint(error: ServiceError): ServiceError {
	if (error.details.httpCode !== 403) return error;
	return error.with({ description: `${IN_USE} ${error.details.description}` });
}

export const deleteOperation: NodeOperation = {
	value: 'delete',
	name: 'Delete',
	action: 'Delete code',
	description: 'Delete a code that is not in use',
	calls: [endpoints.deleteCode],
	properties: [codeIdField],
	write({ parameters }) {
		const codeId = parameters.id('codeId');
		return {
			call: prepareCall(endpoints.deleteCode, { path: { codeId } }),
			output: () => ({ codeId, deleted: true }),
			addHint: addInUseHint,
		};
	},
};

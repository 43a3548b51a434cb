import { checkThenSend } from '../../shared/execution/checkThenSend';
import { asItems, type NodeOperation } from '../../shared/execution/operation';
import {
	dryRunOption,
	isDryRun,
	maxConcurrentRequestsOption,
	optionsCollection,
	timeoutOption,
} from '../../shared/parameters/callOptions';
import {
	type CodeRecord,
	codeRecordSchema,
	hidesSupportedEntities,
	isSourceCode,
	mergedCode,
	supportedEntityProblems,
} from '../../shared/service/code';
import { endpoints } from '../../shared/service/endpoints';
import { refuseIfAny } from '../../shared/service/invalidInput';
import type { NativeService } from '../../shared/service/nativeService';
import { ServiceError } from '../../shared/service/serviceErrors';
import { availableNamesReader } from './availableNames';
import {
	defineCodeField,
	descriptionField,
	metadataFields,
	nameField,
	parentCodeField,
	supportedEntitiesField,
} from './codeFields';
import { codeIdField, codeIdInput } from '../../shared/parameters/codeId';
import { type CodeUpdate, codeUpdateInput, problemsOnScreen } from './codeInput';

const clearFieldOptions = [
	{ name: 'Campaign ID', value: 'campaignId' },
	{ name: 'Contact Type', value: 'contactTypeId' },
	{ name: 'Cost Center ID', value: 'costCenterId' },
	{ name: 'Description', value: 'description' },
	{ name: 'General Ledger Fund ID', value: 'generalLedgerFundId' },
	{ name: 'Is Source Code Applicable', value: 'isSourceCodeApplicable' },
	{ name: 'Mail Merge Template ID', value: 'mailMergeTemplateId' },
	{ name: 'Parent Code', value: 'parentCodeId' },
	{ name: 'Revenue Stream ID', value: 'revenueStreamId' },
	{ name: 'Supported Entities', value: 'supportedEntities' },
];

/** The code as the service has it now. Throws ServiceError where an update would lose a part of it. */
async function readCode(
	service: NativeService,
	codeId: number,
	{ changes, clear }: CodeUpdate,
): Promise<CodeRecord> {
	const values = { path: { codeId }, query: { $expand: 'supportedEntities' } };
	const current = await service.read(endpoints.getCode, values, codeRecordSchema);
	if (!hidesSupportedEntities(current, changes, clear)) return current;
	throw new ServiceError({
		message: `The service did not show the supported entities of code ${codeId}`,
		description:
			'Nothing was changed, because the update would have cleared them. Enter them in Supported Entities, or choose them under Clear Fields.',
		httpCode: undefined,
		replayable: false,
		outcomeUnknown: false,
		request: service.describe(endpoints.getCode, values),
		serviceErrors: [],
	});
}

export const updateOperation: NodeOperation = {
	value: 'update',
	name: 'Update',
	action: 'Update code',
	description: 'Change some properties of a code and leave all others as they are',
	properties: [
		codeIdField,
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
				'The properties to change, with the same names as when a code is created. All others stay as they are. The code type cannot be changed.',
		},
		{
			displayName: 'Update Fields',
			name: 'updateFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			displayOptions: { show: { defineCode: ['fields'] } },
			description:
				'What to change. A field that is not here, or is empty, stays as it is. The code type cannot be changed.',
			options: [
				...metadataFields,
				nameField,
				descriptionField,
				parentCodeField,
				{
					...supportedEntitiesField,
					description:
						'The kinds of records the tag can be put on, in place of all it has now. Source codes have a fixed set: for them, this is not sent.',
				},
			].sort((a, b) => a.displayName.localeCompare(b.displayName)),
		},
		{
			displayName: 'Clear Fields',
			name: 'clearFields',
			type: 'multiOptions',
			options: clearFieldOptions,
			default: [],
			description: 'Fields to empty',
		},
		optionsCollection([
			{
				...dryRunOption,
				description:
					'Whether to only read the code and show the request that would be sent. Nothing is changed.',
			},
			timeoutOption,
			maxConcurrentRequestsOption,
		]),
	],
	async runAll(run) {
		const available = availableNamesReader(run.service);
		return await checkThenSend(
			run,
			async ({ functions, itemIndex }) =>
				await Promise.resolve({
					codeId: codeIdInput(functions, itemIndex),
					update: codeUpdateInput(functions, itemIndex),
				}),
			async ({ functions, service, itemIndex }, { codeId, update }) => {
				const current = await readCode(service, codeId, update);
				const { supportedEntities } = update.changes;
				if (supportedEntities?.length && !isSourceCode(current.codeType)) {
					const known = await available.supportedEntities();
					const problems = supportedEntityProblems(supportedEntities, known);
					refuseIfAny(problemsOnScreen(functions, itemIndex, problems));
				}
				const body = mergedCode(current, update.changes, update.clear);
				const values = { path: { codeId }, body };
				if (isDryRun(functions, itemIndex)) {
					const request = service.describe(endpoints.updateCode, values);
					return asItems({ dryRun: true, request: { ...request } });
				}
				await service.call(endpoints.updateCode, values);
				return asItems({ ...body, codeId, updated: true });
			},
		);
	},
};

import type { INodeProperties } from 'n8n-workflow';

import { timeoutOption } from '../../shared/operations/describe';
import { dateFormatOption } from '../../shared/parameters/dateFormat';
import { screenFields } from '../../shared/service/bodyField';
import { columnDelimiter } from '../../shared/service/importJobFile';
import { importJobFields, resourceTypeField } from '../../shared/service/importJob';
import {
	hasQuotesField,
	lineBreaksOption,
	maxRowsOption,
	maxZipSizeOption,
} from '../file/fileFields';
import { detectedSourceField, sourceFileFields } from '../file/sourceFields';
import { WaitChoice } from '../job/jobWait';
import { rejectedRowsOption, reportOption } from '../reportOptions';
import { cleanValuesOption } from './mapping/cleanColumns';
import { ownHeadersOption } from './mapping/headerMapping';
import { controlTotalsOption } from './mapping/listCounts';
import { consentOption } from './mapping/mappingChecks';
import { IMPORT_LABEL, MAPPING_TYPES_LABEL } from './mapping/importMapping';
import { correctionOption } from './outcome/correctionOffer';
import { outcomeFormatOption, outputRowsOption } from './outcome/outcomeOutput';
import { approvedPlanOption } from './start/approvedPlan';
import { tryFirstOptions } from './outcome/tryFirst';
import { columnsChangedOption, skipUnchangedOption } from './start/changeSearch';
import { duplicatesOption } from './start/duplicateSearch';
import { hostingFields } from './start/hosting';
import { lookUpMatchesOption } from './start/matchLookup';

/** Parameters of Import Items; those that every import needs come first. */
export const importParameters: INodeProperties[] = [
	detectedSourceField,
	...sourceFileFields,
	{ ...resourceTypeField.screen, name: 'resourceType', displayName: IMPORT_LABEL },
	{
		displayName: MAPPING_TYPES_LABEL,
		name: 'mappingTypes',
		type: 'multiOptions',
		typeOptions: {
			loadOptionsMethod: 'getMappingTypes',
			loadOptionsDependsOn: ['resourceType', 'mappingTypes'],
		},
		default: ['CreateOrUpdateContact'],
		required: true,
		description:
			'What the service does with each item. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Fields',
		name: 'fieldMap',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'autoMapInputData', value: null },
		required: true,
		// Without a mapping type there are no fields, and n8n would show an error.
		displayOptions: { show: { mappingTypes: [{ _cnd: { exists: true } }] } },
		typeOptions: {
			loadOptionsDependsOn: ['resourceType.value', 'mappingTypes'],
			resourceMapper: {
				resourceMapperMethod: 'getImportFields',
				mode: 'map',
				// n8n shows this above the fields instead of the parameter's name, which errors use.
				valuesLabel: 'Fields',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
				// Fields that the service has added since the node was last opened.
				refreshStaleSchemaOnOpen: true,
				// n8n shows this also if the list could not be read.
				noFieldsError: 'No fields were found. Check the credential and the mapping types.',
			},
		},
		builderHint: {
			propertyHint:
				'Keep mappingMode "autoMapInputData" with value null when columns have everyday headers such as First Name, Email or Zip. To map by hand, use mappingMode "defineBelow" with a value whose keys are mapping type, colon, field, e.g. CreateOrUpdateContact:FirstName, and whose values are expressions that read one column of the item.',
		},
		description:
			'Which value goes into which field. An expression is filled in for each item; a fixed value is the same for all.',
	},
	{
		// n8n's own notice above it asks for headers that are named like the fields. n8n cannot show this one
		// by the mapping mode.
		displayName:
			'Map Automatically knows everyday headers such as "Cell phone" or "Zip". The option Dry Run shows which field each column goes into.',
		name: 'headersNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Description',
		name: 'description',
		type: 'string',
		default: '={{ $workflow.name }}',
		required: true,
		placeholder: 'e.g. Sign-ups of this week',
		description: 'A name for this import. It appears in notifications.',
	},
	...hostingFields,
];

/** Where Import Items waits. */
export const importWait = new WaitChoice(
	{
		displayName: 'Wait for the Outcome',
		name: 'waitForOutcome',
		description:
			'Where to wait for the end to return one outcome per row. Not at All returns one item per started file; read the outcome later with "Get Item Outcomes".',
	},
	['memory', 'database', 'none'],
	true,
);

/** Options of Import Items. */
export const importOptions: INodeProperties[] = [
	{
		displayName: 'Allow Missing Columns',
		name: 'allowMissingColumns',
		type: 'boolean',
		default: false,
		description:
			'Whether a field may be mapped to a property that no row has. It is then blank, and the service leaves it as it is.',
	},
	approvedPlanOption,
	cleanValuesOption,
	columnDelimiter.screen,
	consentOption,
	controlTotalsOption,
	dateFormatOption,
	duplicatesOption,
	correctionOption,
	lineBreaksOption,
	lookUpMatchesOption,
	...screenFields({ listeners: importJobFields.listeners }),
	maxRowsOption,
	maxZipSizeOption,
	outputRowsOption,
	outcomeFormatOption,
	ownHeadersOption,
	rejectedRowsOption,
	reportOption,
	{
		displayName: 'Result File Size Limit (KB)',
		name: 'resultFileSizeKbLimit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 100000,
		description:
			'Maximum size of one result file. If there are several, the node reads all of them. Known deployments accept 5000 to 100000.',
	},
	{
		displayName: 'Run Key',
		name: 'runKey',
		type: 'string',
		default: '',
		placeholder: 'e.g. sign-ups {{ $now.toISODate() }}',
		description:
			'Name of this import. Jobs that were already started under it for the same rows and fields are continued, not started again, where the service lists its jobs with descriptions.',
	},
	columnsChangedOption,
	...tryFirstOptions,
	skipUnchangedOption,
	...importWait.fields,
	{
		displayName: 'Check Values Before Sending',
		name: 'preflight',
		type: 'boolean',
		default: true,
		description:
			'Whether to check predefined values against the service, and all rows of a file, before anything is uploaded',
	},
	{
		...timeoutOption,
		description:
			'Maximum time to wait for each response. The upload of a file gets 8 seconds more per megabyte.',
	},
	hasQuotesField,
];

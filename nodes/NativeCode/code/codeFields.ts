import type { INodeProperties } from 'n8n-workflow';

import { namedIdField } from '../../shared/parameters/namedIdField';
import type { BodyPath } from '../../shared/service/bodyProblem';
import { LONGEST_CODE_DESCRIPTION, LONGEST_CODE_NAME } from '../../shared/service/code';

/** service.md 6.1. */

export const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Spring appeal',
	description: `Name of the code: at most ${LONGEST_CODE_NAME} characters, no / and no \\. The service accepts the same name more than once.`,
};

export const descriptionField: INodeProperties = {
	displayName: 'Description',
	name: 'description',
	type: 'string',
	default: '',
	placeholder: 'e.g. April letter to all donors',
	description: `What the code is for. At most ${LONGEST_CODE_DESCRIPTION} characters.`,
};

export const parentCodeField = namedIdField('parentCodeId', {
	displayName: 'Parent Code',
	searchListMethod: 'searchTagCodes',
	exampleId: '501',
	exampleName: 'Programmes',
	description: 'The tag that this tag belongs under. Leave empty for a tag at the top level.',
});

export const codeTypeOptions = [
	{ name: 'Source Code', value: 'SourceCode' },
	{ name: 'Tag', value: 'Tag' },
];

export const supportedEntitiesField: INodeProperties = {
	displayName: 'Supported Entities',
	name: 'supportedEntities',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Supported Entity',
	default: {},
	description:
		'The kinds of records the tag can be put on. Source codes have a fixed set: for them, this is not sent.',
	options: [
		{
			displayName: 'Supported Entity',
			name: 'entity',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'resourceLocator',
					default: { mode: 'list', value: '' },
					description: 'The kind of record, e.g. Events or Locations',
					modes: [
						{
							displayName: 'From List',
							name: 'list',
							type: 'list',
							typeOptions: { searchListMethod: 'searchSupportedEntities', searchable: true },
						},
						{ displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. Events' },
					],
				},
				{
					displayName: 'Is Searchable',
					name: 'isSearchable',
					type: 'boolean',
					default: true,
					description: 'Whether records of this kind can be searched by the tag',
				},
				{
					displayName: 'Is Applicable',
					name: 'isApplicable',
					type: 'boolean',
					default: true,
					description: 'Whether the tag can be put on records of this kind',
				},
			],
		},
	],
};

const metadataField = (displayName: string, name: string, what: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder: 'e.g. 1501',
	description: `Number of ${what} the source code belongs to`,
});

const campaignField = namedIdField('campaignId', {
	displayName: 'Campaign',
	searchListMethod: 'searchCampaigns',
	exampleId: '1501',
	exampleName: 'Spring',
	description: 'The campaign the source code belongs to',
});

const contactTypeField = namedIdField('contactTypeId', {
	displayName: 'Contact Type',
	searchListMethod: 'searchContactTypes',
	exampleId: '2',
	exampleName: 'Walk',
	description: 'The contact type the source code belongs to',
});

/** Metadata of source codes, by display name. */
export const metadataFields: INodeProperties[] = [
	campaignField,
	contactTypeField,
	metadataField('Cost Center ID', 'costCenterId', 'the cost center'),
	metadataField('General Ledger Fund ID', 'generalLedgerFundId', 'the general ledger fund'),
	{
		displayName: 'Is Source Code Applicable',
		name: 'isSourceCodeApplicable',
		type: 'boolean',
		default: true,
		description: 'Whether the source code can be put on records',
	},
	metadataField('Mail Merge Template ID', 'mailMergeTemplateId', 'the mail merge template'),
	metadataField('Revenue Stream ID', 'revenueStreamId', 'the revenue stream'),
];

export const CODE_JSON_LABEL = 'Code (JSON)';

/** Labels on the screen by property of the body. */
const labels: Record<string, string> = {
	name: 'Name',
	description: 'Description',
	parentCodeId: 'Parent Code',
	codeType: 'Code Type',
	supportedEntities: 'Supported Entity',
	isSearchable: 'Is Searchable',
	isApplicable: 'Is Applicable',
	campaign: 'Campaign',
	contactType: 'Contact Type',
	generalLedgerFund: 'General Ledger Fund ID',
	costCenter: 'Cost Center ID',
	revenueStream: 'Revenue Stream ID',
	mailMergeTemplate: 'Mail Merge Template ID',
	isSourceCodeApplicable: 'Is Source Code Applicable',
};

/** A place in the body in the words on the screen: `Supported Entity 2 → Name`. */
export function fieldOnScreen(path: BodyPath): string {
	const [property, position, below] = path;
	const label = labels[String(property)] ?? 'Code';
	if (typeof position !== 'number') return label;
	return `${label} ${position + 1}${below === undefined ? '' : ` → ${labels[below] ?? below}`}`;
}

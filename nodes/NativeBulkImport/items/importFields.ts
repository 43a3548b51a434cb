import type {
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { connect } from '../../shared/execution/connect';
import { toNodeError } from '../../shared/execution/nodeErrors';
import { endpoints } from '../../shared/service/endpoints';
import {
	fieldValueSchema,
	type MappingField,
	type MappingTypeDescription,
} from '../../shared/service/mappingType';
import type { NativeService } from '../../shared/service/nativeService';
import { readMappingTypes } from '../importLists';
import { fieldId, mappingTypeName, RECORD_ID_FIELD, requiredRecordId } from './importMapping';

/** How many more times a mapping type may be chosen that takes several values per record. */
const REPETITIONS = [2, 3];

function chosenResourceType(functions: ILoadOptionsFunctions): string {
	return String(functions.getCurrentNodeParameter('resourceType', { extractValue: true }) ?? '');
}

/** The mapping types for the chosen resource type; those that may stand several times are listed so. */
export async function getMappingTypes(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const resourceType = chosenResourceType(this);
	const mappingTypes = await readMappingTypes(this);
	return mappingTypes
		.filter(
			({ resourceTypes }) =>
				!resourceType || !resourceTypes?.length || resourceTypes.includes(resourceType),
		)
		.flatMap(({ name, displayName, allowMultipleMode }) => {
			const label = displayName && displayName !== name ? `${displayName} (${name})` : name;
			const more = /multiple|singlepertype/i.test(allowMultipleMode ?? '') ? REPETITIONS : [];
			return [
				{ name: label, value: name },
				...more.map((number) => ({
					name: `${label}, Number ${number}`,
					value: `${name} (${number})`,
				})),
			];
		})
		.sort((a, b) => a.name.localeCompare(b.name));
}

async function predefinedValues(
	service: NativeService,
	mappingType: string,
	fieldName: string,
): Promise<INodePropertyOptions[]> {
	const options: INodePropertyOptions[] = [];
	const path = { mappingTypeName: mappingType, fieldName };
	for await (const entry of service.list(endpoints.listBulkImportFieldValues, { path })) {
		const parsed = fieldValueSchema.safeParse(entry);
		const value = parsed.success ? (parsed.data.id ?? parsed.data.name) : undefined;
		if (parsed.success && value !== null && value !== undefined) {
			options.push({ name: parsed.data.name ?? String(value), value: String(value) });
		}
	}
	return options;
}

function labelOf(key: string, field: MappingField): string {
	const parents = (field.parents ?? []).map(({ parentFieldName }) => parentFieldName);
	const notes = [
		...(field.isRequired ? ['required'] : []),
		...(field.description && field.description !== field.name ? [field.description] : []),
		...(field.canBeMappedToColumn === false ? ['one fixed value'] : []),
		...(parents.length > 0 && !/^CF\d+$/i.test(field.name) ? [`with ${parents.join(', ')}`] : []),
	];
	return `${key}: ${field.name}${notes.length > 0 ? ` (${notes.join('; ')})` : ''}`;
}

async function mapperField(
	service: NativeService,
	key: string,
	mappingType: MappingTypeDescription,
	field: MappingField,
): Promise<ResourceMapperField> {
	const isRequired = field.isRequired === true;
	const options = field.hasPredefinedValues
		? await predefinedValues(service, mappingType.name, field.name)
		: [];
	return {
		id: fieldId(key, field.name),
		displayName: labelOf(key, field),
		required: isRequired,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		removed: !isRequired,
		type: options.length > 0 ? 'options' : 'string',
		...(options.length > 0 && { options }),
	};
}

/** The fields of the chosen mapping types as the service describes them, required ones first. */
export async function getImportFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const keys = (this.getCurrentNodeParameter('mappingTypes') ?? []) as string[];
	const resourceType = chosenResourceType(this);
	const mappingTypes = await readMappingTypes(this);
	try {
		const service = await connect(this);
		const recordId = requiredRecordId(resourceType, keys.map(mappingTypeName), service.vocabulary);
		const recordField: ResourceMapperField[] =
			recordId === undefined || keys.length === 0
				? []
				: [
						{
							id: RECORD_ID_FIELD,
							displayName: `${recordId} (which record the item belongs to)`,
							required: true,
							defaultMatch: false,
							canBeUsedToMatch: false,
							display: true,
							type: 'string',
						},
					];
		const fields = await Promise.all(
			keys.flatMap((key) => {
				const mappingType = mappingTypes.find(({ name }) => name === mappingTypeName(key));
				if (!mappingType) return [];
				return (mappingType.fields ?? [])
					.filter((field) => !isDerived(mappingType, field))
					.map(async (field) => await mapperField(service, key, mappingType, field));
			}),
		);
		return {
			fields: [
				...recordField,
				...fields.filter(({ required }) => required),
				...fields.filter(({ required }) => !required),
			],
		};
	} catch (error) {
		throw toNodeError(this.getNode(), error, 0);
	}
}

/** The group of custom fields follows from the fields, so nobody has to enter it. */
function isDerived({ name, fields }: MappingTypeDescription, field: MappingField): boolean {
	return (
		name === 'ApplyContactCustomFields' &&
		field.name.toLowerCase() === 'customfieldgroupid' &&
		(fields ?? []).some(({ parents }) =>
			parents?.some(
				({ parentFieldName }) => parentFieldName.toLowerCase() === 'customfieldgroupid',
			),
		)
	);
}

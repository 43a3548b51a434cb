import type {
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { connect } from '../../shared/execution/connect';
import { toNodeError } from '../../shared/execution/nodeErrors';
import { simplifyName } from '../../shared/importFile/matchHeaders';
import { endpoints } from '../../shared/service/endpoints';
import { isGroupAdded, requiredFirstColumn } from '../../shared/service/mappingRules';
import {
	fieldValueSchema,
	type MappingField,
	type MappingTypeDescription,
} from '../../shared/service/mappingType';
import type { NativeService } from '../../shared/service/nativeService';
import { mappingTypeLabel, readMappingTypes } from '../importLists';
import { fieldId, mappingTypeName, RECORD_ID_FIELD } from './importMapping';

/** Chosen most often: listed first, in this order. */
const USUAL = ['CreateOrUpdateContact', 'MailingAddress', 'Phones', 'Email', 'ApplyExternalID'];

function rankOf(value: string): number {
	const rank = USUAL.indexOf(value);
	return rank === -1 ? USUAL.length : rank;
}

/** Further occurrences of a mapping type that takes several values per record. */
const REPETITIONS = [2, 3];

function chosenResourceType(functions: ILoadOptionsFunctions): string {
	return String(functions.getCurrentNodeParameter('resourceType', { extractValue: true }) ?? '');
}

/** The mapping types for the chosen resource type; repeatable ones are listed several times. */
export async function getMappingTypes(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const resourceType = chosenResourceType(this);
	const mappingTypes = await readMappingTypes(this);
	return (
		mappingTypes
			.filter(
				({ resourceTypes }) =>
					!resourceType || !resourceTypes?.length || resourceTypes.includes(resourceType),
			)
			.flatMap((mappingType) => {
				const { name, allowMultipleMode } = mappingType;
				const label = mappingTypeLabel(mappingType);
				const more = /multiple|singlepertype/i.test(allowMultipleMode ?? '') ? REPETITIONS : [];
				return [
					{ name: label, value: name, number: 1 },
					...more.map((number) => ({
						name: `${label}, Number ${number}`,
						value: `${name} (${number})`,
						number,
					})),
				];
			})
			// Repetitions are rarely wanted and triple the list: put them last.
			.sort(
				(a, b) =>
					a.number - b.number || rankOf(a.value) - rankOf(b.value) || a.name.localeCompare(b.name),
			)
			.map(({ name, value }) => ({ name, value }))
	);
}

async function readPredefinedValues(
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

/** Characters of a label that n8n's editor shows: newer versions cut off the rest. */
const LABEL_ROOM = 28;

/** A field of a chosen mapping type. */
interface ChosenField {
	key: string;
	mappingType: MappingTypeDescription;
	field: MappingField;
}

/**
 * Begins with the name: the editor's list shows little more than the beginning.
 * @param isAmbiguous whether another chosen mapping type has a field of this name
 */
function labelOf({ key, mappingType, field }: ChosenField, isAmbiguous: boolean): string {
	const [, number] = / \((\d+)\)$/.exec(key) ?? [];
	const parents = (field.parents ?? [])
		.map(({ parentFieldName }) => parentFieldName)
		.filter((parent) => !mappingType.fields?.some((of) => of.isRequired && of.name === parent));
	const notes = [
		...(number === undefined ? [] : [`Number ${number}`]),
		...(field.isRequired ? ['required'] : []),
		...(field.canBeMappedToColumn === false ? ['one fixed value'] : []),
		...(parents.length > 0 && !/^CF\d+$/i.test(field.name) ? [`with ${parents.join(', ')}`] : []),
	];
	const group = isAmbiguous ? ` – ${mappingType.displayName || mappingType.name}` : '';
	const label = (texts: string[]): string =>
		`${field.name}${texts.length > 0 ? ` (${texts.join('; ')})` : ''}${group}`;
	const description = field.description ?? '';
	if (!description || simplifyName(description) === simplifyName(field.name)) return label(notes);
	const described = label([description, ...notes]);
	return described.length > LABEL_ROOM ? label(notes) : described;
}

async function mapperField(
	service: NativeService,
	chosen: ChosenField,
	isAmbiguous: boolean,
): Promise<ResourceMapperField> {
	const { key, mappingType, field } = chosen;
	const isRequired = field.isRequired === true;
	const options = field.hasPredefinedValues
		? await readPredefinedValues(service, mappingType.name, field.name)
		: [];
	return {
		id: fieldId(key, field.name),
		displayName: labelOf(chosen, isAmbiguous),
		required: isRequired,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
		type: options.length > 0 ? 'options' : 'string',
		...(options.length > 0 && { options }),
	};
}

/** Required fields come first. */
export async function getImportFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	const keys = (this.getCurrentNodeParameter('mappingTypes') ?? []) as string[];
	const resourceType = chosenResourceType(this);
	const mappingTypes = await readMappingTypes(this);
	try {
		const service = await connect(this);
		const recordId = requiredFirstColumn(
			resourceType,
			keys.map(mappingTypeName),
			service.vocabulary,
		);
		const recordField: ResourceMapperField[] =
			recordId === undefined || keys.length === 0
				? []
				: [
						{
							id: RECORD_ID_FIELD,
							displayName: `${recordId} (which record)`,
							required: true,
							defaultMatch: false,
							canBeUsedToMatch: false,
							display: true,
							type: 'string',
						},
					];
		const chosen = keys.flatMap((key): ChosenField[] => {
			const mappingType = mappingTypes.find(({ name }) => name === mappingTypeName(key));
			if (!mappingType) return [];
			return (mappingType.fields ?? [])
				.filter((field) => !isGroupAdded(mappingType, field.name))
				.map((field) => ({ key, mappingType, field }));
		});
		const fields = await Promise.all(
			chosen.map(async (one) => {
				const isAmbiguous = chosen.some(
					({ mappingType, field }) =>
						mappingType !== one.mappingType && field.name === one.field.name,
				);
				return await mapperField(service, one, isAmbiguous);
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

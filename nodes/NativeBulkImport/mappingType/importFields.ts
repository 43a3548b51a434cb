import { isEmpty, sortBy } from 'lodash';
import type {
	ILoadOptionsFunctions,
	INodePropertyOptions,
	ResourceMapperField,
	ResourceMapperFields,
} from 'n8n-workflow';

import { callForEditor } from '../../shared/execution/listSearch';
import { ServiceList } from '../../shared/execution/serviceList';
import {
	type MappingTypeDescription,
	requiredFirstColumn,
} from '../../shared/service/mappingRules';
import type { NativeService } from '../../shared/service/nativeService';
import { entryLabel, fieldValues } from '../../shared/service/serviceLists';
import {
	type ChosenField,
	distinctLabels,
	fieldId,
	mappingTypeName,
	NO_FIELD,
	RECORD_ID_FIELD,
	recordIdLabel,
} from './fieldLabels';
import { readMappingTypes } from './mappingTypeDescriptions';

/** Fields of a contact that most lists have; the others wait under Add Field. */
const USUAL_FIELDS: ReadonlySet<string> = new Set([
	'FirstName',
	'LastName',
	'AddressLine1',
	'AddressLine2',
	'City',
	'StateOrProvince',
	'ZipOrPostal',
	'Email',
	'Phone',
	'CellPhone',
]);

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

function currentKeys(functions: ILoadOptionsFunctions): string[] {
	const keys = functions.getCurrentNodeParameter('mappingTypes');
	return Array.isArray(keys) ? keys.map(String) : [];
}

/** The mapping types for the chosen resource type. A further copy is listed once the one before is chosen. */
export async function getMappingTypes(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	const resourceType = chosenResourceType(this);
	const chosen = currentKeys(this);
	// n8n 2.41 asks for the list of a new node before it fills in the credential, and after an error not again.
	// With entries, it asks once another one is chosen.
	const described: MappingTypeDescription[] = isEmpty(this.getNode().credentials)
		? USUAL.map((name) => ({ name }))
		: await callForEditor(this, readMappingTypes);
	const fitting = described
		.filter(
			({ resourceTypes }) =>
				!resourceType || !resourceTypes?.length || resourceTypes.includes(resourceType),
		)
		.map(({ name, displayName, allowMultipleMode }) => {
			const isRepeatable = /multiple|singlepertype/i.test(allowMultipleMode ?? '');
			return { name, label: entryLabel({ id: name, name: displayName }), isRepeatable };
		})
		.sort((a, b) => a.label.localeCompare(b.label));
	const ranked = sortBy(fitting, ({ name }) => rankOf(name));
	// Copies are rarely wanted: put them last.
	const copies = REPETITIONS.flatMap((number) =>
		fitting
			.filter(({ name, isRepeatable }) => isRepeatable && chosen.includes(copyOf(name, number - 1)))
			.map(({ name, label }) => ({
				name: `${label}, Number ${number}`,
				value: copyOf(name, number),
			})),
	);
	return [...ranked.map(({ name, label }) => ({ name: label, value: name })), ...copies];
}

/** In the form that the node stores. */
function copyOf(mappingType: string, number: number): string {
	return number === 1 ? mappingType : `${mappingType} (${number})`;
}

async function readPredefinedValues(
	service: NativeService,
	mappingType: string,
	fieldName: string,
): Promise<INodePropertyOptions[]> {
	const { entries } = await ServiceList.read(service, fieldValues(mappingType, fieldName));
	return entries.map(({ id, name }) => ({ name: name ?? String(id), value: String(id) }));
}

function textField(id: string, displayName: string, required: boolean): ResourceMapperField {
	const flags = { defaultMatch: false, canBeUsedToMatch: false, display: true };
	return { id, displayName, required, ...flags, type: 'string' };
}

async function mapperField(
	service: NativeService,
	{ mappingType, field, described }: ChosenField,
	displayName: string,
): Promise<ResourceMapperField> {
	const isRequired = described?.isRequired === true;
	const options = described?.hasPredefinedValues
		? await readPredefinedValues(service, mappingType.name, field)
		: [];
	return {
		...textField(fieldId(mappingType.key, field), displayName, isRequired),
		removed:
			mappingType.name === 'CreateOrUpdateContact' && !isRequired && !USUAL_FIELDS.has(field),
		...(options.length > 0 && { type: 'options', options }),
	};
}

/** The chosen fields with their labels, and the label of the identifier that the import needs, if any. */
async function withFields<T>(
	functions: ILoadOptionsFunctions,
	make: (
		service: NativeService,
		fields: Array<[ChosenField, string]>,
		recordId: string | undefined,
	) => Promise<T> | T,
): Promise<T> {
	const keys = currentKeys(functions);
	const resourceType = chosenResourceType(functions);
	return await callForEditor(functions, async (service) => {
		const types = keys.map(mappingTypeName);
		const name = requiredFirstColumn(resourceType, types, service.vocabulary);
		const recordId = name && keys.length > 0 ? recordIdLabel(name) : undefined;
		const described = await readMappingTypes(service);
		const chosen = keys.flatMap((key) => {
			const description = described.find((one) => one.name === mappingTypeName(key));
			return description ? { key, name: description.name, description } : [];
		});
		return await make(service, [...distinctLabels(chosen)], recordId);
	});
}

export async function getImportFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
	return await withFields(this, async (service, chosen, recordId) => {
		const fields = await Promise.all(
			chosen.map(async ([one, label]) => await mapperField(service, one, label)),
		);
		return {
			fields: [
				...(recordId === undefined ? [] : [textField(RECORD_ID_FIELD, recordId, true)]),
				...fields.filter(({ required }) => required),
				...fields.filter(({ required }) => !required),
			],
		};
	});
}

/** The fields of the chosen mapping types, for Headers the Node Does Not Know. */
export async function getImportFieldNames(
	this: ILoadOptionsFunctions,
): Promise<INodePropertyOptions[]> {
	return await withFields(this, (_, chosen, recordId) => {
		const fields = chosen.map(([{ mappingType, field }, name]) => ({
			name,
			value: fieldId(mappingType.key, field),
		}));
		return [
			...(recordId === undefined ? [] : [{ name: recordId, value: RECORD_ID_FIELD }]),
			...fields.sort((a, b) => a.name.localeCompare(b.name)),
			NO_FIELD,
		];
	});
}

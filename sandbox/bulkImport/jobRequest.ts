import { parseBody } from '../requestBody';
import { RequestRefused, type ServiceErrorEntry } from '../requestRefused';
import { isValidEmail } from '../store/personInput';
import type { Vocabulary } from '../vocabulary';
import { columnIndexOf, knownFieldName, mappedFields, type MappedField } from './fieldMapping';
import {
	jobRequestSchema,
	readableJobRequestSchema,
	type FieldValueMappingRequest,
	type JobRequest,
	type ReadableAction,
	type ReadableJobRequest,
	type ReadableMappingType,
} from './jobRequestSchema';
import { sameName, type MappingTypeDefinition, type MappingTypeDescription } from './mappingType';
import {
	keyFieldOf,
	mustBeginWithKey,
	RESOURCE_TYPES,
	type MappingTypeCatalogue,
} from './mappingTypeCatalogue';
import { predefinedIds } from './predefinedValues';

const MAX_DESCRIPTION_LENGTH = 255;
const FORBIDDEN_IN_DESCRIPTION = /[<>]+|&#/;
const SOURCE_URL_SCHEMES = ['sftp:', 'ftps:', 'https:'];
const COLUMN_NAME = /^[A-Za-z0-9]+$/;
const MAX_RESULT_FILE_SIZE_KB = 100_000;
const HINTED_VALUES = 20;
/** As the contract spells it. */
const APPLY_ORGANIZING_TURFS = 'ApplyOrganzingTurfs';

/** Lower-case name to the character it stands for (service.md 2.2). */
const DELIMITERS: Record<string, string> = { csv: ',', tab: '\t', pipe: '|' };

/** The character between fields; CSV when the body names none. */
export function delimiterOf(columnDelimiter: string | undefined): string | undefined {
	return DELIMITERS[(columnDelimiter ?? 'csv').toLowerCase()];
}

export interface JobRequestRules {
	catalogue: MappingTypeCatalogue;
	vocabulary: Vocabulary;
	/** Smallest accepted resultFileSizeKbLimit; 5000 in the best-known deployment (service.md 2.4). */
	minResultFileSizeKb: number;
}

type Refuse = (path: string, text: string, hint?: string) => void;

/**
 * Checks the body of POST /bulkImportJobs against service.md 2.1 to 2.6.
 *
 * @throws RequestRefused 400 with one entry for every problem of the body.
 */
export function validateJobRequest(body: unknown, rules: JobRequestRules): JobRequest {
	const errors: ServiceErrorEntry[] = [];
	const request = parsedOrErrors(body, rules.vocabulary, errors);
	const misshapenPaths = errors.map((error) => error.properties?.[0] ?? '');
	checkRules(readableJobRequestSchema.parse(body), rules, (path, text, hint) => {
		if (misshapenPaths.some((misshapen) => followsFrom(path, misshapen))) return;
		errors.push({
			code: 'INVALID_PARAMETER',
			text,
			properties: [path],
			...(hint !== undefined && { hint }),
		});
	});
	if (request === undefined || errors.length > 0) throw new RequestRefused(400, errors);
	return request;
}

/** A property of the wrong shape reads as absent: what is missed in it, or through it, is no news. */
function followsFrom(path: string, misshapenPath: string): boolean {
	const isWithin = (inner: string, outer: string) =>
		inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
	const parent = misshapenPath.replace(/\.?[^.]*$/, '');
	return misshapenPath === '' || isWithin(path, misshapenPath) || path === parent;
}

function parsedOrErrors(
	body: unknown,
	vocabulary: Vocabulary,
	errors: ServiceErrorEntry[],
): JobRequest | undefined {
	try {
		return parseBody(jobRequestSchema, body, vocabulary);
	} catch (error) {
		if (!(error instanceof RequestRefused)) throw error;
		errors.push(...error.errors);
		return undefined;
	}
}

/** The rules that types cannot express. Blanks stand for properties whose shape is refused already. */
function checkRules(request: ReadableJobRequest, rules: JobRequestRules, refuse: Refuse): void {
	checkDescription(request.description, refuse);
	checkSourceUrl(request.file.sourceUrl, refuse);
	checkListeners(request.listeners ?? [], refuse);
	if (delimiterOf(request.file.columnDelimiter) === undefined) {
		refuse('file.columnDelimiter', "'columnDelimiter' is unknown", 'One of CSV, Tab, Pipe.');
	}
	const columnNames = request.file.columns.map((column) => column.name);
	checkColumns(columnNames, refuse);
	request.actions.forEach((action, index) => {
		const path = `actions[${index}]`;
		checkAction(action, path, rules, refuse);
		checkFirstColumn(action, path, columnNames, rules, refuse);
		checkLabels(action, path, refuse);
		action.columnsToIncludeInResultsFile?.forEach((column, position) => {
			if (
				column.name !== '' &&
				columnNames.length > 0 &&
				columnIndexOf(columnNames, column.name) === -1
			) {
				refuse(
					`${path}.columnsToIncludeInResultsFile[${position}].name`,
					`'${column.name}' is not a column of the file`,
				);
			}
		});
		action.mappingTypes.forEach((mappingType, position) =>
			checkMappingType(mappingType, {
				action,
				path: `${path}.mappingTypes[${position}]`,
				columnNames,
				rules,
				refuse,
			}),
		);
	});
	checkOneResourceType(request.actions, refuse);
	checkOneTurf(request.actions, refuse);
}

function checkDescription(description: string, refuse: Refuse): void {
	if (description.length > MAX_DESCRIPTION_LENGTH) {
		refuse(
			'description',
			`'description' must not be longer than ${MAX_DESCRIPTION_LENGTH} characters`,
		);
	}
	if (FORBIDDEN_IN_DESCRIPTION.test(description)) {
		refuse('description', "'description' must not contain '<', '>' or '&#'");
	}
}

function checkSourceUrl(sourceUrl: string, refuse: Refuse): void {
	if (sourceUrl === '') return;
	if (!URL.canParse(sourceUrl)) {
		refuse('file.sourceUrl', "'sourceUrl' is not an absolute URL");
	} else if (!SOURCE_URL_SCHEMES.includes(new URL(sourceUrl).protocol)) {
		refuse(
			'file.sourceUrl',
			"The scheme of 'sourceUrl' is not supported",
			'One of sftp, ftps, https.',
		);
	}
}

/**
 * Notifications go by e-mail or by webhook (service.md 2.9). Only the type `email` is named, so every
 * other one is taken for a webhook.
 */
function checkListeners(listeners: Array<{ type: string; value: string }>, refuse: Refuse): void {
	listeners.forEach(({ type, value }, index) => {
		if (type === '' || value === '') return;
		const path = `listeners[${index}].value`;
		if (sameName(type, 'email')) {
			if (!isValidEmail(value)) refuse(path, "'value' is not an email address");
		} else if (!/^https?:\/\/./i.test(value) || !URL.canParse(value)) {
			refuse(path, "'value' is not the http or https address of a webhook");
		}
	});
}

function checkColumns(columnNames: string[], refuse: Refuse): void {
	columnNames.forEach((name, index) => {
		if (name === '') return;
		const path = `file.columns[${index}].name`;
		if (!COLUMN_NAME.test(name)) {
			refuse(path, `'${name}' is not alphanumeric`, COLUMN_NAME.source);
		}
		if (columnIndexOf(columnNames, name) < index) refuse(path, `'${name}' is not unique`);
	});
}

function checkAction(
	action: ReadableAction,
	path: string,
	rules: JobRequestRules,
	refuse: Refuse,
): void {
	if (action.actionType !== '' && action.actionType !== 'loadMappedFile') {
		refuse(`${path}.actionType`, "'actionType' is unknown", 'loadMappedFile');
	}
	if (action.resourceType !== '' && !RESOURCE_TYPES.includes(action.resourceType)) {
		refuse(
			`${path}.resourceType`,
			`'${action.resourceType}' is not a resource type`,
			`One of ${RESOURCE_TYPES.join(', ')}.`,
		);
	}
	const limit = action.resultFileSizeKbLimit;
	if (
		limit !== undefined &&
		(limit < rules.minResultFileSizeKb || limit > MAX_RESULT_FILE_SIZE_KB)
	) {
		refuse(
			`${path}.resultFileSizeKbLimit`,
			"'resultFileSizeKbLimit' is out of range",
			`${rules.minResultFileSizeKb} to ${MAX_RESULT_FILE_SIZE_KB}`,
		);
	}
}

/** The columns of a result file must be told apart by their names, which match case-insensitively. */
function checkLabels(action: ReadableAction, path: string, refuse: Refuse): void {
	const included = action.columnsToIncludeInResultsFile ?? [];
	const labels = action.mappingTypes.map((type) => type.resultFileColumnName ?? '');
	labels.forEach((label, index) => {
		if (label === '') return;
		const labelPath = `${path}.mappingTypes[${index}].resultFileColumnName`;
		if (columnIndexOf(labels, label) < index) {
			refuse(labelPath, `'${label}' labels another mapping type already`);
		}
		if (included.some((column) => sameName(column.name, label))) {
			refuse(labelPath, `'${label}' is a column to include in the results file`);
		}
	});
}

/** A contact has one organizing turf (service.md 2.6, rule 3), and all actions load the same contacts. */
function checkOneTurf(actions: ReadableAction[], refuse: Refuse): void {
	actions
		.flatMap((action, index) =>
			action.mappingTypes.flatMap((type, position) =>
				type.name === APPLY_ORGANIZING_TURFS
					? [`actions[${index}].mappingTypes[${position}].name`]
					: [],
			),
		)
		.slice(1)
		.forEach((path) =>
			refuse(path, `'${APPLY_ORGANIZING_TURFS}' can be used only once: a contact has one turf`),
		);
}

/** One file holds one resource type (service.md 2.1). */
function checkOneResourceType(actions: ReadableAction[], refuse: Refuse): void {
	const first = actions[0]?.resourceType;
	actions.forEach((action, index) => {
		if (action.resourceType !== first && action.resourceType !== '') {
			refuse(
				`actions[${index}].resourceType`,
				'All actions on one file must have the same resource type',
			);
		}
	});
}

/** The table of service.md 2.3, and where else a row cannot do without the record it is about. */
function checkFirstColumn(
	action: ReadableAction,
	path: string,
	columnNames: string[],
	rules: JobRequestRules,
	refuse: Refuse,
): void {
	const firstColumn = columnNames[0];
	const typeNames = action.mappingTypes.map((type) => type.name);
	if (firstColumn === undefined || !mustBeginWithKey(action.resourceType, typeNames)) return;

	const keyField = keyFieldOf(action.resourceType, rules.vocabulary);
	const keyMappings = action.mappingTypes.flatMap((type, typeIndex) =>
		(type.fieldValueMappings ?? []).flatMap((mapping, index) =>
			sameName(mapping.fieldName, keyField)
				? [{ mapping, path: `${path}.mappingTypes[${typeIndex}].fieldValueMappings[${index}]` }]
				: [],
		),
	);
	for (const { mapping, path: mappingPath } of keyMappings) {
		const isFirstColumn =
			mapping.staticValue === undefined &&
			sameName(mapping.columnName ?? mapping.fieldName, firstColumn);
		if (!isFirstColumn) {
			refuse(mappingPath, `'${keyField}' must be mapped to the first column of the file`);
		}
	}
	if (!sameName(firstColumn, keyField) && keyMappings.length === 0) {
		refuse(
			'file.columns[0].name',
			`The first column must be '${keyField}' for these mapping types`,
			`Name it '${keyField}', or map it to the field '${keyField}'.`,
		);
	}
}

interface MappingTypeCheck {
	action: ReadableAction;
	path: string;
	columnNames: string[];
	rules: JobRequestRules;
	refuse: Refuse;
}

function checkMappingType(mappingType: ReadableMappingType, check: MappingTypeCheck): void {
	const { action, path, rules, refuse } = check;
	if (mappingType.name === '') return;
	const definition = rules.catalogue.find(mappingType.name);
	if (!definition) {
		refuse(
			`${path}.name`,
			`'${mappingType.name}' is not a mapping type`,
			'See GET /bulkImportMappingTypes.',
		);
		return;
	}
	const { description } = definition;
	if (
		RESOURCE_TYPES.includes(action.resourceType) &&
		!description.resourceTypes.includes(action.resourceType)
	) {
		refuse(
			`${path}.name`,
			`'${mappingType.name}' does not apply to resource type '${action.resourceType}'`,
			`It applies to ${description.resourceTypes.join(', ')}.`,
		);
	}
	const keyField = keyFieldOf(action.resourceType, rules.vocabulary);
	mappingType.fieldValueMappings?.forEach((mapping, index) => {
		const mappingPath = `${path}.fieldValueMappings[${index}]`;
		const earlier = mappingType.fieldValueMappings?.slice(0, index) ?? [];
		if (
			mapping.fieldName !== '' &&
			earlier.some((other) => sameName(other.fieldName, mapping.fieldName))
		) {
			refuse(`${mappingPath}.fieldName`, `'${mapping.fieldName}' is mapped more than once`);
		}
		checkFieldValueMapping(mapping, { ...check, path: mappingPath, definition, keyField });
	});
	if (mappingType.fieldValueMappings === undefined && check.columnNames.length === 0) return;
	const fields = mappedFields(
		description,
		mappingType.fieldValueMappings,
		check.columnNames,
		keyField,
	);
	// A field that is refused for its column is not missing as well.
	const givenNames = [
		...fields.map((field) => field.fieldName),
		...(mappingType.fieldValueMappings ?? []).map((mapping) => mapping.fieldName),
	];
	const listPath = `${path}.fieldValueMappings`;
	checkRequiredFields(description, givenNames, keyField, listPath, refuse);
	checkParents(definition, fields, givenNames, listPath, refuse);
	if (mappingType.name === 'ApplyContactCustomFields') {
		checkOneCustomFieldGroup(description, fields, listPath, refuse);
	}
}

function checkFieldValueMapping(
	mapping: FieldValueMappingRequest,
	check: MappingTypeCheck & { definition: MappingTypeDefinition; keyField: string },
): void {
	const { path, definition, keyField, columnNames, refuse } = check;
	if (mapping.fieldName === '') return;
	const { description } = definition;
	const fieldName = knownFieldName(description, keyField, mapping.fieldName);
	if (fieldName === undefined) {
		refuse(
			`${path}.fieldName`,
			`'${mapping.fieldName}' is not a field of '${description.name}'`,
			`See GET /bulkImportMappingTypes/${description.name}.`,
		);
		return;
	}
	if (mapping.staticValue !== undefined) {
		if (mapping.columnName !== undefined) {
			refuse(path, "'staticValue' and 'columnName' exclude each other");
		}
		if (mapping.values !== undefined && mapping.values.length > 0) {
			refuse(
				`${path}.values`,
				"'values' translates values of the file and cannot be used with 'staticValue'",
			);
		}
		checkStaticValue(mapping.staticValue, fieldName, definition, path, refuse);
		return;
	}
	checkColumn(mapping, fieldName, description, path, columnNames, refuse);
	const sourceValues = mapping.values?.map((value) => value.sourceValue) ?? [];
	sourceValues.forEach((sourceValue, index) => {
		if (sourceValues.indexOf(sourceValue) < index) {
			refuse(`${path}.values[${index}].sourceValue`, `'${sourceValue}' is translated twice`);
		}
	});
}

function checkStaticValue(
	staticValue: string,
	fieldName: string,
	definition: MappingTypeDefinition,
	path: string,
	refuse: Refuse,
): void {
	const values = definition.values.get(fieldName);
	const field = definition.description.fields.find((one) => one.name === fieldName);
	if (staticValue === '' && field?.isRequired) {
		refuse(`${path}.staticValue`, `'${fieldName}' is required and must not be blank`);
	} else if (
		values &&
		staticValue !== '' &&
		!predefinedIds(values).has(staticValue.toLowerCase())
	) {
		refuse(
			`${path}.staticValue`,
			`'${staticValue}' is not a predefined value of '${fieldName}'`,
			`Accepted values: ${values
				.slice(0, HINTED_VALUES)
				.map((value) => value.id)
				.join(', ')}`,
		);
	}
}

function checkColumn(
	mapping: FieldValueMappingRequest,
	fieldName: string,
	description: MappingTypeDescription,
	path: string,
	columnNames: string[],
	refuse: Refuse,
): void {
	const field = description.fields.find((one) => one.name === fieldName);
	if (field?.canBeMappedToColumn === false) {
		refuse(path, `'${fieldName}' cannot be mapped to a column`, "Give it a 'staticValue'.");
		return;
	}
	if (mapping.columnName === '' || columnNames.length === 0) return;
	if (columnIndexOf(columnNames, mapping.columnName ?? mapping.fieldName) !== -1) return;
	if (mapping.columnName === undefined) {
		refuse(
			path,
			`'${fieldName}' has neither 'staticValue' nor 'columnName', and no column of the file has its name`,
		);
	} else {
		refuse(`${path}.columnName`, `'${mapping.columnName}' is not a column of the file`);
	}
}

function checkRequiredFields(
	description: MappingTypeDescription,
	givenNames: string[],
	keyField: string,
	path: string,
	refuse: Refuse,
): void {
	// The rule for the first column has its own message.
	const requiredFields = description.fields.filter(
		(field) => field.isRequired && !sameName(field.name, keyField),
	);
	for (const { name } of requiredFields) {
		if (givenNames.some((given) => sameName(given, name))) continue;
		refuse(path, `'${name}' is required for '${description.name}'`);
	}
	const givesNothing = givenNames.every((name) => sameName(name, keyField));
	if (givesNothing && requiredFields.length === 0) {
		refuse(path, `No field of '${description.name}' is mapped`);
	}
}

function checkParents(
	{ description, values }: MappingTypeDefinition,
	fields: MappedField[],
	givenNames: string[],
	path: string,
	refuse: Refuse,
): void {
	for (const mapped of fields) {
		const parents = description.fields.find((field) => field.name === mapped.fieldName)?.parents;
		for (const { parentFieldName, limitedToParentValues } of parents ?? []) {
			const parent = fields.find((field) => field.fieldName === parentFieldName);
			const parentIsRequired = description.fields.some(
				(field) => field.name === parentFieldName && field.isRequired,
			);
			// A missing required parent has its own message.
			if (!parentIsRequired && !givenNames.some((given) => sameName(given, parentFieldName))) {
				refuse(path, `'${mapped.fieldName}' can be used only together with '${parentFieldName}'`);
			}
			const parentId =
				parent?.staticValue &&
				predefinedIds(values.get(parentFieldName) ?? []).get(parent.staticValue.toLowerCase());
			if (
				parentId &&
				limitedToParentValues &&
				!limitedToParentValues.some((value) => value.id === parentId)
			) {
				refuse(path, `'${mapped.fieldName}' does not belong to '${parentFieldName}' ${parentId}`);
			}
		}
	}
}

/** Fields of different groups must not be mixed in one mapping type (service.md 2.6, rule 2). */
function checkOneCustomFieldGroup(
	description: MappingTypeDescription,
	fields: MappedField[],
	path: string,
	refuse: Refuse,
): void {
	const groupIds = new Set(
		fields.flatMap((mapped) => {
			const field = description.fields.find((one) => one.name === mapped.fieldName);
			return (field?.parents ?? []).flatMap((parent) =>
				(parent.limitedToParentValues ?? []).map((value) => value.id),
			);
		}),
	);
	if (groupIds.size > 1) {
		refuse(
			path,
			'Custom fields of different groups must not be mixed in one mapping type',
			'Add one ApplyContactCustomFields mapping type per group.',
		);
	}
}

import { isValidEmail } from '../store/personInput';
import { parseBody } from '../wire/requestBody';
import { RequestRejected, type ServiceErrorEntry } from '../wire/requestRejected';
import type { Vocabulary } from '../wire/vocabulary';
import {
	jobRequestSchema,
	readableJobRequestSchema,
	type JobRequest,
	type ReadableAction,
	type ReadableJobRequest,
} from './jobRequestSchema';
import { columnIndexOf } from './mapping/fieldMapping';
import { sameName } from './mapping/mappingType';
import { keyFieldOf, mustBeginWithKey, RESOURCE_TYPES } from './mapping/mappingTypeCatalogue';
import { checkMappingType, type JobRequestRules, type RefuseIf } from './mappingRules';

const MAX_DESCRIPTION_LENGTH = 255;
const FORBIDDEN_IN_DESCRIPTION = /[<>]+|&#/;
const SOURCE_URL_SCHEMES = ['sftp:', 'ftps:', 'https:'];
const COLUMN_NAME = /^[A-Za-z0-9]+$/;
const MAX_RESULT_FILE_SIZE_KB = 100_000;
/** As the contract spells it. */
const APPLY_ORGANIZING_TURFS = 'ApplyOrganzingTurfs';

/** Lower-case name to the character it stands for (service.md 2.2). */
const DELIMITERS: Record<string, string> = { csv: ',', tab: '\t', pipe: '|' };

/** The character between fields; CSV when the body names none. */
export function delimiterOf(columnDelimiter: string | undefined): string | undefined {
	return DELIMITERS[(columnDelimiter ?? 'csv').toLowerCase()];
}

/**
 * Checks the body of POST /bulkImportJobs against service.md 2.1 to 2.6.
 *
 * @throws RequestRefused 400 with one entry for every problem of the body.
 */
export function validateJobRequest(body: unknown, rules: JobRequestRules): JobRequest {
	const errors: ServiceErrorEntry[] = [];
	const request = parseOrCollect(body, rules.vocabulary, errors);
	const misshapenPaths = errors.map((error) => error.properties?.[0] ?? '');
	checkRules(readableJobRequestSchema.parse(body), rules, (isWrong, path, text, hint) => {
		if (!isWrong || misshapenPaths.some((misshapen) => followsFrom(path, misshapen))) return;
		errors.push({
			code: 'INVALID_PARAMETER',
			text,
			properties: [path],
			...(hint !== undefined && { hint }),
		});
	});
	if (request === undefined || errors.length > 0) throw new RequestRejected(400, errors);
	return request;
}

/** A property of the wrong shape reads as absent: what is missed in it, or through it, is no news. */
function followsFrom(path: string, misshapenPath: string): boolean {
	const isWithin = (inner: string, outer: string) =>
		inner === outer || inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
	const parent = misshapenPath.replace(/\.?[^.]*$/, '');
	return misshapenPath === '' || isWithin(path, misshapenPath) || path === parent;
}

function parseOrCollect(
	body: unknown,
	vocabulary: Vocabulary,
	errors: ServiceErrorEntry[],
): JobRequest | undefined {
	try {
		return parseBody(jobRequestSchema, body, vocabulary);
	} catch (error) {
		if (!(error instanceof RequestRejected)) throw error;
		errors.push(...error.errors);
		return undefined;
	}
}

/** The rules that types cannot express. Blanks stand for properties whose shape is refused already. */
function checkRules(request: ReadableJobRequest, rules: JobRequestRules, refuseIf: RefuseIf): void {
	const { description, file, listeners = [], actions } = request;
	refuseIf(
		description.length > MAX_DESCRIPTION_LENGTH,
		'description',
		`'description' must not be longer than ${MAX_DESCRIPTION_LENGTH} characters`,
	);
	refuseIf(
		FORBIDDEN_IN_DESCRIPTION.test(description),
		'description',
		"'description' must not contain '<', '>' or '&#'",
	);
	checkSourceUrl(file.sourceUrl, refuseIf);
	checkListeners(listeners, refuseIf);
	refuseIf(
		delimiterOf(file.columnDelimiter) === undefined,
		'file.columnDelimiter',
		"'columnDelimiter' is unknown",
		'One of CSV, Tab, Pipe.',
	);
	const columnNames = file.columns.map((column) => column.name);
	checkColumns(columnNames, refuseIf);
	actions.forEach((action, index) => {
		const path = `actions[${index}]`;
		checkAction(action, path, rules, refuseIf);
		checkFirstColumn(action, path, columnNames, rules, refuseIf);
		checkLabels(action, path, columnNames, refuseIf);
		action.mappingTypes.forEach((mappingType, position) =>
			checkMappingType(mappingType, {
				resourceType: action.resourceType,
				path: `${path}.mappingTypes[${position}]`,
				columnNames,
				rules,
				refuseIf,
			}),
		);
		refuseIf(
			action.resourceType !== '' && action.resourceType !== actions[0]?.resourceType,
			`${path}.resourceType`,
			'All actions on one file must have the same resource type',
		);
	});
	checkOneTurf(actions, refuseIf);
}

function checkSourceUrl(sourceUrl: string, refuseIf: RefuseIf): void {
	if (sourceUrl === '') return;
	const isUrl = URL.canParse(sourceUrl);
	refuseIf(!isUrl, 'file.sourceUrl', "'sourceUrl' is not an absolute URL");
	refuseIf(
		isUrl && !SOURCE_URL_SCHEMES.includes(new URL(sourceUrl).protocol),
		'file.sourceUrl',
		"The scheme of 'sourceUrl' is not supported",
		'One of sftp, ftps, https.',
	);
}

/** Only the type `email` is named (service.md 2.9), so every other one is taken for a webhook. */
function checkListeners(
	listeners: Array<{ type: string; value: string }>,
	refuseIf: RefuseIf,
): void {
	listeners.forEach(({ type, value }, index) => {
		if (type === '' || value === '') return;
		const path = `listeners[${index}].value`;
		const isEmail = sameName(type, 'email');
		refuseIf(isEmail && !isValidEmail(value), path, "'value' is not an email address");
		refuseIf(
			!isEmail && !(/^https?:\/\/./i.test(value) && URL.canParse(value)),
			path,
			"'value' is not the http or https address of a webhook",
		);
	});
}

function checkColumns(columnNames: string[], refuseIf: RefuseIf): void {
	columnNames.forEach((name, index) => {
		if (name === '') return;
		const path = `file.columns[${index}].name`;
		refuseIf(!COLUMN_NAME.test(name), path, `'${name}' is not alphanumeric`, COLUMN_NAME.source);
		refuseIf(columnIndexOf(columnNames, name) < index, path, `'${name}' is not unique`);
	});
}

function checkAction(
	{ actionType, resourceType, resultFileSizeKbLimit: limit }: ReadableAction,
	path: string,
	{ minResultFileSizeKb: min }: JobRequestRules,
	refuseIf: RefuseIf,
): void {
	refuseIf(
		actionType !== '' && actionType !== 'loadMappedFile',
		`${path}.actionType`,
		"'actionType' is unknown",
		'loadMappedFile',
	);
	refuseIf(
		resourceType !== '' && !RESOURCE_TYPES.includes(resourceType),
		`${path}.resourceType`,
		`'${resourceType}' is not a resource type`,
		`One of ${RESOURCE_TYPES.join(', ')}.`,
	);
	refuseIf(
		limit !== undefined && (limit < min || limit > MAX_RESULT_FILE_SIZE_KB),
		`${path}.resultFileSizeKbLimit`,
		"'resultFileSizeKbLimit' is out of range",
		`${min} to ${MAX_RESULT_FILE_SIZE_KB}`,
	);
}

/** The columns of a result file must be told apart by their names, which match case-insensitively. */
function checkLabels(
	action: ReadableAction,
	path: string,
	columnNames: string[],
	refuseIf: RefuseIf,
): void {
	const included = action.columnsToIncludeInResultsFile ?? [];
	const labels = action.mappingTypes.map((type) => type.resultFileColumnName ?? '');
	labels.forEach((label, index) => {
		if (label === '') return;
		const labelPath = `${path}.mappingTypes[${index}].resultFileColumnName`;
		refuseIf(
			columnIndexOf(labels, label) < index,
			labelPath,
			`'${label}' labels another mapping type already`,
		);
		refuseIf(
			included.some((column) => sameName(column.name, label)),
			labelPath,
			`'${label}' is a column to include in the results file`,
		);
	});
	included.forEach(({ name }, position) =>
		refuseIf(
			name !== '' && columnNames.length > 0 && columnIndexOf(columnNames, name) === -1,
			`${path}.columnsToIncludeInResultsFile[${position}].name`,
			`'${name}' is not a column of the file`,
		),
	);
}

/** A contact has one organizing turf (service.md 2.6, rule 3), and all actions load the same contacts. */
function checkOneTurf(actions: ReadableAction[], refuseIf: RefuseIf): void {
	const paths = actions.flatMap((action, index) =>
		action.mappingTypes.flatMap((type, position) =>
			type.name === APPLY_ORGANIZING_TURFS
				? [`actions[${index}].mappingTypes[${position}].name`]
				: [],
		),
	);
	paths.forEach((path, index) =>
		refuseIf(
			index > 0,
			path,
			`'${APPLY_ORGANIZING_TURFS}' can be used only once: a contact has one turf`,
		),
	);
}

/** The table of service.md 2.3, and where else a row cannot do without the record it is about. */
function checkFirstColumn(
	action: ReadableAction,
	path: string,
	[firstColumn]: string[],
	rules: JobRequestRules,
	refuseIf: RefuseIf,
): void {
	const typeNames = action.mappingTypes.map((type) => type.name);
	if (firstColumn === undefined || !mustBeginWithKey(action.resourceType, typeNames)) return;

	const keyField = keyFieldOf(action.resourceType, rules.vocabulary);
	let isMapped = false;
	action.mappingTypes.forEach((type, typeIndex) =>
		type.fieldValueMappings?.forEach((mapping, index) => {
			if (!sameName(mapping.fieldName, keyField)) return;
			isMapped = true;
			const isFirstColumn =
				mapping.staticValue === undefined &&
				sameName(mapping.columnName ?? mapping.fieldName, firstColumn);
			refuseIf(
				!isFirstColumn,
				`${path}.mappingTypes[${typeIndex}].fieldValueMappings[${index}]`,
				`'${keyField}' must be mapped to the first column of the file`,
			);
		}),
	);
	refuseIf(
		!isMapped && !sameName(firstColumn, keyField),
		'file.columns[0].name',
		`The first column must be '${keyField}' for these mapping types`,
		`Name it '${keyField}', or map it to the field '${keyField}'.`,
	);
}

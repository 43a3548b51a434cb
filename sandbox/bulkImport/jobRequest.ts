import { parseBody } from '../wire/requestBody';
import type { Vocabulary } from '../wire/vocabulary';
import { jobRequestSchema, type ActionRequest, type JobRequest } from './jobRequestSchema';
import { columnIndexOf } from './mapping/fieldMapping';
import { sameName } from './mapping/mappingType';
import {
	keyFieldOf,
	mustBeginWithKey,
	type MappingTypeCatalogue,
} from './mapping/mappingTypeCatalogue';
import { checkMappingType, type Path, type RejectIf } from './mappingRules';

/** The contract spells it this way. */
const APPLY_ORGANIZING_TURFS = 'ApplyOrganzingTurfs';

interface Rules {
	catalogue: MappingTypeCatalogue;
	vocabulary: Vocabulary;
}

/**
 * Checks the body of POST /bulkImportJobs against service.md 2.1 to 2.6.
 *
 * @throws RequestRejected 400 with one entry for every problem of the body.
 */
export function validateJobRequest(body: unknown, rules: Rules): JobRequest {
	const schema = jobRequestSchema(rules.catalogue).superRefine((request, context) =>
		checkRules(request, rules, (isWrong, path, message, hint) => {
			if (isWrong) context.addIssue({ code: 'custom', path, message, params: { hint } });
		}),
	);
	return parseBody(schema, body, rules.vocabulary);
}

/** The rules between the file and its actions. They need columns, whose absence is a problem of its own. */
function checkRules({ file, actions }: JobRequest, rules: Rules, rejectIf: RejectIf): void {
	const columnNames = file.columns.map((column) => column.name);
	if (columnNames.length === 0) return;
	actions.forEach((action, index) => {
		const path = ['actions', index];
		const keyField = keyFieldOf(action.resourceType, rules.vocabulary);
		rejectIf(
			action.resourceType !== actions[0]?.resourceType,
			[...path, 'resourceType'],
			'All actions on one file must have the same resource type',
		);
		checkFirstColumn(action, path, columnNames, keyField, rejectIf);
		checkIncludedColumns(action, path, columnNames, rejectIf);
		action.mappingTypes.forEach((mappingType, position) => {
			const definition = rules.catalogue.find(mappingType.name);
			if (!definition) return;
			checkMappingType(mappingType, action.resourceType, {
				definition,
				keyField,
				columnNames,
				path: [...path, 'mappingTypes', position],
				rejectIf,
			});
		});
	});
	checkOneTurf(actions, rejectIf);
}

/** Columns of a result file need different names, and names match case-insensitively. */
function checkIncludedColumns(
	{ columnsToIncludeInResultsFile: included = [], mappingTypes }: ActionRequest,
	path: Path,
	columnNames: string[],
	rejectIf: RejectIf,
): void {
	included.forEach(({ name }, position) =>
		rejectIf(
			columnIndexOf(columnNames, name) === -1,
			[...path, 'columnsToIncludeInResultsFile', position, 'name'],
			`'${name}' is not a column of the file`,
		),
	);
	mappingTypes.forEach(({ resultFileColumnName: label }, position) =>
		rejectIf(
			label !== undefined && included.some((column) => sameName(column.name, label)),
			[...path, 'mappingTypes', position, 'resultFileColumnName'],
			`'${label}' is a column to include in the results file`,
		),
	);
}

/** A contact has one organizing turf (service.md 2.6, rule 3), and all actions load the same contacts. */
function checkOneTurf(actions: ActionRequest[], rejectIf: RejectIf): void {
	const paths = actions.flatMap(({ mappingTypes }, index) =>
		mappingTypes.flatMap(({ name }, position) =>
			name === APPLY_ORGANIZING_TURFS ? [['actions', index, 'mappingTypes', position, 'name']] : [],
		),
	);
	const text = `'${APPLY_ORGANIZING_TURFS}' can be used only once: a contact has one turf`;
	paths.slice(1).forEach((path) => rejectIf(true, path, text));
}

/** The table of service.md 2.3, and where else a row cannot do without the record it is about. */
function checkFirstColumn(
	{ resourceType, mappingTypes }: ActionRequest,
	path: Path,
	[firstColumn = '']: string[],
	keyField: string,
	rejectIf: RejectIf,
): void {
	const typeNames = mappingTypes.map((type) => type.name);
	if (!mustBeginWithKey(resourceType, typeNames)) return;

	let isMapped = false;
	mappingTypes.forEach((type, typeIndex) =>
		type.fieldValueMappings?.forEach((mapping, index) => {
			if (!sameName(mapping.fieldName, keyField)) return;
			isMapped = true;
			rejectIf(
				mapping.staticValue !== undefined ||
					!sameName(mapping.columnName ?? mapping.fieldName, firstColumn),
				[...path, 'mappingTypes', typeIndex, 'fieldValueMappings', index],
				`'${keyField}' must be mapped to the first column of the file`,
			);
		}),
	);
	rejectIf(
		!isMapped && !sameName(firstColumn, keyField),
		['file', 'columns', 0, 'name'],
		`The first column must be '${keyField}' for these mapping types`,
		`Name it '${keyField}', or map it to the field '${keyField}'.`,
	);
}

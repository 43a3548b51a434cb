import { cloneDeep, omit, pick, set } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';

import { createFromItemsOperation } from '../nodes/NativeBulkImport/importItems/createFromItems.operation';
import { defineResources } from '../nodes/shared/operations/describe';
import { fieldsByPath } from '../nodes/shared/parameters/itemParameters';

const [resource] = defineResources([
	{ value: 'job', name: 'Job', operations: [createFromItemsOperation] },
]);
const properties = resource?.operations.flatMap((operation) => operation.properties) ?? [];

/** Where the screen of Import Items has each of its fields. */
const places: ReadonlyMap<string, string> = new Map(
	fieldsByPath(properties).map(([path, { name }]) => [name, path]),
);

/** What is an option in a test, and a field of the credential on the screen. */
const LIMITS = [
	'maxRowsPerFile',
	'maxZipSizeMb',
	'resultFileSizeKbLimit',
	'pollInterval',
	'timeout',
] as const;

/** Names of the source of rows, which tests give next to the options. */
const SOURCE = ['source', 'inputDataFieldName', 'sourceDelimiter'] as const;

const ORDERS = ['recognized', 'monthFirst', 'dayFirst', 'yearFirst', 'other'];

/** The parameters that a flat option of a test stands for. */
function shownOf(name: string, value: unknown): Record<string, unknown> {
	if (name === 'dryRun') {
		const isExpression = typeof value === 'string' && value.startsWith('=');
		if (isExpression) return { whatShouldHappen: value };
		return { whatShouldHappen: value === true ? 'show' : 'import' };
	}
	if (name === 'askFirst') return value === true ? { whatShouldHappen: 'ask' } : {};
	if (name === 'lookUpMatches') return { lookUp: value };
	if (name === 'dateFormat' && !ORDERS.includes(String(value)))
		return value === '' ? {} : { dateFormat: 'other', otherDateFormat: value };
	return { [name]: value };
}

/** Puts options where the screen has them. Returns with the limits of the deployment, which are in the credential. */
export function withOptions(
	parameters: INodeParameters,
	options: INodeParameters,
): INodeParameters {
	const shown = cloneDeep(parameters);
	const limits: INodeParameters = {};
	const fields = Object.entries(options).flatMap(([name, value]) =>
		Object.entries(shownOf(name, value)),
	);
	for (const [name, value] of fields) {
		const path = places.get(name);
		if (LIMITS.some((limit) => limit === name)) limits[name] = value as INodeParameters;
		else if (path === undefined) throw new Error(`Import Items has no option "${name}".`);
		else if (value !== undefined) set(shown, path, value);
	}
	return Object.keys(limits).length > 0 ? { ...shown, limits } : shown;
}

/**
 * The parameters of Import Items as the screen has them, for a test that names its options flat. Imports,
 * unless the test wants a dry run, without a report, unless it wants one.
 */
export function shownImport(flat: INodeParameters): INodeParameters {
	const { options = {}, ...others } = flat;
	const { rejectedRows, ...given } = options as INodeParameters;
	const { mappingMode } = (others.fieldMap ?? {}) as INodeParameters;
	const shown = {
		whatShouldHappen: 'import',
		...(mappingMode === 'defineBelow' && { columns: 'chosen' }),
		...omit(others, SOURCE),
	} as INodeParameters;
	// Those who want a page alone do not want to be asked.
	const hasPage = 'progressPage' in given || 'wakeByService' in given;
	const page = hasPage ? { correctRejected: 0 } : {};
	const report = { report: rejectedRows === true };
	return withOptions(shown, {
		...report,
		...pick(others, SOURCE),
		...page,
		...given,
		// The screen has the key where the jobs of a list are continued.
		...('runKey' in given && { ifImportedBefore: 'continue' }),
	} as INodeParameters);
}

import { pick } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import type { ServiceContext } from '../../../shared/execution/operation';
import {
	type DateFormat,
	dateFormatInput,
	listDateFields,
} from '../../../shared/parameters/dateFormat';
import type { BodyPath } from '../../../shared/service/bodyProblem';
import { MOST_COLUMNS } from '../../../shared/service/importJobFile';
import {
	type ImportJob,
	importJobBody,
	resourceTypeField,
} from '../../../shared/service/importJob';
import { InvalidInput, throwIfAny } from '../../../shared/service/invalidInput';
import { requiredFirstColumn } from '../../../shared/service/mappingRules';
import type { NativeService } from '../../../shared/service/nativeService';
import { readBody } from '../../../shared/service/requestBody';
import { importFileSettings } from '../../file/fileFields';
import { markDescription, runIdOf } from '../../job/descriptionMark';
import { describeMappingType, readAcceptedValues } from '../../mappingType/mappingTypeDescriptions';
import { type HeaderMapping, mapByHand, mapByHeaders } from '../mapping/headerMapping';
import { readDateColumns } from '../mapping/dateColumns';
import { expressionProblems, mappingProblems, rejectUnaccepted } from '../mapping/mappingChecks';
import {
	IMPORT_LABEL,
	type MappedFields,
	mappedFields,
	MAPPING_TYPES_LABEL,
	type PlannedColumn,
	planMapping,
} from '../mapping/importMapping';
import { type ChosenMappingType, mappingTypeName } from '../../mappingType/fieldLabels';
import type { ImportRows } from '../../rows/importRows';
import type { ImportContext } from '../feature';
import type { ImportPlan } from '../model';
import type { Stops } from '../stops';
import { judgeBlankIds } from './recordIds';

const NAME_LABEL = 'Name of This Import';

export const planFields: INodeProperties[] = [
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
			'What the service does with each row. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
	{
		displayName: 'Columns',
		name: 'columns',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Recognized Automatically',
				value: 'recognized',
				description:
					'By their headers and values. You need not rename everyday headers such as "Cell phone" or "Zip". Only Show says which field each column goes into.',
			},
			{
				name: 'Chosen Here',
				value: 'chosen',
				description: 'You choose which value goes into which field',
			},
		],
		default: 'recognized',
		builderHint: {
			propertyHint:
				'Keep "recognized" when columns have everyday headers such as First Name, Email or Zip. "chosen" needs fieldMap.',
		},
		description: 'How the node knows which column goes into which field',
	},
	{
		displayName: 'Fields',
		name: 'fieldMap',
		type: 'resourceMapper',
		noDataExpression: true,
		default: { mappingMode: 'defineBelow', value: null },
		required: true,
		displayOptions: {
			// Without a mapping type there are no fields, and n8n would show an error.
			show: { columns: ['chosen'], mappingTypes: [{ _cnd: { exists: true } }] },
		},
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
				// Columns recognizes them; n8n would ask for headers that are named like the fields.
				supportAutoMap: false,
				// Fields that the service has added since the node was last opened.
				refreshStaleSchemaOnOpen: true,
				// n8n shows this also if the list could not be read.
				noFieldsError: 'No fields were found. Check the credential and the mapping types.',
			},
		},
		builderHint: {
			propertyHint:
				'Use mappingMode "defineBelow" with a value whose keys are mapping type, colon, field, e.g. CreateOrUpdateContact:FirstName, and whose values are expressions that read one column of the item.',
		},
		description:
			'Which value goes into which field. An expression is filled in for each item; a fixed value is the same for all.',
	},
	...listDateFields,
	{
		displayName: NAME_LABEL,
		name: 'description',
		type: 'string',
		default: '={{ $workflow.name }}',
		required: true,
		placeholder: 'e.g. Sign-ups of this week',
		description: 'It appears in notifications',
	},
];

/** The field on the screen behind a property of the job. */
const SCREEN_FIELDS: Record<string, string> = {
	description: NAME_LABEL,
	resourceType: IMPORT_LABEL,
	resultFileSizeKbLimit: 'Credential → Result File Size Limit',
	sourceUrl: 'Download URL',
};

/** The chosen mapping types as the service describes them. Throws InvalidInput for unknown ones. */
async function readMappingTypes({
	parameters,
	service,
}: ServiceContext): Promise<ChosenMappingType[]> {
	const keys = parameters.names('mappingTypes');
	if (keys.length === 0) {
		const text = 'must have at least one entry, e.g. CreateOrUpdateContact.';
		throw new InvalidInput([{ field: MAPPING_TYPES_LABEL, text }]);
	}
	const chosen = await Promise.all(
		keys.map(async (key) => {
			const described = await describeMappingType(service, mappingTypeName(key));
			return { key, name: described.description?.name ?? mappingTypeName(key), ...described };
		}),
	);
	// Nothing else can be checked without the fields of a mapping type.
	const unknown = new Set(chosen.flatMap((mappingType) => mappingType.unknown ?? []));
	throwIfAny([...unknown].map((text) => ({ field: MAPPING_TYPES_LABEL, text })));
	return chosen;
}

interface PlanContext extends ServiceContext, Pick<ImportContext, 'hooks'> {
	stops: Stops;
}

/** What the user mapped. Throws InvalidInput if the rows or the service do not have it. */
async function readFields(
	{ parameters, service: { vocabulary }, hooks, stops }: PlanContext,
	rows: ImportRows,
	resourceType: string,
	chosen: readonly ChosenMappingType[],
	format: DateFormat | undefined,
): Promise<{ mapped: MappedFields } & Omit<HeaderMapping, 'values' | 'problems'>> {
	const names = chosen.map(({ name }) => name);
	const recordId = requiredFirstColumn(resourceType, names, vocabulary);
	const properties = await rows.properties();
	const isAutomatic = parameters.choice('columns', ['recognized', 'chosen']) === 'recognized';
	const { values, problems, ...notes } = isAutomatic
		? await mapByHeaders(rows, chosen, recordId, vocabulary, format, (given, fields) =>
				hooks.flatMap(({ headers }) => headers?.(given, fields) ?? []),
			)
		: mapByHand(parameters, rows, properties, vocabulary);
	const mapped = mappedFields(chosen, recordId, values);
	const missing = hooks.flatMap(({ ifMissing }) => ifMissing ?? []);
	// Where columns are missing, so are the fields of the mapping types.
	stops.add(
		problems.length > 0
			? problems
			: [
					...expressionProblems(mapped, rows, properties, missing),
					...mappingProblems(resourceType, chosen, mapped, vocabulary),
				],
	);
	return { mapped, ...notes };
}

/** Reads the predefined values of the fields, if there are any. */
async function withAccepted(service: NativeService, mapped: MappedFields): Promise<MappedFields> {
	const fields = mapped.fields.map(async (one) => {
		const { mappingType, field } = one;
		const { description } = mappingType;
		const accepted = description && (await readAcceptedValues(service, description, field));
		return { ...one, accepted };
	});
	return { ...mapped, fields: await Promise.all(fields) };
}

/**
 * The job for a file, with a placeholder for its address. Throws InvalidInput if the service would reject it.
 * @param mark tells the files of one import apart
 */
export function jobOf(
	plan: ImportPlan,
	mark = 'file 1',
	sourceUrl = 'https://files.example.org/items.zip',
): ImportJob {
	const { functions, service, settings, resourceType, mapping, run } = plan;
	const body = {
		description: markDescription(functions, plan.description, { run, content: mark }),
		file: {
			fileName: settings.fileName,
			sourceUrl,
			hasHeader: true,
			...pick(settings.format, 'hasQuotes', 'columnDelimiter'),
			columns: mapping.columns.map(({ name }) => ({ name })),
		},
		actions: [
			{
				actionType: 'loadMappedFile',
				resourceType,
				resultFileSizeKbLimit: service.limits.resultFileSizeKbLimit,
				mappingTypes: mapping.mappingTypes,
				columnsToIncludeInResultsFile: [{ name: mapping.itemColumn }],
			},
		],
		listeners: plan.listeners,
	};
	const read = readBody(body, importJobBody(service.vocabulary));
	if ('body' in read) return read.body;
	const fieldOf = (path: BodyPath) => SCREEN_FIELDS[String(path.at(-1))] ?? 'Fields';
	throw new InvalidInput(read.problems.map(({ path, text }) => ({ field: fieldOf(path), text })));
}

interface PlanSetting {
	/** In addition to those that the user entered. */
	listeners?: NonNullable<ImportJob['listeners']>;
	/** The run of the files that were started before: expressions can give another one now. */
	run?: string | undefined;
	/** The rows to import, if they are not the given ones. */
	sent?: ImportRows;
}

/** Reads the parameters and checks them against the service. Throws InvalidInput before anything is uploaded. */
export async function planImport(
	context: PlanContext,
	rows: ImportRows,
	{ listeners = [], run = runIdOf(context.functions), sent = rows }: PlanSetting = {},
): Promise<ImportPlan> {
	const { functions, parameters, service, hooks, stops } = context;
	const options = parameters.in('options');
	const resourceType = parameters.text('resourceType');
	const settings = { ...importFileSettings(service.limits), fileName: 'items.csv' };
	const chosen = await readMappingTypes(context);
	const format = await stops.at(() => dateFormatInput(parameters));
	const { mapped, ...notes } = await readFields(context, rows, resourceType, chosen, format);
	const planned = planMapping(
		run,
		chosen,
		await withAccepted(service, mapped),
		service.vocabulary,
		format,
	);
	const judged = await judgeBlankIds(functions, rows, planned.columns);
	const columns = rejectUnaccepted(await readDateColumns(rows, judged));
	const mapping = { ...planned, columns };
	const optsNobodyIn = (column: PlannedColumn): boolean =>
		hooks.some((hook) => hook.optsNobodyIn?.(column) ?? false);
	for (const { checkMapping } of hooks)
		await stops.at(async () => await checkMapping?.(mapping, rows, optsNobodyIn));
	const count = mapping.columns.length;
	if (count > MOST_COLUMNS) {
		const text = `${count - 1} columns are needed; the service accepts at most ${MOST_COLUMNS}, one of which the node needs itself. Map fewer fields.`;
		stops.add([{ field: 'Fields', text }]);
	}
	const description = parameters.text('description');
	if (description === '') {
		const text = 'is empty. Enter one; it appears in notifications.';
		stops.add([{ field: NAME_LABEL, text }]);
	}
	const known = { ...notes, stops, rows: sent, settings, resourceType, mapping, run };
	const entered = options.entries('listeners', 'listener');
	const job = { description, listeners: [...entered, ...listeners] };
	const plan = { functions, parameters, service, ...known, ...job };
	// Check the job before the first upload.
	await stops.at(() => jobOf(plan));
	return plan;
}

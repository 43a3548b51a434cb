import { type LineWriter, RowRefused } from '../../shared/importFile/delimitedRows';
import { endpoints } from '../../shared/service/endpoints';
import type { Problem } from '../../shared/service/invalidInput';
import {
	fieldValueSchema,
	type MappingTypeDescription,
	mappingTypeDescriptionSchema,
} from '../../shared/service/mappingType';
import type { NativeService } from '../../shared/service/nativeService';
import { suggestion } from '../../shared/service/nearestName';
import { ServiceError } from '../../shared/service/serviceErrors';
import type { MappingPlan } from './importMapping';
import type { RowSource } from './rowSource';

/** How many rows a message names by their numbers before it only counts. */
const NAMED_ROWS = 10;

function statusOf(error: unknown): number | undefined {
	return error instanceof ServiceError ? error.details.httpCode : undefined;
}

/**
 * Reads the descriptions of mapping types, each once. A key that may not read them can import all the
 * same, so a refusal leaves a description out; a name the service does not know is a problem.
 */
export async function describeMappingTypes(
	service: NativeService,
	names: readonly string[],
): Promise<{ descriptions: Map<string, MappingTypeDescription>; unknown: Problem[] }> {
	const descriptions = new Map<string, MappingTypeDescription>();
	const missing: string[] = [];
	await Promise.all(
		names.map(async (mappingTypeName) => {
			try {
				const description = await service.read(
					endpoints.getBulkImportMappingType,
					{ path: { mappingTypeName } },
					mappingTypeDescriptionSchema,
				);
				descriptions.set(mappingTypeName, description);
			} catch (error) {
				if (statusOf(error) === 404 || statusOf(error) === 400) missing.push(mappingTypeName);
				else if (statusOf(error) !== 403) await Promise.reject(error as Error);
			}
		}),
	);
	const known = missing.length > 0 ? await mappingTypeNames(service) : [];
	return {
		descriptions,
		unknown: missing.map((name) => ({
			field: 'Mapping Type Names or IDs',
			text: `The service has no mapping type "${name}" for this key.${suggestion(name, known)}`,
		})),
	};
}

async function mappingTypeNames(service: NativeService): Promise<string[]> {
	const names: string[] = [];
	const list = service.list(endpoints.listBulkImportMappingTypes, { path: {} }, { paged: false });
	for await (const entry of list) {
		const parsed = mappingTypeDescriptionSchema.safeParse(entry);
		if (parsed.success) names.push(parsed.data.name);
	}
	return names;
}

/** The values a field accepts: ids, and names, in lower case. */
async function acceptedValues(
	service: NativeService,
	mappingTypeName: string,
	fieldName: string,
): Promise<Set<string>> {
	const accepted = new Set<string>();
	const list = service.list(endpoints.listBulkImportFieldValues, {
		path: { mappingTypeName, fieldName },
	});
	for await (const entry of list) {
		const parsed = fieldValueSchema.safeParse(entry);
		if (!parsed.success) continue;
		for (const text of [parsed.data.id, parsed.data.name]) {
			if (text !== null && text !== undefined) accepted.add(String(text).toLowerCase());
		}
	}
	return accepted;
}

/** Something wrong with a value of a row, and where it is wrong again. */
class RepeatedProblem {
	private readonly named: number[] = [];
	private count = 0;

	/** @param told the problem, with where it is as `row 3` or `items 1, 2 and 7 more` */
	constructor(private readonly told: (places: string) => Problem) {}

	/** @param number of the row, from 1 */
	at(number: number): void {
		if (this.count++ < NAMED_ROWS) this.named.push(number);
	}

	/** @param noun what a row is called */
	problem(noun: string): Problem {
		const more = this.count - this.named.length;
		const places = `${noun}${this.count > 1 ? 's' : ''} ${this.named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
		return this.told(places);
	}
}

/** A field with predefined values that the import fills. */
interface PredefinedField {
	mappingType: string;
	field: string;
	/** Position of the column that fills it, or the fixed value. */
	source: { column: number } | { value: string };
	accepted: Set<string>;
}

/** The mapped fields whose values are predefined, with what they accept; a list that cannot be read is not checked. */
async function predefinedFields(
	service: NativeService,
	descriptions: ReadonlyMap<string, MappingTypeDescription>,
	plan: MappingPlan,
): Promise<PredefinedField[]> {
	const mapped = [
		...plan.columns.flatMap(({ fields }, column) =>
			fields.map((target) => ({ ...target, source: { column } })),
		),
		...plan.mappingTypes.flatMap(({ name, fieldValueMappings = [] }) =>
			fieldValueMappings.flatMap(({ fieldName, staticValue }) =>
				staticValue === undefined
					? []
					: [{ mappingType: name, field: fieldName, source: { value: staticValue } }],
			),
		),
	];
	const isPredefined = ({ mappingType, field }: { mappingType: string; field: string }): boolean =>
		descriptions
			.get(mappingType)
			?.fields?.some(
				({ name, hasPredefinedValues }) =>
					hasPredefinedValues === true && name.toLowerCase() === field.toLowerCase(),
			) ?? false;
	const fields = await Promise.all(
		mapped.filter(isPredefined).map(async (target): Promise<PredefinedField[]> => {
			try {
				const accepted = await acceptedValues(service, target.mappingType, target.field);
				return [{ ...target, accepted }];
			} catch (error) {
				if (statusOf(error) === undefined) await Promise.reject(error as Error);
				return [];
			}
		}),
	);
	return fields.flat();
}

function isAccepted({ accepted }: PredefinedField, value: string): boolean {
	// A blank value leaves the field as it is: rule 5 of interface.md 2.6.
	return value === '' || accepted.has(value.toLowerCase());
}

function wrongValue({ mappingType, field, accepted }: PredefinedField, value: string, places = '') {
	return {
		field: `Fields → ${mappingType} → ${field}`,
		text: `"${value.slice(0, 60)}" is not one of the values the service accepts${places}.${suggestion(value, [...accepted])}`,
	};
}

/**
 * Reads all rows once, for values outside the predefined ones of their field.
 * @param line also finds rows that could not be written, where no later step would name them all
 */
export async function valueProblems(
	service: NativeService,
	descriptions: ReadonlyMap<string, MappingTypeDescription>,
	plan: MappingPlan,
	{ noun, rows }: Pick<RowSource, 'noun' | 'rows'>,
	line: LineWriter | undefined,
): Promise<Problem[]> {
	const fixed: Problem[] = [];
	const perRow: Array<{ field: PredefinedField; column: number; wrong?: RepeatedProblem }> = [];
	for (const field of await predefinedFields(service, descriptions, plan)) {
		const { source } = field;
		if ('column' in source) perRow.push({ field, column: source.column });
		else if (!isAccepted(field, source.value.trim())) fixed.push(wrongValue(field, source.value));
	}
	// A file is read to its end in any case: where it is damaged, it must be known before the first job.
	if (noun === 'item' && perRow.length === 0) return fixed;
	// Of items, only what is looked at, because an expression takes its time.
	const isRead = (index: number): boolean =>
		noun === 'row' || perRow.some(({ column }) => column === index);
	const columns = plan.columns.filter((_, index) => isRead(index));
	for (const checked of perRow)
		checked.column = columns.findIndex((column) => column === plan.columns[checked.column]);
	const refused = new Map<string, RepeatedProblem>();
	let number = 0;
	for await (const batch of rows(columns)) {
		for (const row of batch) {
			number++;
			const text = row instanceof RowRefused ? row : line?.(row);
			if (text instanceof RowRefused && line) {
				const { field, reason } = text;
				const key = `${field}: ${reason}`;
				const known =
					refused.get(key) ??
					new RepeatedProblem((places) => ({ field, text: `${reason} See ${places}.` }));
				refused.set(key, known);
				known.at(number);
			}
			if (row instanceof RowRefused) continue;
			for (const checked of perRow) {
				const value = String(row[checked.column] ?? '').trim();
				if (isAccepted(checked.field, value)) continue;
				checked.wrong ??= new RepeatedProblem((places) =>
					wrongValue(checked.field, value, ` (${places})`),
				);
				checked.wrong.at(number);
			}
		}
	}
	return [
		...fixed,
		...[...perRow.flatMap(({ wrong }) => wrong ?? []), ...refused.values()].map((problem) =>
			problem.problem(noun),
		),
	];
}

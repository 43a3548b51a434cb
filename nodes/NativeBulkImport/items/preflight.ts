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

	constructor(
		private readonly field: string,
		private readonly text: (places: string) => string,
	) {}

	/** @param number of the row, from 1 */
	at(number: number): void {
		if (this.count++ < NAMED_ROWS) this.named.push(number);
	}

	/** @param noun what a row is called */
	problem(noun: string): Problem {
		const more = this.count - this.named.length;
		const places = `${noun}${this.count > 1 ? 's' : ''} ${this.named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
		return { field: this.field, text: this.text(places) };
	}
}

interface PredefinedColumn {
	index: number;
	mappingType: string;
	field: string;
	accepted: Set<string>;
	wrong?: RepeatedProblem;
}

/** The columns whose values are predefined, with what they accept; a list that cannot be read is not checked. */
async function predefinedColumns(
	service: NativeService,
	descriptions: ReadonlyMap<string, MappingTypeDescription>,
	plan: MappingPlan,
): Promise<PredefinedColumn[]> {
	const hasList = (mappingType: string, field: string): boolean =>
		descriptions
			.get(mappingType)
			?.fields?.some(
				({ name, hasPredefinedValues }) =>
					hasPredefinedValues === true && name.toLowerCase() === field.toLowerCase(),
			) ?? false;
	const columns = await Promise.all(
		plan.columns.flatMap((column, index) =>
			column.fields
				.filter(({ mappingType, field }) => hasList(mappingType, field))
				.map(async ({ mappingType, field }): Promise<PredefinedColumn[]> => {
					try {
						const accepted = await acceptedValues(service, mappingType, field);
						return [{ index, mappingType, field, accepted }];
					} catch (error) {
						if (statusOf(error) === undefined) await Promise.reject(error as Error);
						return [];
					}
				}),
		),
	);
	return columns.flat();
}

function wrongValue({ mappingType, field, accepted }: PredefinedColumn, value: string) {
	return new RepeatedProblem(
		`Fields → ${mappingType} → ${field}`,
		(places) =>
			`"${value.slice(0, 60)}" is not one of the values the service accepts (${places}).${suggestion(value, [...accepted])}`,
	);
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
	const predefined = await predefinedColumns(service, descriptions, plan);
	if (predefined.length === 0 && !line) return [];
	const refused = new Map<string, RepeatedProblem>();
	let number = 0;
	for await (const batch of rows(plan.columns)) {
		for (const row of batch) {
			number++;
			const text = row instanceof RowRefused ? row : line?.(row);
			if (text instanceof RowRefused) {
				const { field, reason } = text;
				const key = `${field}: ${reason}`;
				const known =
					refused.get(key) ?? new RepeatedProblem(field, (places) => `${reason} See ${places}.`);
				refused.set(key, known);
				known.at(number);
			}
			if (row instanceof RowRefused) continue;
			for (const column of predefined) {
				const value = String(row[column.index] ?? '').trim();
				// A blank value leaves the field as it is: rule 5 of interface.md 2.6.
				if (value === '' || column.accepted.has(value.toLowerCase())) continue;
				column.wrong ??= wrongValue(column, value);
				column.wrong.at(number);
			}
		}
	}
	return [...predefined.flatMap(({ wrong }) => wrong ?? []), ...refused.values()].map((problem) =>
		problem.problem(noun),
	);
}

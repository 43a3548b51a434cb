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

/** How many item numbers a message names before it only counts. */
const NAMED_ITEMS = 10;

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
			field: 'Mapping Types',
			text: `the service has no mapping type "${name}" for this key.${suggestion(name, known)}`,
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

/**
 * Values outside the predefined ones of their field, with the numbers of the items. Reads the values
 * of each mapped field once; a list that cannot be read is not checked.
 * @param count number of items
 * @param values the values of an item in the order of the plan's columns
 */
export async function valueProblems(
	service: NativeService,
	descriptions: ReadonlyMap<string, MappingTypeDescription>,
	plan: MappingPlan,
	count: number,
	values: (item: number) => unknown[],
): Promise<Problem[]> {
	const hasList = (mappingType: string, field: string): boolean =>
		descriptions
			.get(mappingType)
			?.fields?.some(
				({ name, hasPredefinedValues }) =>
					hasPredefinedValues === true && name.toLowerCase() === field.toLowerCase(),
			) ?? false;

	const checks = await Promise.all(
		plan.columns.flatMap((column, index) =>
			column.fields
				.filter(({ mappingType, field }) => hasList(mappingType, field))
				.map(async ({ mappingType, field }) => {
					try {
						return {
							index,
							mappingType,
							field,
							accepted: await acceptedValues(service, mappingType, field),
						};
					} catch (error) {
						if (statusOf(error) === undefined) await Promise.reject(error as Error);
						return undefined;
					}
				}),
		),
	);
	const wrong = checks.flatMap((check) =>
		check ? [{ ...check, items: [] as number[], example: '' }] : [],
	);
	if (wrong.length === 0) return [];
	for (let item = 0; item < count; item++) {
		const row = values(item);
		for (const check of wrong) {
			const text = String(row[check.index] ?? '').trim();
			// A blank value leaves the field as it is: rule 5 of interface.md 2.6.
			if (text === '' || check.accepted.has(text.toLowerCase())) continue;
			if (check.items.length === 0) check.example = text;
			check.items.push(item + 1);
		}
	}
	return wrong
		.filter(({ items }) => items.length > 0)
		.map(({ mappingType, field, items, example, accepted }) => ({
			field: `Fields, ${mappingType}, ${field}`,
			text: `"${example.slice(0, 60)}" is not one of the values the service accepts (item ${items.slice(0, NAMED_ITEMS).join(', ')}${
				items.length > NAMED_ITEMS ? ` and ${items.length - NAMED_ITEMS} more` : ''
			}).${suggestion(example, [...accepted])}`,
		}));
}

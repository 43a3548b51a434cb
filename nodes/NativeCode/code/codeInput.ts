import type { ItemContext } from '../../shared/execution/operation';
import { ServiceList } from '../../shared/execution/serviceList';
import { type BodyForm, bodyInput, bodyOf, noteDropped } from '../../shared/parameters/bodyForm';
import type { FieldValues } from '../../shared/parameters/enteredFields';
import type { ItemParameters } from '../../shared/parameters/itemParameters';
import type { BodyProblem } from '../../shared/service/bodyProblem';
import {
	checkCodeChanges,
	type CheckedCodeChanges,
	clearableFields,
} from '../../shared/service/codeChanges';
import {
	changeableFields,
	checkCode,
	type Code,
	codeFields,
	isSourceCode,
	supportedEntityProblems,
} from '../../shared/service/code';
import type { NativeService } from '../../shared/service/nativeService';
import { ServiceError } from '../../shared/service/serviceErrors';
import { type ListSource, supportedEntityNames } from '../../shared/service/serviceLists';
import { rethrow } from '../../shared/transport/rethrow';

/** A key may create codes without permission to list their types and entities. */
const LIST_NOT_THERE = [403, 404, 405];

/** The names in a list of the service; undefined if it cannot be read. */
export async function availableNames(
	service: NativeService,
	source: ListSource,
): Promise<string[] | undefined> {
	try {
		const { entries } = await ServiceList.read(service, source);
		return entries.map(({ id }) => String(id));
	} catch (error) {
		if (error instanceof ServiceError && LIST_NOT_THERE.includes(error.details.httpCode ?? 0))
			return undefined;
		rethrow(error);
	}
}

/** Problems of the entities of a tag that the key may not use. */
export async function entityProblems(
	service: NativeService,
	entities: Code['supportedEntities'],
): Promise<BodyProblem[]> {
	if (!entities?.length) return [];
	return supportedEntityProblems(entities, await availableNames(service, supportedEntityNames));
}

export const codeForm: BodyForm = { label: 'Code', fields: codeFields };

function codeFromFields(parameters: ItemParameters): FieldValues {
	const codeType = parameters.text('codeType');
	const valuesOf = (...names: string[]): FieldValues =>
		Object.fromEntries(names.map((name) => [name, parameters.value(name)]));
	return bodyOf(codeFields, {
		...valuesOf('codeType', 'name', 'description'),
		// If an expression gives the type, the fields of both show; use only those of the type.
		...(isSourceCode(codeType || undefined)
			? parameters.fields('sourceCodeMetadata')
			: valuesOf('parentCodeId', 'supportedEntities')),
	});
}

/** The new code of one item, checked without a call. Throws InvalidInput naming every problem. */
export function codeInput(item: ItemContext): Code {
	const { parameters } = item;
	const fromFields = () => ({ input: codeFromFields(parameters) });
	const { code, dropped } = bodyInput(parameters, codeForm, checkCode, fromFields);
	noteDropped(item, dropped);
	return code;
}

export interface CodeUpdate extends Omit<CheckedCodeChanges, 'dropped'> {
	clear: string[];
}

/** The changes of one item. Throws InvalidInput naming every problem. */
export function codeUpdateInput(item: ItemContext): CodeUpdate {
	const { parameters } = item;
	const clearable = clearableFields.map(({ name }) => name);
	const clear = parameters.choices('clearFields', clearable);
	const check = (input: unknown) => checkCodeChanges(input, clear);
	const fromFields = () => ({
		input: bodyOf(changeableFields, parameters.fields('updateFields')),
	});
	const { dropped, ...update } = bodyInput(parameters, codeForm, check, fromFields);
	noteDropped(item, dropped);
	return { ...update, clear };
}

import type { ItemContext } from '../../shared/execution/operation';
import { ServiceList } from '../../shared/execution/serviceList';
import { noteDropped } from '../../shared/execution/droppedValues';
import { bodyInput, bodyOf } from '../../shared/parameters/bodyForm';
import type { FieldValues } from '../../shared/parameters/enteredFields';
import type { ItemParameters } from '../../shared/parameters/itemParameters';
import type { BodyPath, BodyProblem } from '../../shared/service/bodyProblem';
import {
	type Code,
	clearableFields,
	codeBody,
	type CodeChanges,
	codeChangesBody,
	codeForm,
	DEFAULT_CODE_TYPE,
	isSourceCode,
} from '../../shared/service/code';
import type { NativeService } from '../../shared/service/nativeService';
import { suggestion } from '../../shared/service/nearestName';
import { ServiceError } from '../../shared/service/serviceErrors';
import {
	codeTypes,
	type ListSource,
	supportedEntityNames,
} from '../../shared/service/serviceLists';
import { rethrow } from '../../shared/transport/rethrow';

/** A key may create codes without permission to list their types and entities. */
const LIST_NOT_THERE = [403, 404, 405];

/** Problems of names that are not in a list of the service, if the key may read it. */
async function notInList(
	service: NativeService,
	source: ListSource,
	what: string,
	names: Array<{ name: string; path: BodyPath }>,
): Promise<BodyProblem[]> {
	if (names.length === 0) return [];
	try {
		const { entries, missing } = await ServiceList.read(service, source);
		// What a part of the list lacks may exist; the service checks it, too.
		if (missing !== '') return [];
		const known = entries.map(({ id }) => String(id));
		// In another shape than is known: the service decides.
		if (known.length === 0) return [];
		return names
			.filter(({ name }) => !known.includes(name))
			.map(({ name, path }) => ({
				path,
				text: `"${name}" is not one of the ${what} this key may use: ${known.join(', ')}.${suggestion(name, known)}`,
			}));
	} catch (error) {
		if (error instanceof ServiceError && LIST_NOT_THERE.includes(error.details.httpCode ?? 0))
			return [];
		rethrow(error);
	}
}

/** Problems of a code's type: it must be in GET /codeTypes (service.md 6.1). */
export async function codeTypeProblems(
	service: NativeService,
	name = DEFAULT_CODE_TYPE,
): Promise<BodyProblem[]> {
	return await notInList(service, codeTypes, 'code types', [{ name, path: ['codeType'] }]);
}

/** Problems of a tag's entities: they must be in GET /codes/supportedEntities (service.md 6.1). */
export async function entityProblems(
	service: NativeService,
	entities: Code['supportedEntities'] = [],
): Promise<BodyProblem[]> {
	const names = entities.map(({ name }, index) => ({
		name,
		path: ['supportedEntities', index, 'name'],
	}));
	return await notInList(service, supportedEntityNames, 'supported entities', names);
}

function codeFromFields(parameters: ItemParameters): FieldValues {
	const codeType = parameters.text('codeType');
	const valuesOf = (...names: string[]): FieldValues =>
		Object.fromEntries(names.map((name) => [name, parameters.value(name)]));
	return bodyOf(codeForm.fields, {
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
	const { body, ...entered } = bodyInput(parameters, codeBody, fromFields);
	noteDropped(item, entered);
	return body;
}

export interface CodeUpdate {
	changes: CodeChanges;
	clear: string[];
}

/** The changes of one item. Throws InvalidInput naming every problem. */
export function codeUpdateInput(item: ItemContext): CodeUpdate {
	const { parameters } = item;
	const clearable = clearableFields.map(({ name }) => name);
	const clear = parameters.choices('clearFields', clearable);
	const fromFields = () => ({
		input: bodyOf(codeForm.fields, parameters.fields('updateFields')),
	});
	const { body, dropped, judged } = bodyInput(parameters, codeChangesBody(clear), fromFields);
	noteDropped(item, {
		dropped: body.codeType === undefined ? dropped : [...dropped, 'codeType'],
		judged,
	});
	return { changes: body, clear };
}

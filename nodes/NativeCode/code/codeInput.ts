import type { ItemContext } from '../../shared/execution/operation';
import { bodyInput, bodyOf, type BodyForm } from '../../shared/parameters/bodyForm';
import type { ItemParameters } from '../../shared/parameters/itemParameters';
import { type FieldValues, noteDropped } from '../../shared/parameters/parameterValues';
import {
	changeableFields,
	checkCode,
	checkCodeChanges,
	type CheckedCodeChanges,
	clearableFields,
	type Code,
	codeFields,
	isSourceCode,
} from '../../shared/service/code';

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

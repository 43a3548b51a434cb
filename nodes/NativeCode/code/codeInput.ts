import type { IExecuteFunctions } from 'n8n-workflow';

import {
	locatorValue,
	parameterJson,
	type FieldValues,
	parameterNames,
	entries,
	noteDropped,
} from '../../shared/parameters/parameterValues';
import { type BodyProblem, placeInJson } from '../../shared/service/bodyProblem';
import {
	checkCode,
	checkCodeChanges,
	type CheckedCodeChanges,
	type ClearableField,
	clearableFields,
	type Code,
	DEFAULT_CODE_TYPE,
	isSourceCode,
	metadataIds,
	metadataNames,
} from '../../shared/service/code';
import { InvalidInput, type Problem, throwIfAny } from '../../shared/service/invalidInput';
import { CODE_JSON_LABEL, fieldOnScreen } from './codeFields';

function usesJson(functions: IExecuteFunctions, itemIndex: number): boolean {
	return functions.getNodeParameter('defineCode', itemIndex, 'fields') === 'json';
}

/** Problems of a body in the words on the screen. */
export function problemsOnScreen(
	functions: IExecuteFunctions,
	itemIndex: number,
	problems: BodyProblem[],
): Problem[] {
	const asJson = usesJson(functions, itemIndex);
	return problems.map(({ path, text }) => ({
		field: asJson ? placeInJson(CODE_JSON_LABEL, path) : fieldOnScreen(path),
		text,
	}));
}

function throwProblems(
	functions: IExecuteFunctions,
	itemIndex: number,
	problems: BodyProblem[],
): never {
	throwIfAny(problemsOnScreen(functions, itemIndex, problems));
	throw new InvalidInput([{ field: 'Code', text: 'could not be checked.' }]);
}

/** Metadata of source codes, nested as in the body. */
function metadata(fields: FieldValues): FieldValues {
	return {
		...Object.fromEntries(
			metadataNames.map((name) => [
				name,
				{ [metadataIds[name]]: locatorValue(fields[metadataIds[name]]) },
			]),
		),
		isSourceCodeApplicable: fields.isSourceCodeApplicable,
	};
}

function supportedEntities(collection: unknown): FieldValues[] {
	return entries(collection, 'entity').map(({ name, ...flags }) => ({
		name: locatorValue(name),
		...flags,
	}));
}

function codeFromFields(functions: IExecuteFunctions, itemIndex: number): FieldValues {
	const parameter = (name: string, otherwise: unknown = ''): unknown =>
		functions.getNodeParameter(name, itemIndex, otherwise);
	const codeType = locatorValue(parameter('codeType', DEFAULT_CODE_TYPE));
	return {
		name: parameter('name'),
		description: parameter('description'),
		codeType,
		// If an expression gives the type, the fields of both show; use only those of the type.
		...(isSourceCode(String(codeType ?? '') || undefined)
			? metadata(parameter('sourceCodeMetadata', {}) as FieldValues)
			: {
					parentCodeId: locatorValue(parameter('parentCodeId')),
					supportedEntities: supportedEntities(parameter('supportedEntities', {})),
				}),
	};
}

/** The new code of one item, checked without a call. Throws InvalidInput naming every problem. */
export function codeInput(functions: IExecuteFunctions, itemIndex: number): Code {
	const checked = checkCode(
		usesJson(functions, itemIndex)
			? parameterJson(functions, itemIndex, 'codeJson', CODE_JSON_LABEL)
			: codeFromFields(functions, itemIndex),
	);
	if (!('code' in checked)) return throwProblems(functions, itemIndex, checked.problems);
	noteDropped(functions, checked.dropped);
	return checked.code;
}

export interface CodeUpdate extends Omit<CheckedCodeChanges, 'dropped'> {
	clear: ClearableField[];
}

/** The changes of one item. Throws InvalidInput naming every problem. */
export function codeUpdateInput(functions: IExecuteFunctions, itemIndex: number): CodeUpdate {
	const clear = parameterNames(
		functions,
		itemIndex,
		'clearFields',
		'Clear Fields',
		clearableFields,
	);
	let input: unknown;
	if (usesJson(functions, itemIndex)) {
		input = parameterJson(functions, itemIndex, 'codeJson', CODE_JSON_LABEL);
	} else {
		const fields = functions.getNodeParameter('updateFields', itemIndex, {}) as FieldValues;
		input = {
			name: fields.name,
			description: fields.description,
			parentCodeId: locatorValue(fields.parentCodeId),
			supportedEntities: supportedEntities(fields.supportedEntities),
			...metadata(fields),
		};
	}
	const checked = checkCodeChanges(input, clear);
	if (!('changes' in checked)) return throwProblems(functions, itemIndex, checked.problems);
	const { dropped, ...update } = checked;
	noteDropped(functions, dropped);
	return { ...update, clear };
}

import type { ItemContext } from '../../shared/execution/operation';
import type { ItemParameters } from '../../shared/parameters/itemParameters';
import {
	locatorValue,
	type FieldValues,
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

function usesJson(parameters: ItemParameters): boolean {
	return parameters.choice('defineCode', ['fields', 'json']) === 'json';
}

/** Problems of a body in the words on the screen. */
export function problemsOnScreen({ parameters }: ItemContext, problems: BodyProblem[]): Problem[] {
	const asJson = usesJson(parameters);
	return problems.map(({ path, text }) => ({
		field: asJson ? placeInJson(CODE_JSON_LABEL, path) : fieldOnScreen(path),
		text,
	}));
}

function throwProblems(item: ItemContext, problems: BodyProblem[]): never {
	throwIfAny(problemsOnScreen(item, problems));
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

function codeFromFields(parameters: ItemParameters): FieldValues {
	const codeType = locatorValue(parameters.value('codeType') ?? DEFAULT_CODE_TYPE);
	return {
		name: parameters.value('name'),
		description: parameters.value('description'),
		codeType,
		// If an expression gives the type, the fields of both show; use only those of the type.
		...(isSourceCode(String(codeType ?? '') || undefined)
			? metadata(parameters.fields('sourceCodeMetadata'))
			: {
					parentCodeId: locatorValue(parameters.value('parentCodeId')),
					supportedEntities: supportedEntities(parameters.value('supportedEntities')),
				}),
	};
}

/** The new code of one item, checked without a call. Throws InvalidInput naming every problem. */
export function codeInput(item: ItemContext): Code {
	const { parameters } = item;
	const checked = checkCode(
		usesJson(parameters) ? parameters.json('codeJson') : codeFromFields(parameters),
	);
	if (!('code' in checked)) return throwProblems(item, checked.problems);
	noteDropped(item, checked.dropped);
	return checked.code;
}

export interface CodeUpdate extends Omit<CheckedCodeChanges, 'dropped'> {
	clear: ClearableField[];
}

/** The changes of one item. Throws InvalidInput naming every problem. */
export function codeUpdateInput(item: ItemContext): CodeUpdate {
	const { parameters } = item;
	const clear = parameters.choices('clearFields', clearableFields);
	let input: unknown;
	if (usesJson(parameters)) {
		input = parameters.json('codeJson');
	} else {
		const fields = parameters.fields('updateFields');
		input = {
			name: fields.name,
			description: fields.description,
			parentCodeId: locatorValue(fields.parentCodeId),
			supportedEntities: supportedEntities(fields.supportedEntities),
			...metadata(fields),
		};
	}
	const checked = checkCodeChanges(input, clear);
	if (!('changes' in checked)) return throwProblems(item, checked.problems);
	const { dropped, ...update } = checked;
	noteDropped(item, dropped);
	return { ...update, clear };
}

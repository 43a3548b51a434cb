import type { IExecuteFunctions } from 'n8n-workflow';

import {
	enteredJson,
	type Entered,
	entries,
	filled,
	filledText,
	withoutEmpty,
} from '../../shared/parameters/enteredValues';
import { type BodyProblem, placeInJson } from '../../shared/service/bodyProblem';
import {
	checkCode,
	checkCodeChanges,
	type ClearableField,
	type Code,
	type CodeChanges,
	DEFAULT_CODE_TYPE,
	metadataIds,
	metadataNames,
} from '../../shared/service/code';
import { InvalidInput, type Problem, refuseIfAny } from '../../shared/service/invalidInput';
import { CODE_JSON_LABEL, fieldOnScreen } from './codeFields';

function usesJson(functions: IExecuteFunctions, itemIndex: number): boolean {
	return functions.getNodeParameter('defineCode', itemIndex, 'fields') === 'json';
}

/** Problems of a body in the words of the screen the user filled in. */
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

function refuse(functions: IExecuteFunctions, itemIndex: number, problems: BodyProblem[]): never {
	refuseIfAny(problemsOnScreen(functions, itemIndex, problems));
	throw new InvalidInput([{ field: 'Code', text: 'could not be checked.' }]);
}

/** The metadata of source codes as the body nests it. */
function metadata(fields: Entered): Entered {
	const references = metadataNames.map((name): [string, unknown] => {
		const id = filled(fields[metadataIds[name]]);
		return [name, id === undefined ? undefined : { [metadataIds[name]]: id }];
	});
	return {
		...Object.fromEntries(references),
		isSourceCodeApplicable: filled(fields.isSourceCodeApplicable),
	};
}

function supportedEntities(collection: unknown): Entered[] | undefined {
	const list = entries(collection, 'entity').map(({ name, isSearchable, isApplicable }) => ({
		name: filled(name) ?? '',
		isSearchable,
		isApplicable,
	}));
	return list.length > 0 ? list : undefined;
}

function codeFromFields(functions: IExecuteFunctions, itemIndex: number): Entered {
	const parameter = (name: string, otherwise: unknown = ''): unknown =>
		functions.getNodeParameter(name, itemIndex, otherwise);
	const codeType = filled(parameter('codeType', DEFAULT_CODE_TYPE));
	const isTag = codeType === 'Tag';
	return withoutEmpty({
		name: filledText(parameter('name')) ?? '',
		description: filledText(parameter('description')),
		codeType,
		// A type that an expression gives shows the fields of both; those of the other type do not count.
		...(isTag
			? {
					parentCodeId: filled(parameter('parentCodeId')),
					supportedEntities: supportedEntities(parameter('supportedEntities', {})),
				}
			: metadata(parameter('sourceCodeMetadata', {}) as Entered)),
	});
}

/**
 * The new code the user defined for one item, checked as far as that is possible without a call.
 * Throws InvalidInput naming every problem in the words on the screen.
 */
export function codeInput(functions: IExecuteFunctions, itemIndex: number): Code {
	const checked = checkCode(
		usesJson(functions, itemIndex)
			? enteredJson(functions, itemIndex, 'codeJson', CODE_JSON_LABEL)
			: codeFromFields(functions, itemIndex),
	);
	return 'code' in checked ? checked.code : refuse(functions, itemIndex, checked.problems);
}

export interface CodeUpdate {
	changes: CodeChanges;
	clear: ClearableField[];
}

/** The changes the user defined for one item. Throws InvalidInput naming every problem. */
export function codeUpdateInput(functions: IExecuteFunctions, itemIndex: number): CodeUpdate {
	const clear = functions.getNodeParameter('clearFields', itemIndex, []) as ClearableField[];
	let input: unknown;
	if (usesJson(functions, itemIndex)) {
		input = enteredJson(functions, itemIndex, 'codeJson', CODE_JSON_LABEL);
	} else {
		const fields = functions.getNodeParameter('updateFields', itemIndex, {}) as Entered;
		input = withoutEmpty({
			name: filledText(fields.name),
			description: filledText(fields.description),
			parentCodeId: filled(fields.parentCodeId),
			supportedEntities: supportedEntities(fields.supportedEntities),
			...metadata(fields),
		});
	}
	const checked = checkCodeChanges(input, clear);
	return 'changes' in checked
		? { changes: checked.changes, clear }
		: refuse(functions, itemIndex, checked.problems);
}

import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

/** n8n shows some texts as HTML, in which a value or header of a web form could be a link, or cover the page. */
export function asHtml(text: string): string {
	return text.replaceAll('<', '&lt;');
}

type HintFunctions = Pick<IExecuteFunctions, 'addExecutionHints'>;

/** The hints of each try of a node. */
const shown = new WeakMap<HintFunctions, NodeExecutionHint[]>();

function addHint(functions: HintFunctions, hint: NodeExecutionHint): void {
	functions.addExecutionHints(hint);
	shown.set(functions, [...(shown.get(functions) ?? []), hint]);
}

/** Shows a message above the output of the node. */
export function showHint(
	functions: HintFunctions,
	message: string,
	type?: NodeExecutionHint['type'],
): void {
	addHint(functions, {
		message: asHtml(message),
		...(type && { type }),
		location: 'outputPane',
	});
}

/**
 * Adds the hints of earlier tries, of which n8n shows only those of the last one.
 * @returns all of them
 */
export function repeatHints(
	functions: HintFunctions,
	before: readonly NodeExecutionHint[],
): readonly NodeExecutionHint[] {
	const now = shown.get(functions) ?? [];
	for (const hint of before)
		if (!now.some(({ message }) => message === hint.message)) addHint(functions, hint);
	return shown.get(functions) ?? [];
}

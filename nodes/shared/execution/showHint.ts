import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';

/** n8n shows some texts as HTML, in which a value or header of a web form could be a link, or cover the page. */
export function asHtml(text: string): string {
	return text.replaceAll('<', '&lt;');
}

/** Shows a message above the output of the node. */
export function showHint(
	functions: Pick<IExecuteFunctions, 'addExecutionHints'>,
	message: string,
	type?: NodeExecutionHint['type'],
): void {
	functions.addExecutionHints({
		message: asHtml(message),
		...(type && { type }),
		location: 'outputPane',
	});
}

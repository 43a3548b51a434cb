/** Pieces of Markdown as GitHub shows it. */

/** Text as it is to be read, whatever signs are in it; n8n's links and code become Markdown's. */
export function prose(text: string): string {
	return text
		.split(/<code>(.*?)<\/code>/)
		.map((part, index) => (index % 2 === 0 ? plain(part) : code(part)))
		.join('');
}

function plain(text: string): string {
	return text
		.replace(/[\\`*_<[\]{}]/g, (sign) => (sign === '<' ? '<' : `\\${sign}`))
		.replace(/<a href="([^"]+)">([^<]+)<\/a>/g, '[$2]($1)')
		.replace(/<(?!a )/g, '&lt;');
}

export function sentence(text: string): string {
	const trimmed = text.trim();
	return trimmed === '' || /[.!?:]$/.test(trimmed) ? trimmed : `${trimmed}.`;
}

/** Text between backticks, with as many as it needs. */
export function code(text: string): string {
	const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
	const ticks = '`'.repeat(longest + 1);
	const space = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
	return `${ticks}${space}${text}${space}${ticks}`;
}

/** @param rows cells of each line, the first of them the heading */
export function table(rows: readonly string[][]): string {
	const line = (cells: string[]): string =>
		`| ${cells.map((cell) => cell.replace(/\|/g, '\\|').replace(/\n/g, ' ')).join(' | ')} |`;
	const [head = [], ...body] = rows;
	return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}

/** The anchor GitHub gives a heading. */
export function anchorOf(heading: string): string {
	return heading
		.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
		.replace(/[`*]|\\(?=[^\w\s])/g, '')
		.trim()
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\p{M}\p{Pc}\- ]/gu, '')
		.replace(/ /g, '-');
}

function comment(edge: string, name: string, command: string): string {
	return `<!-- ${edge} ${name}: written by npm run ${command} -->`;
}

/**
 * A text for the place between the comments with its name.
 * @param command what writes it
 */
export function generated(name: string, text: string, command = 'generate'): string {
	return `${comment('begin', name, command)}\n\n${text.trim()}\n\n${comment('end', name, command)}`;
}

/**
 * Replaces the text between the comments with its name.
 * Throws if a page does not have them.
 */
export function insertGenerated(
	page: string,
	name: string,
	text: string,
	command = 'generate',
): string {
	const [begin, end] = [comment('begin', name, command), comment('end', name, command)];
	const from = page.indexOf(begin);
	const to = page.indexOf(end);
	if (from < 0 || to < from) throw new Error(`The lines "${begin}" and "… end …" are missing.`);
	return `${page.slice(0, from)}${generated(name, text, command)}${page.slice(to + end.length)}`;
}

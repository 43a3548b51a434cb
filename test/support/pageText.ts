/** What somebody reads on a page. @param leftOut names of elements that are skipped where they have no attributes */
export const pageText = (html: string, leftOut: string[]): string =>
	html
		.replace(new RegExp(`<(${leftOut.join('|')})>[^]*?</\\1>`, 'g'), '')
		.replace(/<[^>]*>/g, ' ')
		.replace(/\s+/g, ' ');

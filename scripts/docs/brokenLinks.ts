import { dirname, join, normalize } from 'node:path';

import { anchorOf } from './markdown';

/** Where the repository is on the web: links there must work too. */
const OWN_ADDRESS = /^https:\/\/github\.com\/[\w-]+\/n8n-nodes-native(?:\/(?:blob|tree)\/main)?\/?/;

/** What the links of GitHub's own pages of the repository begin with. */
const OWN_PAGES = /^(issues|security|actions|releases|compare|discussions)\b/;

function withoutCode(page: string): string {
	return page
		.replace(/^([ \t]*)(```+|~~~+)[^\n]*\n[\s\S]*?^\1\2[ \t]*$/gm, '')
		.replace(/(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, (text) => text.replace(/[[\]()]/g, ' '));
}

/** The anchors of a page: of its headings, and those set by hand. */
function anchors(page: string): Set<string> {
	const found = new Set<string>();
	const text = page.replace(/^([ \t]*)(```+|~~~+)[^\n]*\n[\s\S]*?^\1\2[ \t]*$/gm, '');
	for (const [, heading = ''] of text.matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)) {
		const anchor = anchorOf(heading);
		let free = anchor;
		for (let count = 1; found.has(free); count++) free = `${anchor}-${count}`;
		found.add(free);
	}
	for (const [, id = ''] of text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) found.add(id);
	return found;
}

function linksOf(page: string): string[] {
	const text = withoutCode(page);
	return [
		...[...text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)],
		...[...text.matchAll(/<(?:img|a|source)\s[^>]*?(?:src|href|srcset)="([^"]+)"/g)],
		...[...text.matchAll(/^\[[^\]]+\]:\s*<?(\S+?)>?$/gm)],
	].flatMap(([, target]) => target ?? []);
}

interface Repository {
	/** Paths of files and folders, with forward slashes. */
	has(path: string): boolean;
	read(path: string): string;
}

function problemOf(from: string, target: string, repository: Repository): string | undefined {
	const isOwn = OWN_ADDRESS.test(target);
	if (!isOwn && /^[a-z][a-z0-9+.-]*:/i.test(target)) return undefined;
	const [path = '', anchor] = (isOwn ? target.replace(OWN_ADDRESS, '') : target).split('#', 2);
	if (isOwn && OWN_PAGES.test(path)) return undefined;
	const named = decodeURI(path);
	const file = normalize(
		isOwn ? named || 'README.md' : named === '' ? from : join(dirname(from), named),
	).replace(/\/$/, '');
	if (!repository.has(file)) return `${from} links to ${target}, but there is no ${file}.`;
	if (anchor === undefined || !file.endsWith('.md')) return undefined;
	return anchors(repository.read(file)).has(anchor)
		? undefined
		: `${from} links to ${target}, but ${file} has no heading for "${anchor}".`;
}

/**
 * Links between the pages of the repository that lead nowhere, a sentence each.
 * @param pages paths of Markdown files, and of files that name addresses of the repository
 */
export function brokenLinks(pages: readonly string[], repository: Repository): string[] {
	return pages.flatMap((page) => {
		const text = repository.read(page);
		const targets = page.endsWith('.md')
			? linksOf(text)
			: [...text.matchAll(/https:\/\/github\.com\/[\w-]+\/n8n-nodes-native[^\s'"`)]+/g)].map(
					([address]) => address,
				);
		return [...new Set(targets)].flatMap((target) => problemOf(page, target, repository) ?? []);
	});
}

/**
 * Text that names the repository by its address in package.json, the one place where it is set.
 * @param homepage e.g. `https://github.com/example-org/n8n-nodes-native`
 */
export function withOwnAddress(text: string, homepage: string): string {
	const owner = homepage.split('/').at(-2) ?? '';
	return text
		.replace(/https:\/\/github\.com\/[\w-]+\/n8n-nodes-native(?![\w-])/g, homepage)
		.replace(/@[\w-]+\/maintainers\b/g, `@${owner}/maintainers`);
}

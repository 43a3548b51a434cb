import { prose } from './markdown';
import type { ShownMessage } from './shownMessages';

/** Where on the page the messages of a source file stand; the first pattern that matches decides. */
const chapters: ReadonlyArray<readonly [title: string, files: RegExp]> = [
	['Credential', /^credentials\/|\/service\/connection\.ts$/],
	[
		'Calls to the service',
		/\/(service\/(serviceErrors|nativeService|endpoints)|execution\/(nodeErrors|runOperation|trafficHint|sendEach))\.ts$|\/transport\//,
	],
	['Import Items', /^nodes\/NativeBulkImport\/importItems\//],
	['Files to import', /^nodes\/NativeBulkImport\/file\/|\/importFile\//],
	[
		'Import jobs and their results',
		/^nodes\/NativeBulkImport\/|\/(service|execution)\/import\w+\.ts$/,
	],
	['Bulk import trigger', /^nodes\/NativeBulkImportTrigger\//],
	['People', /^nodes\/NativePeople\/|\/(person\w*|personReference)\.ts$/],
	['Canvass responses', /^nodes\/NativeCanvassResponse\/|\/canvassResponse\.ts$/],
	['Codes', /^nodes\/NativeCode\/|\/service\/code\.ts$/],
	['Records', /^nodes\/NativeRecord\/|\/recordPath\.ts$/],
	[
		'Fields of any node',
		/\/parameters\/|\/service\/(bodyProblem|bodySchema|invalidInput|nearestName|recordId|mappingType|lookups|phoneNumber)\.ts$/,
	],
];

function chapterOf({ path, text }: ShownMessage): string {
	const chapter = chapters.find(([, files]) => files.test(path));
	if (chapter) return chapter[0];
	throw new Error(
		`${path} shows "${text}", but scripts/docs/errorPage.ts does not say under which heading of docs/errors.md it belongs.`,
	);
}

/** All messages, by chapter, each once. */
export function messageLists(messages: readonly ShownMessage[]): string {
	const lists = new Map<string, Set<string>>(chapters.map(([title]) => [title, new Set()]));
	for (const message of messages) lists.get(chapterOf(message))?.add(message.text);
	return [...lists]
		.filter(([, texts]) => texts.size > 0)
		.map(
			([title, texts]) =>
				`### ${title}\n\n${[...texts]
					.sort((a, b) => a.localeCompare(b, 'en'))
					.map((text) => `- ${prose(text)}`)
					.join('\n')}`,
		)
		.join('\n\n');
}

/**
 * Errors by themselves that nobody has explained.
 * @param page what was written by hand
 */
export function unexplained(page: string, messages: readonly ShownMessage[]): string[] {
	const plain = (text: string): string => text.replace(/[\\*_`]/g, '').replace(/\s+/g, ' ');
	const explained = plain(page);
	const missing = messages.filter(
		({ isMessage, text }) => isMessage && !explained.includes(plain(text).replace(/…$/, '').trim()),
	);
	return [...new Set(missing.map(({ text }) => text))];
}

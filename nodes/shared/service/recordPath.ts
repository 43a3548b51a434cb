/** Resources of known deployments; users can type any other. */
export const knownResourceNames = [
	'activistCodes',
	'bulkImportJobs',
	'codes',
	'codeTypes',
	'contributions',
	'designations',
	'events',
	'eventTypes',
	'exportJobs',
	'locations',
	'notes',
	'people',
	'printedLists',
	'savedLists',
	'signups',
	'supporterGroups',
	'surveyQuestions',
] as const;

/** Longer ones are neither names nor IDs. */
const LONGEST_PART = 500;

/**
 * The problem of one part of a path; undefined if there is none. Encoding protects all other
 * characters, but servers read even an encoded backslash as a slash.
 */
function partProblem(part: string): string | undefined {
	if (part === '') return 'has an empty part. Remove the extra slash.';
	if (part.length > LONGEST_PART)
		return `has a part of more than ${LONGEST_PART} characters. Shorten it.`;
	if (part === '.' || part === '..')
		return `must not contain the part "${part}". Write the path in full.`;
	if (/\\|\p{Cc}|\p{Surrogate}/u.test(part))
		return 'must not contain a backslash or an invisible character. Separate the parts with /.';
	return undefined;
}

/**
 * Splits a resource name: `people/123/notes` has three parts, each one segment of the URL. Ignores one
 * leading slash.
 * @returns the parts, not encoded, or the problem, as a sentence that continues the field's name
 */
export function readResourceName(entered: string): { parts: string[] } | { problem: string } {
	const name = entered.trim();
	if (name === '') return { problem: 'is empty. Choose a resource, e.g. events.' };
	if (/^[a-z][a-z0-9+.-]*:\/\/|^\/\//i.test(name))
		return {
			problem:
				'is a whole address. Enter only what follows the version, e.g. events; the rest is in the credential.',
		};
	if (/[?#]/.test(name))
		return {
			problem: 'must not contain ? or #. Enter what follows the ? under Query Options.',
		};
	const parts = name
		.replace(/^\//, '')
		.split('/')
		.map((part) => part.trim());
	const problem = parts.map(partProblem).find((text) => text !== undefined);
	if (problem !== undefined) return { problem };
	if (/^v\d+$/i.test(parts[0] ?? ''))
		return {
			problem: `begins with the version "${parts[0] ?? ''}", which is in the credential. Leave it out here.`,
		};
	return { parts };
}

/**
 * Reads a record ID as one part of the URL.
 * @returns the part, not encoded, or the problem, as a sentence that continues the field's name
 */
export function readRecordId(entered: string): { part: string } | { problem: string } {
	const part = entered.trim();
	if (part === '') return { problem: 'is empty. Enter the ID of the record.' };
	if (part.includes('/'))
		return {
			problem: 'must not contain a slash. Enter the rest of the path under Resource Name.',
		};
	if (/[?#]/.test(part))
		return {
			problem: 'must not contain ? or #. Enter what follows the ? under Query Options.',
		};
	const problem = partProblem(part);
	return problem === undefined ? { part } : { problem };
}

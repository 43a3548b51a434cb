/** Resources of the tenant that known deployments have; any other can be typed. */
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

/**
 * What is wrong with one part of a path; undefined if nothing is. Encoding protects every other sign,
 * but servers read a backslash as a slash even when it is encoded.
 */
function partProblem(part: string): string | undefined {
	if (part === '') return 'has an empty part. Remove the slash that is too much.';
	if (part === '.' || part === '..')
		return `must not contain the part "${part}". Write the path in full.`;
	if (/\\|\p{Cc}|\p{Surrogate}/u.test(part))
		return 'must not contain a backslash or an invisible character. Separate the parts with /.';
	return undefined;
}

/**
 * Takes a resource name apart: `people/123/notes` is three parts, each of which stays one segment of
 * the address. One slash at the beginning is forgiven.
 * @returns the parts, not encoded, or what is wrong, as a sentence that continues the field's name
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
 * Takes the ID of a record as one part of the address.
 * @returns the part, not encoded, or what is wrong, as a sentence that continues the field's name
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

/** ESLint rules for the published sources: what no import graph shows. */
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const TRANSPORT = 'nodes/shared/transport/**';
/** The only file that spells paths of the service. */
const ENDPOINT_TABLE = 'nodes/shared/service/endpoints.ts';

/** n8n's functions that send a request, whatever object they are taken from. */
const HELPER =
	'/^(httpRequest|httpRequestWithAuthentication|requestWithAuthentication(Paginated)?|requestOAuth[12])$/';

const requestsOutsideTransport = [
	`MemberExpression[property.name=${HELPER}]`,
	`MemberExpression[property.value=${HELPER}]`,
	`ObjectPattern > Property[key.name=${HELPER}]`,
	'MemberExpression[property.name="request"]:matches([object.name="helpers"], [object.property.name="helpers"])',
	'CallExpression[callee.name="fetch"]',
	'CallExpression[callee.object.name="globalThis"][callee.property.name="fetch"]',
	'NewExpression[callee.name=/^(XMLHttpRequest|WebSocket)$/]',
].map((selector) => ({ selector, message: `Only ${TRANSPORT} sends requests.` }));

/** The words that paths of the service consist of, such as `bulkImportJobs`, in the table of endpoints. */
function pathWords() {
	const table = readFileSync(join(__dirname, '../..', ENDPOINT_TABLE), 'utf8');
	const paths = [...table.matchAll(/['`](\/?\w[^'`\s]*)['`]/g)].map(([, path = '']) => path);
	const words = paths
		.filter((path) => path.includes('/'))
		.flatMap((path) => path.split('/'))
		.filter((word) => /^[A-Za-z]\w+$/.test(word));
	if (words.length === 0) throw new Error(`${ENDPOINT_TABLE} spells no path.`);
	return [...new Set(words)];
}

/** A text with a slash and without spaces, which prose has; without a slash, `codes` is a word like any other. */
const PATH = String.raw`/^(?=\S*\u002F)(\S*[\u002F?])?(${pathWords().join('|')})([\u002F?]\S*)?$/`;
const MODULE_NAMES =
	'ImportDeclaration, ExportNamedDeclaration, ExportAllDeclaration, ImportExpression, TSLiteralType';

const pathsOutsideTable = [
	`:not(${MODULE_NAMES}) > Literal[value=${PATH}]`,
	`TemplateElement[value.cooked=${PATH}]`,
].map((selector) => ({ selector, message: `Only ${ENDPOINT_TABLE} spells paths.` }));

/** @param {string[]} files @param {Array<{ selector: string, message: string }>} restricted */
const restrict = (files, restricted) => ({
	files,
	rules: { 'no-restricted-syntax': /** @type {const} */ (['error', ...restricted]) },
});

module.exports = [
	restrict(
		['nodes/**/*.ts', 'credentials/**/*.ts'],
		[...requestsOutsideTransport, ...pathsOutsideTable],
	),
	restrict([TRANSPORT], pathsOutsideTable),
	restrict([ENDPOINT_TABLE], requestsOutsideTransport),
];

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { kebabCase } from 'lodash';
import type { ICredentialType, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { format, resolveConfig } from 'prettier';

import type { NodeOperation, NodeResource } from '../../nodes/shared/execution/operation';
import { headerSynonyms, pieceHeaders } from '../../nodes/shared/importFile/headerSynonyms';
import { endpoints } from '../../nodes/shared/service/endpoints';
import { root } from '../dependencies.mjs';
import { repositoryFiles } from '../repositoryFiles.mjs';
import { brokenLinks, withOwnAddress } from './brokenLinks';
import { brokenCitations } from './citations';
import { languageModelPage } from './languageModelPage';
import { prose, sentence, table, insertGenerated } from './markdown';
import { callRow, NodeReference, operationsOf, purposeOf, type Calls } from './nodePage';
import { parameterList } from './parameterList';
import { shownNames, unknownLabels } from './quotedLabels';
import { valueTable } from './valueTable';

const FOLDER = 'docs/nodes';
const NOTE = '<!-- Written by npm run generate from the code; do not edit. -->';

interface PackageManifest {
	name: string;
	homepage: string;
	engines: { node: string };
	n8n: { nodes: string[]; credentials: string[] };
}

interface HostManifest {
	description: string;
	dependencies: Record<string, string>;
}

interface DocumentedNode {
	description: INodeTypeDescription;
	calls: Calls;
	/** Its page, relative to the repository. */
	page: string;
}

const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readJson = <T>(path: string): T => JSON.parse(read(path)) as T;

/** The source of a built file that package.json names. */
const sourceOf = (built: string): string => built.replace(/^dist\//, '').replace(/\.js$/, '.ts');

type NodeModule = Record<string, unknown> & {
	resources?: NodeResource[];
	/** The calls of a trigger. */
	calls?: NodeOperation['calls'];
};

const load = async (source: string) => (await import(join(root, source))) as NodeModule;

/** An object of the only class in the exports of a source. */
function construct<T>(exported: NodeModule): T {
	const [Class] = Object.values(exported).filter((value) => typeof value === 'function');
	if (!Class) throw new Error('There is no class.');
	return new (Class as new () => T)();
}

function callsOf({ resources = [], calls }: NodeModule): Calls {
	if (calls) return new Map([['', calls]]);
	return new Map(
		resources.flatMap(({ value: resource, operations }) =>
			operations.map(({ value, calls }): [string, NodeOperation['calls']] => [
				`${resource}.${value}`,
				calls,
			]),
		),
	);
}

async function describeNodes({ n8n }: PackageManifest): Promise<DocumentedNode[]> {
	return await Promise.all(
		n8n.nodes.map(sourceOf).map(async (source) => {
			const exported = await load(source);
			const { description } = construct<INodeType>(exported);
			const [, className = ''] = /([^/]+)\.node\.ts$/.exec(source) ?? [];
			return {
				description,
				calls: callsOf(exported),
				page: `${FOLDER}/${kebabCase(className)}.md`,
			};
		}),
	);
}

function referencePage(page: string, reference: string): [string, string] {
	return [page, insertGenerated(read(page), 'reference', reference)];
}

function credentialReference({ properties }: ICredentialType): string {
	return `## Fields\n\n${parameterList(properties).join('\n')}`;
}

function indexPage(nodes: readonly DocumentedNode[]): string {
	return [
		NOTE,
		'# The nodes',
		table([
			['Node', 'What it is for'],
			...nodes.map(({ description, page }) => [
				`[${description.displayName}](${page.replace(`${FOLDER}/`, '')})`,
				purposeOf(description),
			]),
			['[Native API](native-api.md)', 'The credential of all of them.'],
		]),
		'## Every call',
		'[Rate Tier](native-api.md#fields) of the credential says how many requests of each category a key may send per second. All nodes of one n8n process that use the same key share it.',
		'Native Record sends any other request at the Medium rate; it retries GET, PUT and DELETE after any fault, POST and PATCH only when the request was certainly not processed.',
		table([['Request', 'Rate', 'Retried'], ...Object.values(endpoints).map(callRow)]),
	].join('\n\n');
}

/** Resources and operations of a node, for README.md. */
function operationsText(description: INodeTypeDescription): string {
	const operations = operationsOf(description);
	const byResource = new Map<string, string[]>();
	for (const { resource, operation } of operations)
		byResource.set(resource.name, [...(byResource.get(resource.name) ?? []), operation.name]);
	// The only resource of a node is hidden, and its name says little.
	return byResource.size < 2
		? purposeOf(description)
		: [...byResource]
				.map(([resource, names]) => `**${prose(resource)}**: ${names.map(prose).join(', ')}.`)
				.join(' ');
}

function operationList(nodes: readonly DocumentedNode[]): string {
	return nodes
		.map(
			({ description, page }) =>
				`- [${description.displayName}](${page}): ${operationsText(description)}`,
		)
		.join('\n');
}

/** Versions as numbers, so that 2.10 comes after 2.9. */
function byVersion(a: string, b: string): number {
	return a.localeCompare(b, 'en', { numeric: true });
}

function compatibilityTable({ engines }: PackageManifest): string {
	const hosts = readdirSync(join(root, 'hosts'), { withFileTypes: true })
		.filter((entry) => entry.isDirectory())
		.map(({ name }) => name)
		.sort(byVersion)
		.map((host) => readJson<HostManifest>(`hosts/${host}/package.json`));
	return [
		table([
			['n8n', 'What it is tested as'],
			...hosts.map(({ dependencies, description }) => [
				dependencies.n8n ?? '',
				sentence(prose(description.replace(/:.*$/, ''))),
			]),
		]),
		`Node ${engines.node.replace('>=', '')} or newer, as n8n itself asks for.`,
	].join('\n\n');
}

function headerTable(): string {
	const rows = Object.entries({ ...headerSynonyms, ...pieceHeaders }).map(([field, names]) => [
		prose(field),
		names.map(prose).join(', '),
	]);
	return table([['Field', 'Headers'], ...rows]);
}

async function formatPage(path: string, text: string): Promise<string> {
	const file = join(root, path);
	return await format(text, { ...(await resolveConfig(file)), filepath: file });
}

/** Every page that is written from the code, with its text as it should be; by its path in the repository. */
export async function pages(): Promise<Map<string, string>> {
	const manifest = readJson<PackageManifest>('package.json');
	const nodes = await describeNodes(manifest);
	const credential = construct<ICredentialType>(
		await load(sourceOf(manifest.n8n.credentials[0] ?? '')),
	);
	const credentialPath = `${FOLDER}/${kebabCase(credential.constructor.name)}.md`;

	const readme = insertGenerated(read('README.md'), 'operations', operationList(nodes));
	const texts: Array<[string, string]> = [
		...nodes.map(({ description, calls, page }) =>
			referencePage(page, new NodeReference(description, calls).text),
		),
		referencePage(credentialPath, credentialReference(credential)),
		[`${FOLDER}/README.md`, indexPage(nodes)],
		['README.md', insertGenerated(readme, 'compatibility', compatibilityTable(manifest))],
		[
			'docs/import/clean-values.md',
			insertGenerated(read('docs/import/clean-values.md'), 'values', valueTable()),
		],
		[
			'docs/import/headers.md',
			insertGenerated(read('docs/import/headers.md'), 'headers', headerTable()),
		],
	];
	const languageModels = languageModelPage(
		manifest.name,
		nodes.map(({ description }) => description),
		Object.keys(headerSynonyms),
	);
	const written = new Map([['docs/llms.txt', languageModels]]);
	for (const [path, text] of texts) written.set(path, await formatPage(path, text));
	for (const path of repositoryFiles().filter(namesRepository)) {
		const text = written.get(path) ?? read(path);
		const named = withOwnAddress(text, manifest.homepage);
		if (named !== text) written.set(path, named);
	}
	return written;
}

/** Files that hold links to the repository on the web. */
function namesRepository(path: string): boolean {
	return /\.(md|node\.json|credentials\.ts|yml)$|(^|\/)CODEOWNERS$/.test(path);
}

/** Pages of nodes that no longer exist. */
function leftovers(written: ReadonlyMap<string, string>): string[] {
	return repositoryFiles()
		.filter((path) => path.startsWith(`${FOLDER}/`) && path.endsWith('.md'))
		.filter((path) => !written.has(path))
		.map((path) => `${path} belongs to no node. Remove or rename it.`);
}

function brokenReferences(written: ReadonlyMap<string, string>): string[] {
	const files = [...new Set([...repositoryFiles(), ...written.keys()])];
	const textOf = (path: string) => written.get(path) ?? read(path);
	const known = new Set(
		files.flatMap((file) => {
			const parts = file.split('/');
			return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
		}),
	);
	const linking = files.filter((path) => /\.(md|node\.json|credentials\.ts)$/.test(path));
	const citing = files.filter((path) => /\.(ts|[mc]?js|md|json|ya?ml)$/.test(path));
	return [
		...brokenLinks(linking, { has: (path) => path === '.' || known.has(path), read: textOf }),
		...brokenCitations(new Map(citing.map((path) => [path, textOf(path)]))),
	];
}

/** Pages that people read to use the nodes, or to publish them. */
const USER_PAGE =
	/^(README|SECURITY)\.md$|^examples\/README\.md$|^docs\/(?!decisions|architecture|add-|service|faults)[\w-]+\.md$|^docs\/import\//;

interface Workflow {
	name: string;
	nodes: Array<{ parameters: { content?: string } }>;
}

/** What an example says about itself on the canvas. */
const notesOf = ({ nodes }: Workflow): string =>
	nodes.map(({ parameters }) => parameters.content ?? '').join('\n\n');

async function staleLabels(written: ReadonlyMap<string, string>): Promise<string[]> {
	const { n8n } = readJson<PackageManifest>('package.json');
	const exported = await Promise.all([...n8n.nodes, ...n8n.credentials].map(sourceOf).map(load));
	const shown = new Set(exported.flatMap((each) => shownNames(construct<object>(each))));
	const files = repositoryFiles();
	const code = files.filter((path) => /^nodes\/.*\.ts$/.test(path)).map(read);
	const quoting = files.filter((path) => USER_PAGE.test(path));
	const examples = files
		.filter((path) => /^examples\/[\w-]+\.json$/.test(path))
		.map((path) => ({ path, workflow: readJson<Workflow>(path) }));
	for (const { workflow } of examples) shown.add(workflow.name);
	const texts = new Map([
		...quoting.map((path): [string, string] => [path, written.get(path) ?? read(path)]),
		...examples.map(({ path, workflow }): [string, string] => [path, notesOf(workflow)]),
	]);
	return unknownLabels(texts, shown, code.join('\n'));
}

/** Pages of no node, links and citations that lead nowhere, labels that no screen has, a sentence each. */
export async function pageProblems(written: ReadonlyMap<string, string>): Promise<string[]> {
	return [...leftovers(written), ...brokenReferences(written), ...(await staleLabels(written))];
}

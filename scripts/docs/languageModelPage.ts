import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	type INodeProperties,
	type INodeTypeDescription,
	isINodeProperties,
	isINodePropertyCollection,
	isINodePropertyOptions,
} from 'n8n-workflow';

import { ROW_STATUSES } from '../../nodes/shared/importFile/importReport';
import { readWorkflowFile } from '../../hosts/n8nClient';
import { root } from '../dependencies.mjs';
import { operationsOf } from './nodePage';
import { isDefaultOnceAdded } from './parameterList';

/** Read by people and by models with little room. */
const MAX_BYTES = 32_000;

/** A longer list is cut: some choices show what the others are like. */
const MOST_CHOICES = 14;
const FEW_CHOICES = 6;

const EXAMPLES = {
	'import-items.json': 'import the rows of a CSV file and get one outcome per row',
	'form-to-code.json': 'a sign-up form that finds or creates a person and applies an activist code',
};

/** `items*|binary`: the default has a star. */
function choicesOf({ options = [], default: given }: INodeProperties): string {
	const names = options
		.filter(isINodePropertyOptions)
		.map(({ value }) => `${String(value)}${value === given ? '*' : ''}`);
	const shown = names.length > MOST_CHOICES ? [...names.slice(0, FEW_CHOICES), '…'] : names;
	return shown.join('|');
}

/** Without what leaving it out does not mean; a language model would leave it out to get it. */
function withoutDefault(member: INodeProperties, collection: string): INodeProperties {
	return isDefaultOnceAdded(member.name, collection) ? { ...member, default: {} } : member;
}

function kindOf(property: INodeProperties): string {
	const { type, options = [], modes = [], default: given, typeOptions } = property;
	switch (type) {
		case 'options':
			return choicesOf(property) || 'string';
		case 'multiOptions':
			return options.length > 0 ? `[${choicesOf(property)}]` : `string[]=${JSON.stringify(given)}`;
		case 'resourceLocator':
			return `locator(${modes.map(({ name }) => name).join('|')})`;
		case 'collection':
			return `{ ${options
				.filter(isINodeProperties)
				.map((member) => shapeOf(withoutDefault(member, property.name)))
				.join('; ')} }`;
		case 'fixedCollection': {
			const [begin, end] = typeOptions?.multipleValues ? ['[', ']'] : ['', ''];
			return options
				.filter(isINodePropertyCollection)
				.map(
					({ name, values }) => `{ ${name}: ${begin}{ ${values.map(shapeOf).join('; ')} }${end} }`,
				)
				.join(' or ');
		}
		default:
			return typeof given === 'object' || given === ''
				? type
				: `${type}=${JSON.stringify(given).replace(/^"=/, '"')}`;
	}
}

/** `name!: kind`: required ones have an exclamation mark, texts no kind, switches that are off no default. */
function shapeOf(property: INodeProperties): string {
	const name = `${property.name}${property.required ? '!' : ''}`;
	const kind = kindOf(property).replace(/^boolean=false$/, 'boolean');
	if (kind === 'string') return name;
	return kind.startsWith('string=') ? `${name}${kind.slice('string'.length)}` : `${name}: ${kind}`;
}

/** What other parameters must be for this one to be shown, other than resource and operation. */
function conditionOf({ displayOptions }: INodeProperties): string {
	const conditions = Object.entries(displayOptions?.show ?? {}).flatMap(([name, values]) =>
		['resource', 'operation', '@tool'].includes(name)
			? []
			: `${name.replace(/^\//, '')}=${(values ?? []).map((value) => (typeof value === 'object' ? '…' : String(value))).join('|')}`,
	);
	return conditions.length > 0 ? ` if ${conditions.join(' and ')}` : '';
}

const isWritten = ({ type, displayOptions }: INodeProperties) =>
	type !== 'notice' && type !== 'hidden' && displayOptions?.show?.['@tool'] === undefined;

const lineOf = (property: INodeProperties) => `- ${shapeOf(property)}${conditionOf(property)}`;

const PAGING = ['- returnAll: boolean', '- limit: number=50 if returnAll=false'];

/** The parameters of operations; those that several have, in the same form, get a letter. */
class Parameters {
	private readonly named = new Map<string, string>();

	constructor(lists: ReadonlyArray<readonly string[]>) {
		const counts = new Map<string, number>();
		for (const line of lists.flat()) counts.set(line, (counts.get(line) ?? 0) + 1);
		for (const [line, count] of counts)
			if (count > 1 && line.length > 60) this.named.set(line, `P${this.named.size + 1}`);
	}

	get definitions(): string[] {
		return [...this.named].map(([line, name]) => `${name}: ${line.replace(/^- /, '')}`);
	}

	of(lines: readonly string[]): string[] {
		return lines.map((line) => {
			const name = this.named.get(line);
			return name ? `- ${name}` : line;
		});
	}
}

function nodePart(description: INodeTypeDescription, packageName: string): string[] {
	const { displayName, name, builderHint, properties } = description;
	const operations = operationsOf(description).map((operation) => ({
		...operation,
		lines: operation.parameters.filter(isWritten).map(lineOf),
	}));
	const parameters = new Parameters(operations.map(({ lines }) => lines));
	return [
		`## ${packageName}.${name}, "${displayName}"`,
		builderHint?.searchHint ?? '',
		...(operations.length === 0 ? properties.filter(isWritten).map(lineOf) : []),
		...parameters.definitions,
		...operations.flatMap(({ resource, operation, lines }) => [
			`### ${String(resource.value)}.${String(operation.value)}: ${operation.action ?? operation.name}`,
			...parameters.of(lines.filter((line) => !PAGING.includes(line))),
			...(PAGING.every((line) => lines.includes(line)) ? ['- PAGING'] : []),
		]),
	].filter((line) => line !== '');
}

function examplePart([file, does]: [string, string]): string[] {
	const workflow = readWorkflowFile(join(root, 'examples', file));
	const nodes = workflow.nodes
		.filter(({ type }) => !type.endsWith('.stickyNote'))
		.map(({ parameters: { fieldMap, ...parameters }, ...rest }, index) => {
			const node = { ...rest, id: String(index + 1) };
			if (typeof fieldMap !== 'object' || fieldMap === null) return { ...node, parameters };
			const { mappingMode, value } = fieldMap as Record<string, unknown>;
			return { ...node, parameters: { ...parameters, fieldMap: { mappingMode, value } } };
		});
	const { name, connections, settings } = workflow;
	return [
		`### Example: ${does}`,
		'```json',
		JSON.stringify({ name, nodes, connections, settings }),
		'```',
	];
}

/**
 * What a language model needs to build workflows with these nodes: rules, operations with their parameters, and
 * complete examples.
 *
 * @throws Error when it has become too long for that
 */
export function languageModelPage(
	packageName: string,
	nodes: readonly INodeTypeDescription[],
	fields: readonly string[],
): string {
	const intro = readFileSync(join(root, 'scripts/docs/languageModelPage.md'), 'utf8');
	const text = [
		intro
			.trim()
			.replace('{fields}', fields.join(', '))
			.replace('{statuses}', ROW_STATUSES.join(', ')),
		...nodes.flatMap((node) => nodePart(node, packageName)),
		'## Complete examples',
		...Object.entries(EXAMPLES).flatMap(examplePart),
	].join('\n');
	const bytes = Buffer.byteLength(text);
	if (bytes > MAX_BYTES) throw new Error(`docs/llms.txt has ${bytes} bytes: at most ${MAX_BYTES}.`);
	return `${text}\n`;
}

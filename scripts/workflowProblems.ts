import {
	type INode,
	type INodeProperties,
	type INodeTypeDescription,
	isINodeProperties,
	NodeHelpers,
} from 'n8n-workflow';

import type { WorkflowFile } from '../hosts/n8nClient';

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isExpression = (value: unknown) => typeof value === 'string' && value.startsWith('=');

/** What is wrong with the value of a parameter, whose name precedes it. */
function valueProblems(path: string, property: INodeProperties, value: unknown): string[] {
	const { type, options = [], modes = [], typeOptions } = property;
	if (isExpression(value)) return [];
	if (type === 'options' || type === 'multiOptions') {
		// A list that the service gives is not known here.
		const known = options.flatMap((option) => ('value' in option ? [option.value] : []));
		const wrong = [value].flat().filter((each) => !known.includes(each as string));
		return known.length > 0 && wrong.length > 0
			? [`${path}: ${JSON.stringify(wrong)} is none of ${known.join(', ')}`]
			: [];
	}
	if (type === 'resourceLocator') {
		const mode = isRecord(value) ? value.mode : undefined;
		return modes.some(({ name }) => name === mode)
			? []
			: [`${path} needs a mode: ${modes.map(({ name }) => name).join(', ')}`];
	}
	if (type === 'boolean' || type === 'number')
		return typeof value === type ? [] : [`${path} is no ${type}`];
	if (type === 'collection')
		return isRecord(value)
			? nameProblems(path, options.filter(isINodeProperties), value)
			: [`${path} is no object`];
	if (type !== 'fixedCollection') return [];
	if (!isRecord(value)) return [`${path} is no object`];
	return Object.entries(value).flatMap(([name, content]) => {
		const group = options.find((option) => option.name === name);
		if (!group || !('values' in group)) return [`${path} has no "${name}"`];
		if (Array.isArray(content) !== (typeOptions?.multipleValues ?? false))
			return [`${path}.${name} is ${Array.isArray(content) ? 'a' : 'no'} list`];
		return [content]
			.flat()
			.filter(isRecord)
			.flatMap((entry) => nameProblems(`${path}.${name}`, group.values, entry));
	});
}

function nameProblems(
	path: string,
	properties: readonly INodeProperties[],
	values: Record<string, unknown>,
): string[] {
	return Object.entries(values).flatMap(([name, value]) => {
		const place = path === '' ? name : `${path}.${name}`;
		// Several properties of one name are shown at different times.
		const candidates = properties.filter((property) => property.name === name);
		if (candidates.length === 0) return [`${place} is no parameter`];
		const problems = candidates.map((property) => valueProblems(place, property, value));
		return problems.some(({ length }) => length === 0) ? [] : (problems[0] ?? []);
	});
}

/** Parameters that n8n itself adds to tools and polling triggers. */
const ADDED = ['descriptionType', 'toolDescription', 'pollTimes'];

/** What is wrong with the parameters of a node, as the editor would find it and as it would not. */
function parameterProblems(node: INode, description: INodeTypeDescription): string[] {
	const { properties } = description;
	const filled = NodeHelpers.getNodeParameters(
		properties,
		node.parameters,
		true,
		false,
		node,
		description,
	);
	if (!filled) return ['no parameters'];
	const complete = { ...node, parameters: filled };
	const shown = properties.filter(
		(property) =>
			property.type !== 'notice' &&
			NodeHelpers.displayParameter(filled, property, complete, description),
	);
	const issues = NodeHelpers.getNodeParametersIssues(properties, complete, description);
	const own = Object.entries(node.parameters).filter(([name]) => !ADDED.includes(name));
	return [
		...nameProblems('', shown, Object.fromEntries(own)),
		...Object.values(issues?.parameters ?? {}).flat(),
	];
}

const outputCount = ({ onError }: INode, { outputs }: INodeTypeDescription) =>
	outputs.length + (onError === 'continueErrorOutput' ? 1 : 0);

/**
 * Why a workflow would not work in the editor, a sentence each: types and parameters of the nodes of this package,
 * connections, nodes that nothing reaches.
 *
 * @param descriptions of this package's nodes, by type
 */
export function workflowProblems(
	{ nodes, connections }: WorkflowFile,
	descriptions: ReadonlyMap<string, INodeTypeDescription>,
): string[] {
	const problems: string[] = [];
	const byName = new Map(nodes.map((node) => [node.name, node]));
	if (byName.size < nodes.length) problems.push('Two nodes have one name.');
	for (const node of nodes) {
		const { name, type, typeVersion } = node;
		const described = descriptions.get(type.replace(/Tool$/, ''));
		// Some fields are of tools only.
		const description =
			described && type.endsWith('Tool')
				? { ...described, name: `${described.name}Tool` }
				: described;
		if (type.startsWith('n8n-nodes-native.') && !description) {
			problems.push(`${name}: there is no node ${type}.`);
		} else if (description) {
			if (![description.version].flat().includes(typeVersion))
				problems.push(`${name}: there is no version ${typeVersion}.`);
			for (const problem of parameterProblems(node, description))
				problems.push(`${name}: ${problem.replace(/\.$/, '')}.`);
		}
	}
	const reached = new Set<string>();
	for (const [from, byType] of Object.entries(connections)) {
		const source = byName.get(from);
		if (!source) problems.push(`Connections begin at "${from}", which is no node.`);
		const description = source && descriptions.get(source.type);
		for (const [type, outputs] of Object.entries(byType)) {
			if (
				source &&
				description &&
				type === 'main' &&
				outputs.length > outputCount(source, description)
			)
				problems.push(`${from} has no output ${outputs.length}.`);
			for (const target of outputs.flatMap((targets) => targets ?? [])) {
				if (!byName.has(target.node))
					problems.push(`${from} leads to "${target.node}", which is no node.`);
				reached.add(target.node);
				// Models and tools lead to the node that uses them.
				if (type !== 'main') reached.add(from);
			}
		}
	}
	for (const { name, type } of nodes) {
		const isFirst = /trigger$|\.webhook$|stickyNote$/i.test(type);
		if (!isFirst && !reached.has(name)) problems.push(`Nothing leads to ${name}.`);
	}
	return problems;
}

import { pick } from 'lodash';
import {
	type INodeProperties,
	type INodeTypeDescription,
	NodeConnectionTypes,
	updateDisplayOptions,
} from 'n8n-workflow';

import {
	dryRunOption,
	type NodeOperation,
	type NodeResource,
	type OptionGroup,
} from '../execution/operation';
import { sendOnceOption } from '../execution/sendOnce';
import { byLabel } from '../service/bodyField';
import { type Endpoint, retryOfMethod } from '../service/endpoints';

const replayUnknownOutcomeOption: INodeProperties = {
	displayName: 'Retry Even if It May Duplicate',
	name: 'replayUnknownOutcome',
	type: 'boolean',
	// One value counts for all items.
	noDataExpression: true,
	default: false,
	description:
		'Whether to retry a request that the service may already have executed. Turn on only if a duplicate does no harm.',
};

function optionsOf({ retry, matchesPeople }: Pick<Endpoint, 'retry' | 'matchesPeople'>) {
	return [
		...(retry === 'read' ? [] : [dryRunOption]),
		// A person with too little data to match is stored each time.
		...(retry === 'unsafe' || matchesPeople ? [replayUnknownOutcomeOption] : []),
		...(retry === 'unsafe' ? [sendOnceOption] : []),
	];
}

function callOptions(calls: NodeOperation['calls']): INodeProperties[] {
	return 'anyPath' in calls
		? optionsOf({ retry: retryOfMethod[calls.anyPath] })
		: calls.flatMap(optionsOf);
}

function collection(group: OptionGroup): INodeProperties {
	return { ...group, type: 'collection', default: {} };
}

export function optionsCollection(options: INodeProperties[]): INodeProperties {
	return collection({
		displayName: 'Options',
		name: 'options',
		placeholder: 'Add option',
		options: byLabel(options),
	});
}

/** Its own option wins over one of its calls with the same name. */
function withCallOptions<Operation extends NodeOperation>(operation: Operation): Operation {
	const { calls, options = [], optionGroups, properties } = operation;
	if (optionGroups)
		return { ...operation, properties: [...properties, ...optionGroups.map(collection)] };
	// What shows what would happen unless it is told otherwise needs no option for that.
	const isShown = properties.some(({ name }) => name === 'whatShouldHappen');
	const ofCalls = callOptions(calls).filter((each) => !isShown || each !== dryRunOption);
	const byName = new Map([...ofCalls, ...options].map((each) => [each.name, each]));
	const shown = byName.size === 0 ? [] : [optionsCollection([...byName.values()])];
	return { ...operation, properties: [...properties, ...shown] };
}

/** The resources of a node, their operations with the options that follow from their calls. */
export function defineResources(resources: NodeResource[]): NodeResource[] {
	return resources.map((resource) => ({
		...resource,
		operations: resource.operations.map(withCallOptions),
	}));
}

/** What all action nodes have in common: the two selectors, then the parameters of each operation. */
export function describeNode(resources: NodeResource[]) {
	const firstValue = (entries: Array<{ value: string }>): string => entries[0]?.value ?? '';
	const selector: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		// Hide a choice of one, but keep the options: n8n lists the actions by them.
		type: resources.length > 1 ? 'options' : 'hidden',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: firstValue(resources),
	};
	const operations = resources.map(
		(resource): INodeProperties => ({
			displayName: 'Operation',
			name: 'operation',
			type: 'options',
			noDataExpression: true,
			displayOptions: { show: { resource: [resource.value] } },
			options: resource.operations.map((operation) =>
				pick(operation, 'name', 'value', 'action', 'description'),
			),
			default: firstValue(resource.operations),
		}),
	);
	const parameters = resources.flatMap((resource) =>
		resource.operations.flatMap(({ value, properties }) => {
			const shownFor = { show: { resource: [resource.value], operation: [value] } };
			return updateDisplayOptions(shownFor, properties);
		}),
	);
	return {
		group: ['output'],
		version: 1,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		properties: [selector, ...operations, ...parameters],
	} satisfies Partial<INodeTypeDescription>;
}

/** The line under a node on the canvas: `Get Many: Code Type`. An expression, to follow the parameters. */
export function resourceSubtitle(resources: NodeResource[]): string {
	const names = resources.flatMap((resource) =>
		resource.operations.map((operation): [string, string] => [
			`${resource.value}:${operation.value}`,
			`${operation.name}: ${resource.name}`,
		]),
	);
	return `={{ (${JSON.stringify(Object.fromEntries(names))})[$parameter["resource"] + ":" + $parameter["operation"]] }}`;
}

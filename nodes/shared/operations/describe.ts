import type { INodeProperties } from 'n8n-workflow';

import type { NodeResource } from '../execution/operation';
import { withCallOptions } from './callOptions';

/** The resources of a node, their operations with the options that follow from their calls. */
export function defineResources(resources: NodeResource[]): NodeResource[] {
	return resources.map((resource) => ({
		...resource,
		operations: resource.operations.map(withCallOptions),
	}));
}

/** The parameters of a node: the two selectors, then each operation's parameters, shown for it only. */
export function resourceProperties(resources: NodeResource[]): INodeProperties[] {
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
			options: resource.operations.map(({ name, value, action, description }) => ({
				name,
				value,
				action,
				description,
			})),
			default: firstValue(resource.operations),
		}),
	);
	const parameters = resources.flatMap((resource) =>
		resource.operations.flatMap((operation) =>
			operation.properties.map(
				(property): INodeProperties => ({
					...property,
					displayOptions: {
						...property.displayOptions,
						show: {
							...property.displayOptions?.show,
							resource: [resource.value],
							operation: [operation.value],
						},
					},
				}),
			),
		),
	);
	return [selector, ...operations, ...parameters];
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

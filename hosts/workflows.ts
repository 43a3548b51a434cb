import type { IConnections, IDataObject, INode, INodeParameters } from 'n8n-workflow';
import { shownImport, withOptions } from './importScreen';
import { byId, fromList, mapFields } from './locators';
import type { WorkflowFile } from './n8nClient';
import { packageManifest } from './packPackage';

/** A node of a workflow in which each node follows the one before. */
export interface NodeInRow
	extends Pick<
		INode,
		'name' | 'type' | 'credentials' | 'onError' | 'webhookId' | 'executeOnce' | 'retryOnFail'
	> {
	/** Default: 1. */
	typeVersion?: number;
	parameters: INodeParameters;
}

/** A Manual Trigger. */
export const START: NodeInRow = {
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	parameters: {},
};

/** Starts its workflow when `/webhook/<path>` is called. */
export const webhook = (path: string, parameters: INodeParameters): NodeInRow => ({
	name: 'Webhook',
	type: 'n8n-nodes-base.webhook',
	typeVersion: 2,
	webhookId: path,
	parameters: { path, ...parameters },
});

/** The name of a node type of this package in workflows. */
export const nativeType = (type: string) => `${packageManifest.name}.${type}`;

/** What a node of this package holds of a stored credential. */
export const nativeCredential = (id: string) => ({ nativeApi: { id, name: 'Native API' } });

/** A node of this package. @param type e.g. `nativeCode` */
export const nativeNode = (
	name: string,
	type: string,
	credentialId: string,
	parameters: INodeParameters,
): NodeInRow => ({
	name,
	type: nativeType(type),
	credentials: nativeCredential(credentialId),
	parameters,
});

/** Posts a result for the `personId` of each item. */
export const postNode = (credentialId: string): NodeInRow =>
	nativeNode('Post', 'nativeCanvassResponse', credentialId, {
		resource: 'canvassResponse',
		operation: 'create',
		canvassContext: {
			contactTypeId: byId('2'),
			// Without it, the service merges equal responses of one person, which would hide duplicates.
			skipMatching: true,
		},
		resultCodeId: byId('1'),
	});

/** What the fields of CreateOrUpdateContact are filled with. */
const CONTACT_FIELDS: Record<string, string> = {
	FirstName: '={{ $json.first }}',
	LastName: '={{ $json.last }}',
	Email: '={{ $json.mail }}',
};

/**
 * Imports the items as contacts.
 *
 * @param parameters those of the hosting, and others to replace
 */
export const importItemsNode = (
	credentialId: string,
	parameters: INodeParameters,
	fields = CONTACT_FIELDS,
): NodeInRow =>
	nativeNode(
		'Import Items',
		'nativeBulkImport',
		credentialId,
		shownImport({
			resource: 'job',
			operation: 'createFromItems',
			resourceType: fromList('Contacts'),
			mappingTypes: ['CreateOrUpdateContact'],
			fieldMap: mapFields(
				Object.fromEntries(
					Object.entries(fields).map(([field, value]) => [`CreateOrUpdateContact:${field}`, value]),
				),
			),
			description: 'Sign-ups of this week',
			...parameters,
		}),
	);

/** A workflow of nodes in a row, each connected to the first output of the one before. */
export function rowWorkflow(
	row: readonly NodeInRow[],
	settings: IDataObject = {},
	name = 'Test',
): WorkflowFile {
	const connections: IConnections = {};
	row.slice(1).forEach(({ name: next }, index) => {
		const before = row[index]?.name ?? '';
		connections[before] = { main: [to(next)] };
	});
	return {
		name,
		nodes: row.map((node, index) => ({
			id: `node-${index}`,
			typeVersion: 1,
			position: [index * 220, 0],
			...node,
		})),
		connections,
		settings: { executionOrder: 'v1', ...settings },
	};
}

/** A row of Start, Given Items, a Code node that puts out the given items, and the given nodes. */
export function itemsWorkflow(
	items: readonly IDataObject[],
	nodes: readonly NodeInRow[],
	name?: string,
): WorkflowFile {
	const givenItems: NodeInRow = {
		name: 'Given Items',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		// JSON is JavaScript.
		parameters: { jsCode: `return ${JSON.stringify(items)}.map((json) => ({ json }));` },
	};
	return rowWorkflow([START, givenItems, ...nodes], {}, name);
}

/** Where the first output of a node leads. */
export const to = (node: string) => [{ node, type: 'main' as const, index: 0 }];

/** The workflow's nodes with one of them changed; the other options stay. */
export const changeNode =
	(name: string, { options, ...parameters }: INodeParameters) =>
	(node: INode): INode => {
		if (node.name !== name) return node;
		const changed = { ...node.parameters, ...parameters };
		if (!options) return { ...node, parameters: changed };
		if (changed.operation === 'createFromItems')
			return { ...node, parameters: withOptions(changed, options as INodeParameters) };
		const kept = changed.options as INodeParameters;
		return {
			...node,
			parameters: { ...changed, options: { ...kept, ...(options as INodeParameters) } },
		};
	};

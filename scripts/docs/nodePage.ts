import {
	type INodeProperties,
	type INodePropertyOptions,
	type INodeTypeDescription,
	isINodeProperties,
	isINodePropertyOptions,
} from 'n8n-workflow';

import { upperFirst } from 'lodash';

import type { NodeOperation } from '../../nodes/shared/execution/operation';
import type { Endpoint } from '../../nodes/shared/service/endpoints';
import type { RetryClass } from '../../nodes/shared/transport/retry';
import { code, prose, sentence } from './markdown';
import { parameterList } from './parameterList';

/** The calls of each operation, by `resource.operation`; those of a trigger by ''. */
export type Calls = ReadonlyMap<string, NodeOperation['calls']>;

const SHARED_HEADING = 'Fields of several operations';

interface Operation {
	resource: INodePropertyOptions;
	operation: INodePropertyOptions;
	heading: string;
	parameters: INodeProperties[];
}

const retryWords: Record<RetryClass, string> = {
	read: 'after any fault',
	safe: 'after any fault',
	unsafe: 'if it was not executed',
};

export function callRow({ method, path, category, retry }: Endpoint): string[] {
	return [code(`${method} ${path}`), upperFirst(category), retryWords[retry]];
}

function selector(properties: readonly INodeProperties[], name: string): INodeProperties[] {
	return properties.filter((property) => property.name === name);
}

const chosenOptions = ({ options = [] }: INodeProperties) => options.filter(isINodePropertyOptions);

function shows(property: INodeProperties, selectorName: string, value: unknown): boolean {
	const values: unknown[] = property.displayOptions?.show?.[selectorName] ?? [];
	return values.includes(value);
}

/** The operations of a node in the order of the screen; none for a trigger. A single resource is hidden there. */
export function operationsOf({ properties }: INodeTypeDescription): Operation[] {
	const resources = selector(properties, 'resource').flatMap(chosenOptions);
	return resources.flatMap((resource) =>
		selector(properties, 'operation')
			.filter((property) => shows(property, 'resource', resource.value))
			.flatMap(chosenOptions)
			.map((operation) => ({
				resource,
				operation,
				heading: `${resource.name}: ${operation.name}`,
				parameters: properties.filter(
					(property) =>
						property.name !== 'operation' &&
						shows(property, 'resource', resource.value) &&
						shows(property, 'operation', operation.value),
				),
			})),
	);
}

function callPart(calls: NodeOperation['calls'] = []): string {
	if ('anyPath' in calls)
		return `Sends any ${code(calls.anyPath)} [request](README.md#every-call) of the service.`;
	if (calls.length === 0) return 'Sends no request.';
	const requests = calls.map(({ method, path }) => code(`${method} ${path}`));
	return `Sends at most [these requests](README.md#every-call): ${requests.join(', ')}.`;
}

/** A field of an operation, or of its options. */
interface Field {
	property: INodeProperties;
	/** Fields that decide whether it is shown. */
	around: INodeProperties[];
	/** The optional fields it belongs to, as the list names them. */
	group: string;
	groupName: string;
	collection?: string;
}

/** Optional fields differ between operations, so each is a field of its own. */
function fieldsOf({ parameters }: Operation): Field[] {
	return parameters.flatMap((property): Field[] => {
		const { type, options = [], name, displayName } = property;
		if (type !== 'collection') return [{ property, around: parameters, group: '', groupName: '' }];
		const group = `- **${prose(displayName)}** ${code(name)}`;
		const groupName = prose(displayName);
		const members = options.filter(isINodeProperties);
		const around = [...members, ...parameters];
		const ofGroup = { around, group, groupName, collection: name };
		return members.map((member) => ({ property: member, ...ofGroup }));
	});
}

const textOf = ({ property, around, collection }: Field): string =>
	parameterList([property], around, collection).join('\n');

/** Fields as one list, the optional ones below the name of their group. */
function listOf(fields: readonly Field[]): string {
	const groups = [...new Set(fields.map(({ group }) => group))].sort();
	return groups
		.flatMap((group) => {
			const own = fields.filter((field) => field.group === group).map(textOf);
			if (group === '') return own;
			return [group, own.join('\n').replace(/^/gm, '  ')];
		})
		.join('\n');
}

/**
 * What a node is for, as a sentence. The description of a trigger covers the node beside it, because n8n
 * lists both as one; its hint for search does not.
 */
export function purposeOf({ description, group, builderHint }: INodeTypeDescription): string {
	const [ownPurpose] = group.includes('trigger')
		? (builderHint?.searchHint?.split(/(?<=\.) /) ?? [])
		: [];
	return sentence(prose(ownPurpose ?? description));
}

/** The reference of a node, for the generated part of its page. */
export class NodeReference {
	private readonly operations: Operation[];
	/** Fields that several operations have, in the order of the screen. */
	private readonly shared: Field[];
	private readonly sharedTexts: ReadonlySet<string>;

	constructor(
		private readonly description: INodeTypeDescription,
		private readonly calls: Calls,
	) {
		this.operations = operationsOf(description);
		const byText = new Map<string, Field[]>();
		for (const field of this.operations.flatMap(fieldsOf)) {
			const text = `${field.group}\n${textOf(field)}`;
			byText.set(text, [...(byText.get(text) ?? []), field]);
		}
		const several = [...byText].filter(([, fields]) => fields.length > 1);
		this.sharedTexts = new Set(several.map(([text]) => text));
		this.shared = several.flatMap(([, [first]]) => (first ? [first] : []));
	}

	get text(): string {
		const { properties } = this.description;
		const purpose = purposeOf(this.description);
		if (this.operations.length === 0)
			return [
				purpose,
				'## Parameters',
				parameterList(properties).join('\n'),
				callPart(this.calls.get('')),
			].join('\n\n');
		return [
			purpose,
			'## Operations',
			'Each field has **its name on the screen**, `its name in expressions and exported workflows`, its kind (text if none is named) and its default, which also counts if an option is not added. Where it says _once added_, it does not: then nothing is sent for the field, and the option has no effect unless its description says so. Fields without a description here are under [Fields of several operations](#fields-of-several-operations).',
			...this.operations.flatMap((operation) => this.operationPart(operation)),
			...(this.shared.length > 0 ? [`## ${SHARED_HEADING}`, listOf(this.shared)] : []),
		].join('\n\n');
	}

	private isShared(field: Field): boolean {
		return this.sharedTexts.has(`${field.group}\n${textOf(field)}`);
	}

	private operationPart(operation: Operation): string[] {
		const { resource, operation: option, heading } = operation;
		const fields = fieldsOf(operation);
		return [
			`### ${heading}`,
			sentence(prose(option.description ?? '')),
			callPart(this.calls.get(`${String(resource.value)}.${String(option.value)}`)),
			listOf(fields.filter((field) => !this.isShared(field))),
			this.sharedNames(fields.filter((field) => this.isShared(field))),
		].filter((part) => part !== '');
	}

	private sharedNames(fields: readonly Field[]): string {
		const groups = new Map<string, string[]>();
		for (const { property, groupName } of fields) {
			if (property.type === 'notice' || property.type === 'hidden') continue;
			groups.set(groupName, [...(groups.get(groupName) ?? []), prose(property.displayName)]);
		}
		if (groups.size === 0) return '';
		const lists = [...groups].map(([group, names]) => {
			if (group === '') return names.join(', ');
			const all = this.shared.filter(({ groupName }) => groupName === group);
			return names.length > 10 && names.length === all.length
				? group
				: `${group} (${names.join(', ')})`;
		});
		return `Also: ${lists.join(', ')}.`;
	}
}

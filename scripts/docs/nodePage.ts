import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import type { NodeOperation } from '../../nodes/shared/execution/operation';
import type { Endpoint } from '../../nodes/shared/service/endpoints';
import type { RetryClass } from '../../nodes/shared/transport/retry';
import { anchorOf, code, prose, sentence, table } from './markdown';
import { parameterList } from './parameterList';

/** The calls of each operation, by `resource.operation`; those of a node without operations by ''. */
export type Calls = ReadonlyMap<string, NodeOperation['calls']>;

const SHARED_HEADING = 'Fields of several operations';

interface Operation {
	resource: INodePropertyOptions;
	operation: INodePropertyOptions;
	heading: string;
	parameters: INodeProperties[];
}

const retryWords: Record<RetryClass, string> = {
	read: 'after any fault: it changes nothing',
	safe: 'after any fault: twice leaves the same as once',
	unsafe: 'only when it was certainly not carried out',
};

export function callRow({ method, path, category, retry }: Endpoint): string[] {
	return [code(`${method} ${path}`), inTitleCase(category), retryWords[retry]];
}

function inTitleCase(word: string): string {
	return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function selector(properties: readonly INodeProperties[], name: string): INodeProperties[] {
	return properties.filter((property) => property.name === name && property.type === 'options');
}

const chosenOptions = ({ options = [] }: INodeProperties): INodePropertyOptions[] =>
	options.filter((option): option is INodePropertyOptions => 'value' in option);

function shows(property: INodeProperties, selectorName: string, value: unknown): boolean {
	const values: unknown[] = property.displayOptions?.show?.[selectorName] ?? [];
	return values.includes(value);
}

/** The operations of a node in the order of the screen; none for a trigger. */
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

function callPart(calls: NodeOperation['calls'] = []): string[] {
	if (calls === 'any') return ['Makes any call of the service, at the Medium rate.'];
	if (calls.length === 0) return ['Makes no call.'];
	const rows = calls.map(callRow);
	return ['Requests it sends, at most:', table([['Request', 'Rate', 'Retried'], ...rows])];
}

/** A field of an operation, or of its options. */
interface Field {
	property: INodeProperties;
	/** Fields that decide whether it is shown. */
	around: INodeProperties[];
	/** Display name of the options it belongs to. */
	group: string;
}

/** Options differ from operation to operation, so each is a field of its own; other groups are one field. */
function fieldsOf({ parameters }: Operation): Field[] {
	return parameters.flatMap((property): Field[] => {
		const { name, type, options = [], displayName } = property;
		if (name !== 'options' || type !== 'collection')
			return [{ property, around: parameters, group: '' }];
		const members = options.filter((option): option is INodeProperties => 'type' in option);
		const around = [...members, ...parameters];
		return members.map((member) => ({ property: member, around, group: displayName }));
	});
}

const textOf = ({ property, around }: Field): string =>
	parameterList([property], around).join('\n');

/** The page of a node. */
export class NodePage {
	private readonly operations: Operation[];
	/** The texts of fields that several operations have, in the order of the screen. */
	private readonly shared: string[];

	/**
	 * @param recipes Markdown to include, with links that are right for this page
	 */
	constructor(
		private readonly description: INodeTypeDescription,
		private readonly calls: Calls,
		private readonly recipes: string,
	) {
		this.operations = operationsOf(description);
		const texts = this.operations.flatMap((operation) => fieldsOf(operation).map(textOf));
		this.shared = [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))];
	}

	get text(): string {
		const { displayName, description, usableAsTool, polling, credentials = [] } = this.description;
		return [
			'<!-- Written by npm run docs from the node itself; do not edit. -->',
			`# ${displayName}`,
			sentence(description),
			[
				credentials.length > 0 ? 'Credential: [Native API](native-api.md).' : '',
				polling ? 'A trigger that polls: n8n asks at the times you set in the node.' : '',
				usableAsTool ? 'Can be given to an AI agent as a tool.' : '',
			]
				.filter((text) => text !== '')
				.join(' '),
			...(this.operations.length > 0 ? [this.overview()] : []),
			this.recipes,
			...(this.operations.length > 0
				? [
						'## Operations',
						'Each field has **its name on the screen**, `its name in expressions and exported workflows`, its kind and its default. [What the rate categories allow](README.md#every-call), [what is retried](../errors.md#what-is-retried).',
					]
				: []),
			...this.operations.flatMap((operation) => this.operationPart(operation)),
			...(this.operations.length === 0
				? [
						'## Parameters',
						parameterList(this.description.properties).join('\n'),
						...callPart(this.calls.get('')),
					]
				: []),
			...(this.shared.length > 0 ? [`## ${SHARED_HEADING}`, this.shared.join('\n')] : []),
		].join('\n\n');
	}

	private overview(): string {
		return table([
			['Resource', 'Operation', 'What it does'],
			...this.operations.map(({ resource, operation, heading }) => [
				prose(resource.name),
				`[${prose(operation.name)}](#${anchorOf(heading)})`,
				sentence(prose(operation.description ?? '')),
			]),
		]);
	}

	private operationPart(operation: Operation): string[] {
		const { resource, operation: option, heading } = operation;
		const fields = fieldsOf(operation);
		const isShared = (field: Field) => this.shared.includes(textOf(field));
		return [
			`### ${heading}`,
			sentence(prose(option.description ?? '')),
			...callPart(this.calls.get(`${String(resource.value)}.${String(option.value)}`)),
			fields
				.filter((field) => !isShared(field))
				.map(textOf)
				.join('\n'),
			this.sharedNames(fields.filter(isShared)),
		].filter((part) => part !== '');
	}

	private sharedNames(fields: readonly Field[]): string {
		const groups = new Map<string, string[]>();
		for (const { property, group } of fields) {
			if (property.type === 'notice' || property.type === 'hidden') continue;
			groups.set(group, [...(groups.get(group) ?? []), `_${prose(property.displayName)}_`]);
		}
		if (groups.size === 0) return '';
		const lists = [...groups].map(([group, names]) =>
			group === '' ? names.join(', ') : `under ${group}: ${names.join(', ')}`,
		);
		return `[${SHARED_HEADING}](#${anchorOf(SHARED_HEADING)}): ${lists.join('; ')}.`;
	}
}

import type { INodeProperties, INodePropertyOptions, INodeTypeDescription } from 'n8n-workflow';

import { type Endpoint, endpoints } from '../../nodes/shared/service/endpoints';
import type { ReplayClass } from '../../nodes/shared/transport/replay';
import type { CalledEndpoints } from './calledEndpoints';
import { anchorOf, code, prose, sentence, table } from './markdown';
import { parameterList } from './parameterList';

/** Parameters that take more lines than this and that several operations have are shown once. */
const LONG = 8;

interface Operation {
	resource: INodePropertyOptions;
	operation: INodePropertyOptions;
	heading: string;
	parameters: INodeProperties[];
}

const replayWords: Record<ReplayClass, string> = {
	read: 'after any fault: it changes nothing',
	safe: 'after any fault: twice leaves the same as once',
	unsafe: 'only when it was certainly not carried out',
};

export function callRow({ method, path, category, replay }: Endpoint): string[] {
	return [code(`${method} ${path}`), inTitleCase(category), replayWords[replay]];
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

function callTable(called: ReadonlySet<string>): string {
	const endpointTable: Record<string, Endpoint> = endpoints;
	const rows = [...called].sort().map((name) => {
		const endpoint = endpointTable[name];
		if (!endpoint) throw new Error(`The endpoint table has no entry "${name}".`);
		return callRow(endpoint);
	});
	return table([['Call', 'Rate', 'Sent again by itself'], ...rows]);
}

function callPart(called: ReadonlySet<string> | undefined): string[] {
	return called && called.size > 0 ? ['Calls it makes, at most:', callTable(called)] : [];
}

/** The page of a node. */
export class NodePage {
	private readonly operations: Operation[];
	/** Long parameters that several operations have, by their text. */
	private readonly shared = new Map<string, { heading: string; lines: string[] }>();

	/**
	 * @param recipes Markdown to include, with links that are right for this page
	 */
	constructor(
		private readonly description: INodeTypeDescription,
		private readonly calls: CalledEndpoints,
		private readonly recipes: string,
	) {
		this.operations = operationsOf(description);
		this.findShared();
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
						'How to read the lists below: **the name on the screen**, `the name in expressions and exported workflows`, then its kind and what it holds if you leave it alone. [What the rate categories allow](README.md#every-call), [what is sent again and what is not](../errors.md#what-is-sent-again-by-itself).',
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
			...(this.shared.size > 0 ? ['## Parameters of several operations'] : []),
			...[...this.shared.values()].flatMap(({ heading, lines }) => [
				`### ${heading}`,
				lines.join('\n'),
			]),
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

	private operationPart({ resource, operation, heading, parameters }: Operation): string[] {
		const lines = parameters.flatMap((property) => {
			const own = parameterList([property], parameters);
			const shared = this.shared.get(own.join('\n'));
			if (!shared) return own;
			const [first = ''] = own;
			return [
				`${first.replace(/: .*$/s, '')}: see [${shared.heading}](#${anchorOf(shared.heading)}).`,
			];
		});
		return [
			`### ${heading}`,
			sentence(prose(operation.description ?? '')),
			...callPart(this.calls.get(`${String(resource.value)}.${String(operation.value)}`)),
			lines.join('\n'),
		];
	}

	private findShared(): void {
		const users = new Map<string, Operation[]>();
		for (const operation of this.operations) {
			for (const property of operation.parameters) {
				const lines = parameterList([property], operation.parameters);
				if (lines.length < LONG) continue;
				const text = lines.join('\n');
				const known = users.get(text) ?? [];
				users.set(text, [...known, operation]);
				if (known.length !== 1) continue;
				this.shared.set(text, { heading: this.freeHeading(property.displayName), lines });
			}
		}
	}

	/** Headings of one page must differ, because links name them. */
	private freeHeading(displayName: string): string {
		const taken = new Set([
			...this.operations.map(({ heading }) => heading),
			...[...this.shared.values()].map(({ heading }) => heading),
		]);
		for (let count = 1; ; count++) {
			const heading = count === 1 ? displayName : `${displayName} (${count})`;
			if (!taken.has(heading)) return heading;
		}
	}
}

import type { INodeParameters, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { PackageOperation } from './exampleOutputs';

/** A place for text in the parameters of an operation. */
interface TextParameter {
	/** E.g. `additionalFields.addresses.city`. */
	path: string;
	field: INodeProperties;
	/** The operation's parameters with a text in this place. */
	withText: (text: string) => INodeParameters;
}

interface Place extends Pick<TextParameter, 'path' | 'field'> {
	/** What must be chosen for the field to show. */
	needs: INodeParameters;
	place: (text: string) => INodeParameters;
}

const isText = ({ type }: INodeProperties): boolean =>
	type === 'string' || type === 'json' || type === 'resourceLocator';

const isParameter = (option: object): option is INodeProperties => 'type' in option;
const isGroup = (option: object): option is { name: string; values: INodeProperties[] } =>
	'values' in option;

/** What to choose for a property to be shown. */
function needsOf({ displayOptions }: INodeProperties): INodeParameters {
	return Object.fromEntries(
		Object.entries(displayOptions?.show ?? {}).flatMap(([name, values]) => {
			const [first] = values ?? [];
			return name.startsWith('@') || first === undefined || typeof first === 'object'
				? []
				: [[name.replace('/', ''), first]];
		}),
	);
}

function placesIn(property: INodeProperties, isWanted: typeof isText): Place[] {
	const { name, type, options = [] } = property;
	const needs = needsOf(property);
	const nested = (places: Place[], wrap: (inner: INodeParameters) => INodeParameters): Place[] =>
		places.map(({ path, field, needs: inner, place }) => ({
			field,
			path: `${name}.${path}`,
			needs: { ...needs, ...inner },
			place: (text) => ({ [name]: wrap(place(text)) }),
		}));
	if (isWanted(property)) {
		const mode = property.modes?.find((candidate) => candidate.type === 'string')?.name ?? 'id';
		const value = (text: string) =>
			type === 'resourceLocator' ? { __rl: true, mode, value: text } : text;
		const place: Place['place'] = (text) => ({ [name]: value(text) }) as INodeParameters;
		return [{ path: name, field: property, needs, place }];
	}
	if (type === 'collection') {
		const fields = (options as object[]).filter(isParameter);
		return nested(placesOf(fields, isWanted), (inner) => inner);
	}
	if (type === 'fixedCollection') {
		const isMultiple = property.typeOptions?.multipleValues === true;
		return (options as object[]).filter(isGroup).flatMap((group) =>
			nested(placesOf(group.values, isWanted), (inner) => ({
				[group.name]: isMultiple ? [inner] : inner,
			})),
		);
	}
	return [];
}

function placesOf(properties: INodeProperties[], isWanted: typeof isText): Place[] {
	return properties.flatMap((property) => placesIn(property, isWanted));
}

const isOf = (show: unknown, value: string): boolean =>
	!Array.isArray(show) || (show as INodePropertyOptions['value'][]).includes(value);

/** Both with objects merged: a text goes into the middle of what is filled in. */
function merged(base: INodeParameters, more: INodeParameters): INodeParameters {
	const isPlain = (value: unknown): value is INodeParameters =>
		value !== null && typeof value === 'object' && !Array.isArray(value) && !('__rl' in value);
	return Object.fromEntries(
		[...new Set([...Object.keys(base), ...Object.keys(more)])].map((name) => {
			const [before, after] = [base[name], more[name]];
			if (isPlain(before) && isPlain(after)) return [name, merged(before, after)];
			return [name, after ?? before];
		}),
	) as INodeParameters;
}

/** Every place for text of an operation, or for what is wanted, from the description of its node. */
export function textParameters(
	{ node, name }: Pick<PackageOperation, 'node' | 'name'>,
	base: INodeParameters,
	isWanted = isText,
): TextParameter[] {
	const [resource = '', operation = ''] = name.split('/');
	const shown = node.description.properties.filter(({ displayOptions: { show } = {} }) => {
		return isOf(show?.resource, resource) && isOf(show?.operation, operation);
	});
	return placesOf(shown, isWanted).map(({ path, field, needs, place }) => ({
		path,
		field,
		withText: (text) => merged(merged(base, { ...needs, resource, operation }), place(text)),
	}));
}

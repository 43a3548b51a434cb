/** A JSON schema in the form that n8n keeps in the `__schema__` folders of its own nodes. */
export interface OutputSchema {
	/** Several where values differ; null comes last, because the editor shows the first. */
	type?: string | string[];
	properties?: Record<string, OutputSchema>;
	items?: OutputSchema;
}

/** What to say less about. */
interface Reservations {
	/** Properties that hold names of the user's data: what is in them is left out. */
	open: readonly string[];
	/** Properties to leave out altogether. */
	leftOut: readonly string[];
}

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

function typeName(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'array';
	return Number.isInteger(value) ? 'integer' : typeof value;
}

function typesOf(values: readonly unknown[]): string[] {
	const names = new Set(values.map(typeName));
	if (names.has('number')) names.delete('integer');
	const isNullable = names.delete('null');
	return [...names, ...(isNullable ? ['null'] : [])];
}

/**
 * The schema that all of the given JSON values fit. A property that only some of them have is in it too,
 * as none is required. It holds names and types and no value.
 */
export function schemaOf(
	values: readonly unknown[],
	reservations: Reservations = { open: [], leftOut: [] },
): OutputSchema {
	const [first, ...others] = typesOf(values);
	if (first === undefined) return {};
	const schema: OutputSchema = { type: others.length > 0 ? [first, ...others] : first };

	const objects = values.filter(isObject);
	if (objects.length > 0) {
		const names = new Set(objects.flatMap((object) => Object.keys(object)));
		for (const name of reservations.leftOut) names.delete(name);
		schema.properties = Object.fromEntries(
			[...names].map((name): [string, OutputSchema] => {
				const given = objects
					.filter((object) => Object.hasOwn(object, name))
					.map((object) => object[name]);
				const { properties, ...closed } = schemaOf(given, reservations);
				const isOpen = properties === undefined || reservations.open.includes(name);
				return [name, isOpen ? closed : { ...closed, properties }];
			}),
		);
	}
	const entries = values.filter(Array.isArray).flat();
	if (entries.length > 0) schema.items = schemaOf(entries, reservations);
	return schema;
}

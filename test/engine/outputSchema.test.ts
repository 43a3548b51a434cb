import Ajv from 'ajv';
import { existsSync, readFileSync } from 'node:fs';

import type { NodeOperation } from '../../nodes/shared/execution/operation';
import type { OutputSchema } from '../../scripts/schemas/outputSchema';
import { presentSchemaFiles, schemaFile } from '../../scripts/schemas/schemaFiles';
import { exampleOutputs, packageOperations } from './support/exampleOutputs';

const operations = packageOperations().map((operation) => ({
	...operation,
	title: `${operation.nodeName} ${operation.name}`,
}));

/** The words of the best-known deployment; the schemas are made with those of the interface. */
const van = { apiVersion: 'v4', databaseMode: '1', identifierPrefix: 'Van', username: 'demo' };
/** That deployment does not have it: service.md 4.5. */
const INTERFACE_ONLY = 'contact/findOrCreate';

/** The same, but with every property that it does not name rejected; one that names none takes any. */
function closed(schema: OutputSchema): object {
	const { properties = {}, items } = schema;
	const entries = Object.entries(properties).map(([name, property]) => [name, closed(property)]);
	return {
		...schema,
		...(items && { items: closed(items) }),
		...(entries.length > 0 && {
			properties: Object.fromEntries(entries) as object,
			additionalProperties: false,
		}),
	};
}

/** Whether an operation says that it makes a call, e.g. `GET /codes/7`. */
function isDeclared(calls: NodeOperation['calls'], call: string): boolean {
	if ('anyPath' in calls) return call.startsWith(`${calls.anyPath} `);
	return calls.some(({ method, path }) => {
		const segments = path
			.split('/')
			.map((segment) => (segment.startsWith('{') ? '[^/]+' : segment));
		return new RegExp(`^${method} ${segments.join('/')}$`).test(call);
	});
}

test('there are operations to have schemas', () => {
	expect(operations.length).toBeGreaterThan(30);
});

test.each(operations)('$title: has a schema, as an example of what it puts out', (operation) => {
	const lacks = [
		...(operation.examples
			? []
			: [`Add an example of ${operation.title} to test/engine/support/outputExamples.ts.`]),
		...(existsSync(schemaFile(operation)) ? [] : ['Run: npm run generate']),
	];
	expect(lacks).toEqual([]);
});

test('every schema belongs to an operation', () => {
	const known = new Set(operations.map(schemaFile));
	const leftovers = presentSchemaFiles().filter((file) => !known.has(file));
	const advice = leftovers.map((file) => `${file} is left over. Run: npm run generate`);
	expect(advice).toEqual([]);
});

test.each(operations)(
	'$title: puts out what its schema says, by the calls it says it makes, in other words, too',
	async (operation) => {
		const schema = JSON.parse(readFileSync(schemaFile(operation), 'utf8')) as OutputSchema;
		const validate = new Ajv({ allErrors: true }).compile(closed(schema));
		const calls: string[] = [];
		const outputs = await exampleOutputs(
			operation,
			operation.name === INTERFACE_ONLY ? {} : van,
			(method, path) => calls.push(`${method} ${path}`),
		);
		expect(calls.filter((call) => !isDeclared(operation.calls, call))).toEqual([]);
		// The records of any resource have no properties in common.
		expect(outputs.length > 0).toBe(Object.keys(schema.properties ?? {}).length > 0);
		for (const output of outputs) {
			// Named by the deployment, and so in no schema.
			delete output.vanId;
			delete output.nativeId;
			validate(output);
			expect({ output, errors: validate.errors ?? [] }).toEqual({ output, errors: [] });
		}
	},
);

import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { format, resolveConfig } from 'prettier';

import {
	exampleOutputs,
	packageOperations,
	type PackageOperation,
} from '../../test/engine/support/exampleOutputs';
import { packageNodes } from '../../test/engine/support/packageNodes';
import { schemaOf } from './outputSchema';

const FOLDER = '__schema__';

/**
 * Outcomes and columns are named by the user's mapping types and files. `nativeId` is the deployment's
 * word, `vanId` in another: where it is put out, `personId` says the same everywhere.
 */
const RESERVATIONS = { open: ['outcomes', 'columns'], leftOut: ['nativeId'] };

/** Where n8n looks for the schema of an operation: by the version of the node, resource and operation. */
export function schemaFile({ node, folder, name }: PackageOperation): string {
	const version = Math.max(...[node.description.version].flat());
	// As the editor does it: 1 → 1.0.0, 1.1 → 1.1.0.
	const padded = [...String(version).split('.'), '0', '0'].slice(0, 3).join('.');
	return join(folder, FOLDER, `v${padded}`, `${name}.json`);
}

/** The schema files that there are, whether they belong to an operation or not. */
export function presentSchemaFiles(): string[] {
	return [...packageNodes().values()]
		.map(({ folder }) => join(folder, FOLDER))
		.filter((folder) => existsSync(folder))
		.flatMap((folder) =>
			readdirSync(folder, { recursive: true, withFileTypes: true })
				.filter((entry) => entry.isFile())
				.map((entry) => join(entry.parentPath, entry.name)),
		);
}

/**
 * For every operation, the schema by which the editor shows the fields of its output before it has run.
 *
 * @returns the files by their absolute path
 * @throws Error when an operation has no example
 */
export async function schemas(): Promise<Map<string, string>> {
	const files = new Map<string, string>();
	for (const operation of packageOperations()) {
		const { name, node, examples } = operation;
		if (!examples) {
			throw new Error(
				`${node.description.displayName} has no example of ${name}: add one to test/engine/support/outputExamples.ts.`,
			);
		}
		const filepath = schemaFile(operation);
		const options = { ...(await resolveConfig(filepath)), filepath };
		const own = schemaOf(await exampleOutputs(operation), RESERVATIONS);
		const schema = { type: 'object', properties: {}, ...own, version: 1 };
		files.set(filepath, await format(JSON.stringify(schema), options));
	}
	return files;
}

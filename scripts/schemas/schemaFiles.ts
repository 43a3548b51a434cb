import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { exampleOutputs, type PackageOperation } from '../../test/engine/support/exampleOutputs';
import { packageNodes } from '../../test/engine/support/packageNodes';
import { schemaOf, type OutputSchema } from './outputSchema';

const FOLDER = '__schema__';

/**
 * Outcomes and columns are named by the user's mapping types and files. `nativeId` is the deployment's
 * word, `vanId` in another: where it is put out, `personId` says the same everywhere.
 */
const RESERVATIONS = { open: ['outcomes', 'columns'], leftOut: ['nativeId'] };

/** Where n8n looks for the schema of an operation: by the version of the node, resource and operation. */
export function schemaFile({ node, folder, name }: PackageOperation): string {
	const version = Math.max(...[node.description.version].flat());
	// The editor pads versions: 1 → 1.0.0, 1.1 → 1.1.0.
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

/** The content of the schema file of an operation, made of what its examples put out. */
export async function makeSchema(
	operation: PackageOperation,
): Promise<OutputSchema & { version: number }> {
	const outputs = await exampleOutputs(operation);
	return { type: 'object', properties: {}, ...schemaOf(outputs, RESERVATIONS), version: 1 };
}

import { format, resolveConfig } from 'prettier';

import { packageOperations } from '../../test/engine/support/exampleOutputs';
import { makeSchema, schemaFile } from './schemaFiles';

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
		files.set(filepath, await format(JSON.stringify(await makeSchema(operation)), options));
	}
	return files;
}

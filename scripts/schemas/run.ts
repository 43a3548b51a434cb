/**
 * `npm run schemas` writes, for every operation, the schema by which the editor shows the fields of its
 * output before it has run. `npm run schemas -- --check` fails if that would change a file.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';

import { packageOperations } from '../../test/engine/support/exampleOutputs';
import { makeSchema, presentSchemaFiles, schemaFile } from './schemaFiles';

const root = resolve(__dirname, '../..');

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
	const operations = packageOperations();
	const files = new Map<string, string>();
	for (const operation of operations) {
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

	const outdated = [...files].filter(
		([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text,
	);
	const leftovers = presentSchemaFiles().filter((file) => !files.has(file));
	const changes = [...outdated.map(([file]) => file), ...leftovers].map((file) =>
		relative(root, file),
	);
	if (values.check && changes.length > 0) {
		throw new Error(`Run "npm run schemas" to bring these up to date:\n${changes.join('\n')}`);
	}
	for (const [file, text] of outdated) {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	}
	for (const file of leftovers) rmSync(file);
	console.log(`${files.size} schemas, ${changes.length} changed`);
}

void main().then(
	// n8n's services keep timers of their own.
	() => process.exit(0),
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exit(1);
	},
);

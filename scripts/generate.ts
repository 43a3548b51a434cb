/**
 * `npm run generate`: writes what follows from the code: the output schemas of the nodes, the references of
 * nodes and credential, the tables in other pages, the address of the repository everywhere. Then it checks the
 * links and citations of all pages, and the labels that they quote.
 *
 *   npm run generate               writes what has changed
 *   npm run generate -- --check    writes nothing; fails if something would change
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { root } from './dependencies.mjs';
import { pageProblems, pages } from './docs/pages';
import { presentSchemaFiles } from './schemas/schemaFiles';
import { schemas } from './schemas/schemas';

async function main(): Promise<number> {
	const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
	const schemaTexts = await schemas();
	const pageTexts = await pages();
	const files = new Map(schemaTexts);
	for (const [path, text] of pageTexts) files.set(join(root, path), text);

	const changed = [...files].filter(
		([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text,
	);
	const leftovers = presentSchemaFiles().filter((file) => !schemaTexts.has(file));
	const changes = [...changed.map(([file]) => file), ...leftovers].map((file) =>
		relative(root, file),
	);
	const problems = await pageProblems(pageTexts);
	if (values.check) {
		problems.push(...changes.map((path) => `${path} is out of date. Run: npm run generate`));
	} else {
		for (const [file, text] of changed) {
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, text);
		}
		for (const file of leftovers) rmSync(file);
		for (const path of changes) console.log(`written: ${path}`);
	}
	for (const problem of problems) console.error(problem);
	console.log(`${files.size} files, ${changes.length} changed, ${problems.length} problems`);
	return problems.length === 0 ? 0 : 1;
}

void main().then(
	// n8n's services keep timers of their own.
	(code) => process.exit(code),
	(error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		process.exit(1);
	},
);

/** Checks the structure of the repository: the import graph, and the rules of `sourceRules.ts`. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { ENDPOINT_TABLE, findViolations, pathSegments } from './sourceRules';

const root = resolve(__dirname, '../..');

const files = ['nodes', 'credentials']
	.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
			(file) => `${folder}/${file.replaceAll('\\', '/')}`,
		),
	)
	.filter((path) => path.endsWith('.ts'))
	.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

const table = files.find(({ path }) => path === ENDPOINT_TABLE);
if (!table || pathSegments(table).size === 0) {
	throw new Error(`${ENDPOINT_TABLE} spells no path: the rule about paths would check nothing.`);
}

const violations = findViolations(files);
for (const { rule, path, line, found } of violations) {
	console.error(`${path}:${line} ${rule}: ${found}`);
}
console.log(`${files.length} sources read, ${violations.length} violations`);

const folders = ['nodes', 'credentials', 'sandbox', 'test', 'e2e', 'bench', 'hosts', 'scripts'];
const { status } = spawnSync(
	process.execPath,
	[
		join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
		'--config',
		'.dependency-cruiser.cjs',
		...folders.filter((folder) => existsSync(join(root, folder))),
	],
	{ cwd: root, stdio: 'inherit' },
);

process.exitCode = violations.length === 0 && status === 0 ? 0 : 1;

import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

import ts from 'typescript';

const root = join(__dirname, '../..');
const FOLDERS = ['bench', 'credentials', 'e2e', 'hosts', 'nodes', 'sandbox', 'scripts', 'test'];
/** Parts of n8n, which the tests take from the n8n they run in. */
const OF_N8N = ['@n8n/di', 'reflect-metadata'];

/** The packages that a file imports. */
function packagesOf(text: string): string[] {
	return ts.preProcessFile(text).importedFiles.flatMap(({ fileName }) => {
		const [first = '', second = ''] = fileName.split('/');
		if (first.startsWith('.') || isBuiltin(fileName)) return [];
		return first.startsWith('@') ? `${first}/${second}` : first;
	});
}

test('package.json names every package that a file imports', () => {
	const { devDependencies, peerDependencies } = JSON.parse(
		readFileSync(join(root, 'package.json'), 'utf8'),
	) as Record<string, object>;
	const known = [...Object.keys({ ...devDependencies, ...peerDependencies }), ...OF_N8N];
	const imported = FOLDERS.flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
			.filter((file) => /\.(ts|mjs)$/.test(file) && !file.includes('node_modules'))
			.flatMap((file) => packagesOf(readFileSync(join(root, folder, file), 'utf8'))),
	);
	expect(new Set(imported).size).toBeGreaterThan(10);
	expect([...new Set(imported)].filter((name) => !known.includes(name))).toEqual([]);
});

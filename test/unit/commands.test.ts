import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const read = (file: string) => readFileSync(join(__dirname, '../..', file), 'utf8');

test('CONTRIBUTING.md says of every command what it does', () => {
	const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
	const [, table = ''] = read('CONTRIBUTING.md').split('## Set up');
	const rows = [...table.matchAll(/^\| `npm (?:run )?(\w+)` +\| \S/gm)].map(([, name]) => name);
	expect(rows.sort()).toEqual(Object.keys(scripts).sort());
});

/**
 * `npm run e2e`: the tests of this folder against the real n8n, with their number in the last line.
 * `npm run e2e:queue`: those of its folder `queue`.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

const folder = join(__dirname, process.argv[2] ?? '.');
const files = readdirSync(folder)
	.filter((name) => name.endsWith('.e2e.ts'))
	.map((name) => join(folder, name));

let passed = 0;
let failed = 0;
const tests = run({ files, concurrency: 1 });
tests.on('test:pass', () => passed++);
tests.on('test:fail', () => failed++);
const report = tests.compose(new spec());
report.on('end', () => {
	process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
	process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
});
report.pipe(process.stdout, { end: false });

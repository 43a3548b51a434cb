import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const workflow = readFileSync(join(__dirname, '../../.github/workflows/publish.yml'), 'utf8');
/** The text of each job by its name. */
const jobs = Object.fromEntries(
	[...workflow.matchAll(/^ {2}(\w+):\n((?: {4}.*\n|\n)+)/gm)]
		.filter(({ 2: text = '' }) => text.includes('runs-on:'))
		.map(({ 1: name = '', 2: text = '' }): [string, string] => [name, text]),
);

test('only the job that publishes may sign, and it runs no code of the repository', () => {
	expect(Object.keys(jobs)).toEqual(['check', 'publish']);
	expect(workflow.match(/id-token: write/g)).toHaveLength(1);
	expect(jobs.publish).toContain('id-token: write');
	expect(jobs.publish).toContain('needs: check');
	expect(jobs.publish).toMatch(/^ {4}environment: npm$/m);
	expect(jobs.publish).not.toMatch(/checkout|npm (ci|install|run)|\.ci\/run/);
	expect(jobs.publish).toContain('npm publish ./*.tgz --ignore-scripts');
	expect(jobs.check).toContain('.ci/run quick');
});

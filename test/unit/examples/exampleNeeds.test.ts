import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { needsOf, ownNeeds } from '../../../hosts/exampleNeeds';
import { readWorkflowFile } from '../../../hosts/n8nClient';

const folder = join(__dirname, '../../../examples');
const readme = readFileSync(join(folder, 'README.md'), 'utf8');
const examples = readdirSync(folder)
	.filter((name) => name.endsWith('.json'))
	.map((file) => ({ file, workflow: readWorkflowFile(join(folder, file)) }));

describe.each(examples)('example $file', ({ file, workflow }) => {
	const own = ownNeeds(workflow);

	it('names every credential that is not the one of this package', () => {
		const credentials = workflow.nodes.flatMap((node) => Object.keys(node.credentials ?? {}));
		const foreign = new Set(credentials.filter((type) => type !== 'nativeApi'));
		expect(own.length).toBeGreaterThanOrEqual(foreign.size);
	});

	it('says in the list what it needs, and only then', () => {
		const row = readme.split('\n').find((line) => line.includes(`\`${file}\``)) ?? '';
		expect(/; needs /.test(row)).toBe(own.length > 0);
	});

	it('does not say in its note that a click runs it if it needs more', () => {
		const note = workflow.nodes.find(({ name }) => name === 'About This');
		const promises = /\*\*Try it:\*\* click _Execute/.test(String(note?.parameters.content));
		expect(promises && own.length > 0).toBe(false);
	});
});

it('says how an example is started', () => {
	const needs = Object.fromEntries(
		examples.map(({ file, workflow }) => [file, needsOf(workflow)] as const),
	);
	expect(needs).toMatchObject({
		'import-items.json': 'execute it',
		'import-changes.json': 'execute it',
		'event-to-code.json': 'publish it, then call its address',
		'import-sftp.json':
			'needs an SFTP server, from which the sandbox cannot download; then execute it',
		'ai-agent-people.json': 'needs a credential for a chat model; then execute it',
	});
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'llms.txt'), 'utf8');
const [rules = '', ...nodes] = page.split(/^(?=## n8n-nodes-native)/m);
const reference = nodes.join('');
const importItems = /^### job\.createFromItems[^]*?(?=^###)/m.exec(reference)?.[0] ?? '';

/** What the rules name besides parameters: fields of workflows, outputs and errors. */
const OTHERS = ['notSent', 'primaryKey', 'outcomeUnknown', 'continueErrorOutput'];

/** Rules about Import Items name its own parameters. */
const named = rules.split('\n').flatMap((rule) =>
	[...rule.matchAll(/`([a-z]\w*(?:\.\w+)?)`/g)]
		.flatMap(([, name = '']) => name)
		.filter((name) => /[A-Z.]/.test(name) && !OTHERS.includes(name) && !name.startsWith('error.'))
		.map((name): [string, string] => [
			name,
			rule.includes('Import Items') ? importItems : reference,
		]),
);

test('the rules for language models name parameters', () => {
	expect(named.length).toBeGreaterThan(3);
});

test.each(named)('%s of the rules is a parameter', (name, of) => {
	const [group = '', option] = name.split('.');
	const lines = of.split('\n').filter((line) => line.startsWith(`- ${group}`));
	expect(lines.length).toBeGreaterThan(0);
	if (option !== undefined)
		expect(lines.some((line) => new RegExp(`[ {]${option}\\b`).test(line))).toBe(true);
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import { readWorkflowFile } from '../../../hosts/n8nClient';

const folder = join(__dirname, '..', '..', '..', 'examples');
const { nodes } = readWorkflowFile(join(folder, 'import-form.json'));
const steps = nodes.filter(({ type }) => !type.endsWith('.stickyNote'));
const isPage = ({ type, parameters }: (typeof nodes)[number]) =>
	type === 'n8n-nodes-base.form' || (type.endsWith('.wait') && parameters.resume === 'form');

const SECRET = 'a value of the list';

/** A text of the workflow after an import that failed. */
const evaluate = (text: unknown, resumeFormUrl: string) =>
	String(
		runInNewContext(
			String(text)
				.slice(1)
				.replace(/^\{\{|\}\}$/g, ''),
			{
				$json: { error: { message: SECRET, description: SECRET } },
				$execution: { resumeFormUrl },
			},
		),
	);

test('the import form has five steps and asks before anything is sent', () => {
	expect(steps).toHaveLength(5);
	const { parameters } = nodes.find(({ name }) => name === 'Import') ?? {};
	expect(parameters).toMatchObject({
		whatShouldHappen: 'ask',
		resultOptions: {
			page: { shown: { progressPage: expect.stringContaining('secret') as string } },
		},
	});
});

test('the only page behind the form is that of an error, without a word of it where n8n does not sign', () => {
	const pages = nodes.filter(isPage);
	expect(pages.map(({ name }) => name)).toEqual(['Import Failed']);
	const { completionMessage } = pages[0]?.parameters ?? {};
	const link = 'https://n8n.example.org/form-waiting/7';
	expect(evaluate(completionMessage, link)).toBe('The reason is in the output of "Import".');
	expect(evaluate(completionMessage, `${link}?signature=1`)).toContain(SECRET);
});

test('no other example has a page behind its form', () => {
	const others = readdirSync(folder).filter(
		(name) => name.endsWith('.json') && name !== 'import-form.json',
	);
	expect(others.length).toBeGreaterThan(10);
	const pages = others.flatMap((name) => readWorkflowFile(join(folder, name)).nodes.filter(isPage));
	expect(pages).toEqual([]);
});

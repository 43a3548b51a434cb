import { join } from 'node:path';

import { readWorkflowFile } from '../../../hosts/n8nClient';

const { nodes, connections } = readWorkflowFile(
	join(__dirname, '../../../examples/assistant-import.json'),
);
const named = (name: string) => {
	const found = nodes.find((node) => node.name === name);
	if (!found) throw new Error(`There is no node ${name}.`);
	return found;
};
const textOf = (name: string) => JSON.stringify(named(name).parameters);

/** The nodes that a node leads to over connections of any kind. */
function reachedFrom(start: string): string[] {
	const reached = new Set([start]);
	for (const name of reached)
		for (const outputs of Object.values(connections[name] ?? {}))
			for (const { node } of outputs.flatMap((targets) => targets ?? [])) reached.add(node);
	return [...reached];
}

/** What the agent reads: its own parameters and those of its model and tools. */
const ofAgent = Object.entries(connections)
	.filter(([, byType]) => JSON.stringify(byType).includes('"AI Agent"'))
	.map(([name]) => name)
	.concat('AI Agent', 'Chat');

test('the agent has two tools, and fills in the name of an import alone', () => {
	const tools = Object.entries(connections).filter(([, byType]) => 'ai_tool' in byType);
	expect(tools.map(([name]) => name)).toEqual(['Propose Import', 'Imports So Far']);
	const filled = nodes.flatMap(({ parameters }) =>
		[...JSON.stringify(parameters).matchAll(/\$fromAI\('(\w+)'/g)].map(([, key]) => key),
	);
	expect(filled).toEqual(['Name_of_Import']);
	expect(named('Imports So Far').parameters).toMatchObject({
		operation: 'getAll',
		output: 'selectedFields',
	});
});

test('no node of the agent knows the secret or the link', () => {
	for (const name of ofAgent) {
		expect(textOf(name)).not.toMatch(/secret|resume|\$execution/i);
		expect(reachedFrom(name)).not.toContain('Secret');
	}
	const knowing = nodes
		.filter(({ type }) => !type.endsWith('.stickyNote'))
		.filter(({ parameters }) => JSON.stringify(parameters).includes("$('Secret')"));
	expect(knowing.map(({ name }) => name)).toEqual(['Mail Link', 'Import']);
});

test('what the tool returns does not come from the execution that asks', () => {
	expect(reachedFrom('Secret').sort()).toEqual(['Import', 'Mail Link', 'Secret']);
	expect(named('Start to Ask').parameters).toMatchObject({
		options: { waitForSubWorkflow: false },
	});
	expect(reachedFrom('Survey')).toEqual([
		...['Survey', 'Would It Stop?', 'Say What Stops It', 'Start to Ask', 'Answer'],
	]);
	expect(named('Survey').parameters.whatShouldHappen).toBe('show');
	expect(named('Import').parameters.whatShouldHappen).toBe('ask');
});

test('neither the agent nor the chat says who gets the mail, and what the mail says', () => {
	expect(textOf('Mail Link')).not.toMatch(/Import Workflow|\$json|\.name/);
	const { assignments } = named('Settings').parameters as {
		assignments: { assignments: Array<{ name: string; value: string }> };
	};
	for (const { value } of assignments.assignments) expect(value).not.toMatch(/^=/);
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { readWorkflowFile, type WorkflowFile } from '../../../hosts/n8nClient';
import { workflowProblems } from '../../../scripts/workflowProblems';
import { packageNodes } from '../../engine/support/packageNodes';

const descriptions = new Map(
	[...packageNodes().values()].map(({ node: { description } }) => [
		`n8n-nodes-native.${description.name}`,
		description,
	]),
);
const examples = join(__dirname, '../../../examples');
const files = readdirSync(examples).filter((name) => name.endsWith('.json'));

test.each(files)('%s is a valid workflow', (name) => {
	expect(workflowProblems(readWorkflowFile(join(examples, name)), descriptions)).toEqual([]);
});

describe('a workflow is not valid', () => {
	const example = readWorkflowFile(join(examples, 'import-large-file.json'));
	const parametersOf = ({ nodes }: WorkflowFile, name: string) => {
		const node = nodes.find((candidate) => candidate.name === name);
		if (!node) throw new Error(`There is no node ${name}.`);
		return node.parameters;
	};

	test.each<[string, (workflow: WorkflowFile) => void, string]>([
		[
			'with a parameter that does not exist',
			(workflow) => Object.assign(parametersOf(workflow, 'Import Items'), { file: 'x' }),
			'Import Items: file is no parameter.',
		],
		[
			'with an option that does not exist',
			(workflow) =>
				Object.assign(parametersOf(workflow, 'Import Items'), {
					safetyOptions: { emailReport: 1 },
				}),
			'Import Items: safetyOptions.emailReport is no parameter.',
		],
		[
			'with another operation',
			(workflow) => Object.assign(parametersOf(workflow, 'Import Items'), { operation: 'import' }),
			'Import Items: operation: ["import"] is none of createFromItems, create, get, getAll, getItemOutcomes, getResults, takeBack, wait.',
		],
		[
			'without what is required',
			(workflow) => Object.assign(parametersOf(workflow, 'Import Items'), { uploadUrl: '' }),
			'Import Items: Parameter "Upload URL" is required.',
		],
		[
			'with a connection to nowhere',
			({ connections }) => Object.assign(connections, { 'Read File': { main: [[{ node: 'X' }]] } }),
			'Read File leads to "X", which is no node.',
		],
		[
			'with an output that its node lacks',
			({ connections }) =>
				Object.assign(connections, { 'Import Items': { main: [[], [{ node: 'Save Report' }]] } }),
			'Import Items has no output 2.',
		],
	])('%s', (_, change, problem) => {
		const workflow = structuredClone(example);
		change(workflow);
		expect(workflowProblems(workflow, descriptions)).toContain(problem);
	});
});

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
/** Made by a language model that had read docs/llms.txt and was told the sentence which is their name. */
const built = join(__dirname, 'built');

const filesIn = (folder: string): Array<[string, WorkflowFile]> =>
	readdirSync(folder)
		.filter((name) => name.endsWith('.json'))
		.map((name) => [name, readWorkflowFile(join(folder, name))]);

test.each([...filesIn(examples), ...filesIn(built)])('%s is a valid workflow', (_, workflow) => {
	expect(workflowProblems(workflow, descriptions)).toEqual([]);
});

describe('a workflow is not valid', () => {
	const nightly = readWorkflowFile(join(built, 'nightly-csv.json'));
	const parametersOf = ({ nodes }: WorkflowFile, name: string) => {
		const node = nodes.find((candidate) => candidate.name === name);
		if (!node) throw new Error(`There is no node ${name}.`);
		return node.parameters;
	};

	test.each<[string, (workflow: WorkflowFile) => void, string]>([
		[
			'with a parameter that does not exist',
			(workflow) => Object.assign(parametersOf(workflow, 'Import Rows'), { file: 'x' }),
			'Import Rows: file is no parameter.',
		],
		[
			'with an option that does not exist',
			(workflow) =>
				Object.assign(parametersOf(workflow, 'Import Rows'), { options: { emailReport: true } }),
			'Import Rows: options.emailReport is no parameter.',
		],
		[
			'with another operation',
			(workflow) => Object.assign(parametersOf(workflow, 'Import Rows'), { operation: 'import' }),
			'Import Rows: operation: ["import"] is none of createFromItems, create, get, getAll, getItemOutcomes, getResults, wait.',
		],
		[
			'without what is required',
			(workflow) => Object.assign(parametersOf(workflow, 'Import Rows'), { hosting: 'put' }),
			'Import Rows: Parameter "Upload URL" is required.',
		],
		[
			'with a connection to nowhere',
			({ connections }) => Object.assign(connections, { 'Read CSV': { main: [[{ node: 'X' }]] } }),
			'Read CSV leads to "X", which is no node.',
		],
		[
			'with an output that its node lacks',
			({ connections }) =>
				Object.assign(connections, { 'Import Rows': { main: [[], [{ node: 'Any Rejected?' }]] } }),
			'Import Rows has no output 2.',
		],
	])('%s', (_, change, problem) => {
		const workflow = structuredClone(nightly);
		change(workflow);
		expect(workflowProblems(workflow, descriptions)).toContain(problem);
	});
});

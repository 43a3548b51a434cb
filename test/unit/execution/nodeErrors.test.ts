import { type INode, NodeOperationError } from 'n8n-workflow';

import { errorItem, toNodeError } from '../../../nodes/shared/execution/nodeErrors';
import { InvalidInput } from '../../../nodes/shared/service/invalidInput';
import { ServiceError } from '../../../nodes/shared/service/serviceErrors';
import { CallCancelled } from '../../../nodes/shared/transport/cancellation';

const node: INode = {
	id: '1',
	name: 'Import',
	type: 'n8n-nodes-native.nativeBulkImport',
	typeVersion: 1,
	position: [0, 0],
	parameters: { sourceUrl: 'sftp://me:secret@files.example.org/a.zip' },
};

const rejected = new ServiceError({
	message: 'The service rejected POST /codes: name: too long',
	description: 'Correct the named values and run it again.',
	httpCode: 400,
	replayable: false,
	outcomeUnknown: false,
	request: { method: 'POST', path: '/codes', body: { name: 'x' } },
	serviceErrors: [],
});
const invalid = new InvalidInput([{ field: 'Columns', text: 'must have at least one entry.' }]);

/** Everything that n8n might store or show of an error. */
function shown(error: Error): string {
	const seen = new Set<unknown>();
	const collect = (value: unknown): unknown => {
		if (value === null || typeof value !== 'object' || seen.has(value)) return value;
		seen.add(value);
		return Object.fromEntries(
			Object.getOwnPropertyNames(value)
				.filter((name) => name !== 'stack')
				.map((name) => [name, collect((value as Record<string, unknown>)[name])]),
		);
	};
	return `${JSON.stringify(error)} ${JSON.stringify(collect(error))}`;
}

test.each(['ECONNREFUSED', 'ENOTFOUND', 'preexisting', 'getaddrinfo'])(
	'an error of the service keeps a message that holds %s',
	(word) => {
		const message = `The service rejected POST /codes: name: ${word} is taken`;
		const { details } = new ServiceError({ ...rejected.details, message });
		expect(toNodeError(node, new ServiceError(details), 0)).toMatchObject({
			message,
			description: details.description,
		});
		expect(toNodeError(node, new Error(message), 0)).toMatchObject({ message });
	},
);

describe('input that cannot be sent', () => {
	test.each([
		['File in "data"', 'is empty.', 'Nothing was sent. Correct it and run it again.'],
		['Date', 'is wrong. Nothing was sent.', 'Correct it and run it again.'],
	])('says once what happened: %s', (field, text, description) => {
		const error = new InvalidInput([{ field, text }]);
		expect(toNodeError(node, error, 0)).toMatchObject({ description });
	});

	test('names the field to correct', () => {
		const error = toNodeError(node, invalid, 2);
		expect(error).toBeInstanceOf(NodeOperationError);
		expect(error).toMatchObject({
			message: 'Columns must have at least one entry.',
			description: 'Nothing was sent. Correct it and run it again.',
			context: { itemIndex: 2 },
		});
	});
});

describe('an error of a tool begins with what the model should do', () => {
	const tool: INode = { ...node, type: 'n8n-nodes-native.nativeBulkImportTool' };
	const columns = ['A', 'B', 'C', 'D'].map((field) => ({ field, text: 'is empty.' }));
	test.each<[string, unknown]>([
		['Correct Columns (ask the person', invalid],
		['Correct 4 values (ask the person', new InvalidInput(columns)],
		['Do not call this tool again with the same values. The service rejected', rejected],
		['Call this tool again in a few minutes. The', rejected.with({ replayable: true })],
		['Do not call this tool again: ask the person', rejected.with({ outcomeUnknown: true })],
		['Do not call this tool again. The execution was canceled', new CallCancelled()],
		['Tell the person about this problem. odd', new Error('odd')],
	])('%s', (beginning, thrown) => {
		const { message } = toNodeError(tool, thrown, 0);
		expect(message.slice(0, beginning.length)).toBe(beginning);
		expect(errorItem(tool, thrown, 0)).toMatchObject({ error: { message } });
	});
});

test('a cancelled execution is reported as such', () => {
	expect(toNodeError(node, new CallCancelled(), 0).message).toMatch(/cancel/);
});

test.each<[unknown, string]>([
	[new Error('odd'), 'odd'],
	['text', 'text'],
	[undefined, 'undefined'],
])('anything else thrown, such as %s, keeps its words', (thrown, message) => {
	expect(toNodeError(node, thrown, 4)).toMatchObject({ message, context: { itemIndex: 4 } });
});

test('an error of n8n stays as it is and learns its item', () => {
	const error = new NodeOperationError(node, 'as it is');
	expect(toNodeError(node, error, 5)).toBe(error);
	expect(error.context.itemIndex).toBe(5);
	expect(toNodeError(node, error, 6).context.itemIndex).toBe(5);
});

test.each<[string, unknown]>([
	['the service', rejected],
	['the input', invalid],
	[
		'an address in the input',
		new InvalidInput([{ field: 'Columns', text: 'no "sftp://me:secret@x".' }]),
	],
	['a cancelled execution', new CallCancelled()],
	['anything else', new Error('at sftp://me:secret@files.example.org/a.zip')],
])('no error of %s shows the password of an address', (_, thrown) => {
	expect(shown(toNodeError(node, thrown, 0))).not.toContain('secret');
});

describe('the data of a failed item', () => {
	test('has what a fallback needs to know', () => {
		expect(errorItem(node, rejected, 0)).toEqual({
			error: {
				message: rejected.details.message,
				description: rejected.details.description,
				httpCode: 400,
				replayable: false,
				outcomeUnknown: false,
				request: { method: 'POST', path: '/codes', body: { name: 'x' } },
				jobId: null,
			},
		});
	});

	test('of rejected input holds no request, because there was none', () => {
		expect(errorItem(node, invalid, 0)).toMatchObject({
			error: {
				message: 'Columns must have at least one entry.',
				httpCode: null,
				replayable: false,
				outcomeUnknown: false,
				request: null,
			},
		});
	});
});

describe('a long text that a message quotes', () => {
	const quoting = (text: string) =>
		toNodeError(node, new InvalidInput([{ field: 'Code', text: `"${text}" is not an ID.` }]), 0);

	test('is cut', () => {
		expect(quoting('😀'.repeat(1_000_000)).message).toBe(
			`Code: "${'😀'.repeat(100)}…" is not an ID.`,
		);
	});

	test('shows no password that is cut', () => {
		const error = quoting(`sftp://me:${'secret'.repeat(500)}@files.example.org/a.zip`);
		expect(shown(error)).not.toContain('secret');
	});

	test.each([
		['a name', 'a'.repeat(1000)],
		['a text between two names', `a" is none of ${'one, '.repeat(1000)} but "b`],
	])('is whole if it is %s', (_, text) => {
		expect(quoting(text).message).toBe(`Code: "${text}" is not an ID.`);
	});
});

import { unexplained } from '../../../scripts/docs/errorPage';
import { shownMessages } from '../../../scripts/docs/shownMessages';

const messagesOf = (text: string) =>
	shownMessages([{ path: 'nodes/NativeCode/code/create.operation.ts', text }]).map(
		({ text: shown, isMessage }) => [shown, isMessage],
	);

describe('the texts that users may be told', () => {
	test.each([
		[
			'a problem',
			'const p = { field: f, text: `is ${n} characters long. Shorten it.` };',
			'is … characters long. Shorten it.',
			false,
		],
		[
			'an error with advice',
			"throw new ServiceError({ message: 'The job is gone', description: d });",
			'The job is gone',
			true,
		],
		[
			'what makes an error',
			'return make(`This key must not use ${call}`, advice);',
			'This key must not use …',
			true,
		],
	])('include %s', (_, source, text, isMessage) => {
		expect(messagesOf(source)).toEqual([[text, isMessage]]);
	});

	test.each([
		["const field = { displayName: 'Name of a Code', description: 'What the code is for' };"],
		["const filter = textFilter('Name', 'name', 'Only codes with this in their name');"],
		["functions.logger.info('One more job was started');"],
		["throw new Error('Only a maintainer sees this one.');"],
		["const label = 'Is Source Code Applicable';"],
	])('do not include those of %s', (source) => {
		expect(messagesOf(source)).toEqual([]);
	});
});

test('an error that nobody has explained is found, however it is filled in', () => {
	const messages = [
		{ path: 'x', text: 'The job … is gone', isMessage: true },
		{ path: 'x', text: 'The file … is gone', isMessage: true },
		{ path: 'x', text: 'Look for it elsewhere.', isMessage: false },
	];
	expect(unexplained('| The job … is gone | … |', messages)).toEqual(['The file … is gone']);
});

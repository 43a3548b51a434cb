import { InvalidInput, problemSentence } from '../../../nodes/shared/service/invalidInput';

describe('a problem', () => {
	test.each([
		['Email', 'is not an email address.', 'Email is not an email address.'],
		[
			'Action 1 → Mapping Type 2 → Name',
			'is empty. Enter it.',
			'Action 1 → Mapping Type 2 → Name is empty. Enter it.',
		],
		['Columns', '"City" appears twice.', 'Columns: "City" appears twice.'],
		['Columns', 'There are none.', 'Columns: There are none.'],
		['Fields', '51 columns are needed.', 'Fields: 51 columns are needed.'],
	])('of %s that %s reads as one sentence', (field, text, sentence) => {
		expect(problemSentence({ field, text })).toBe(sentence);
		expect(new InvalidInput([{ field, text }]).message).toBe(sentence);
	});

	test('is in a numbered list if there are more', () => {
		const problems = new InvalidInput([
			{ field: 'Email', text: 'is not an email address.' },
			{ field: 'Columns', text: 'There are none.' },
		]);
		expect(problems.message).toBe(
			'2 things to correct. (1) Email is not an email address. (2) Columns: There are none.',
		);
	});

	test('is one of thirty that a message lists at most', () => {
		const [first, ...rest] = Array.from({ length: 100_000 }, (_, index) => ({
			field: `Column ${index + 1}`,
			text: 'is empty.',
		}));
		const { message } = new InvalidInput([first ?? { field: '', text: '' }, ...rest]);
		expect(message).toMatch(/^100000 things to correct\. \(1\) Column 1 is empty\. \(2\) /);
		expect(message).toMatch(/ \(30\) Column 30 is empty\. And 99970 more\.$/);
	});
});

import {
	importJobRecordSchema,
	jobCreatedSchema,
	jobErrorTexts,
	type JobState,
	jobState,
} from '../../../nodes/shared/service/importJobRecord';

// Spellings found in documentation and deployments.
test.each<[string | null | undefined, JobState]>([
	['Pending', 'running'],
	['InProgress', 'running'],
	['InProgressWithErrors', 'running'],
	['Completed', 'completed'],
	['CompletedWithErrors', 'completedWithErrors'],
	['completed_with_errors', 'completedWithErrors'],
	['Failed', 'failed'],
	['Failure', 'failed'],
	['Error', 'failed'],
	['Queued', 'running'],
	['', 'running'],
	[null, 'running'],
	[undefined, 'running'],
])('status %j means %s', (status, state) => {
	expect(jobState(status)).toBe(state);
});

describe('a job that was created', () => {
	test.each([
		[{ jobId: 7 }, 7],
		[{ jobId: '7', extra: true }, 7],
	])('is known from %j', (response, jobId) => {
		expect(jobCreatedSchema.parse(response).jobId).toBe(jobId);
	});

	test.each([{}, { jobId: null }, { jobId: 'seven' }, { jobId: 1.5 }, { id: 7 }, [], null, 7])(
		'is not known from %j',
		(response) => {
			expect(jobCreatedSchema.safeParse(response).success).toBe(false);
		},
	);
});

test.each([
	{},
	{ id: 7, status: 'Pending' },
	{ id: '7', status: null, errors: null, resultFiles: null, webhookUrl: null },
	{ status: 'Completed', resultFiles: [{ url: 'https://x', dateExpired: null }], more: 1 },
	{ status: 'Completed', resultFiles: [{ url: 'https://x', dateExpired: 1764000000 }] },
	{ status: 'Failed', errors: 'The file could not be read' },
])('the record %j is read', (record) => {
	expect(importJobRecordSchema.safeParse(record).success).toBe(true);
});

test('the errors of a job keep the words of the service', () => {
	const record = importJobRecordSchema.parse({
		errors: [
			{ code: 'INVALID_FILE', text: 'The file is not a zip archive', referenceCode: null },
			{ code: 'INVALID_FILE' },
			{ code: 17 },
			{ reason: 'odd' },
			'plain',
		],
	});
	expect(jobErrorTexts(record)).toEqual([
		'The file is not a zip archive',
		'INVALID_FILE',
		'17',
		'{"reason":"odd"}',
		'plain',
	]);
	const alone = importJobRecordSchema.parse({ errors: { text: 'The file is empty' } });
	expect(jobErrorTexts(alone)).toEqual(['The file is empty']);
	expect(jobErrorTexts({})).toEqual([]);
});

import type { INodeProperties, IPollFunctions } from 'n8n-workflow';

import { RunParameters } from '../shared/parameters/itemParameters';
import { optionsCollection } from '../shared/operations/describe';
import { throwIfAny } from '../shared/service/invalidInput';
import { WHOLE_ID, wholeId } from '../shared/service/bodySchema';
import type { OutputOptions } from './jobItems';
import { type JobEventName, jobEventNames, type Watch } from './watchState';

/** More could not be read often enough, and the saved state must stay small. */
const MOST_WATCHED = 1000;

/** The events behind "Ended (Any Outcome)". */
const endEvents: JobEventName[] = ['completed', 'completedWithErrors', 'failed'];

export const watchProperties: INodeProperties[] = [
	{
		displayName: 'Watch',
		name: 'watch',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'All Jobs',
				value: 'all',
				description: 'Every job of the key, on deployments that offer a list of jobs',
			},
			{ name: 'Specific Jobs', value: 'specific', description: 'The jobs whose IDs you enter' },
		],
		default: 'all',
		description:
			'Which import jobs to watch. Jobs that ended before the workflow was activated are reported for specific jobs only.',
	},
	{
		displayName: 'Job IDs',
		name: 'jobIds',
		type: 'string',
		displayOptions: { show: { watch: ['specific'] } },
		default: '',
		required: true,
		placeholder: 'e.g. 90210, 90211',
		description:
			'IDs that the service returned when the jobs were created, separated by commas. An expression may return a list.',
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		options: [
			{
				name: 'Completed',
				value: 'completed',
				action: 'On import job completed',
				description: 'The job ended without errors',
			},
			{
				name: 'Completed With Errors',
				value: 'completedWithErrors',
				action: 'On import job completed with errors',
				description: 'The job ended, but some rows have errors',
			},
			{
				name: 'Ended (Any Outcome)',
				value: 'ended',
				action: 'On import job ended (any outcome)',
				description: 'The job completed, with or without errors, or failed. The output says which.',
			},
			{
				name: 'Failed',
				value: 'failed',
				action: 'On import job failed',
				description: 'The job ended and imported nothing',
			},
			{
				name: 'Status Changed',
				value: 'statusChanged',
				action: 'On import job status changed',
				description:
					'Any other change of status, including an end that is not chosen here. The first status that is read counts as a change.',
			},
			{
				name: 'Unreadable or Unknown',
				value: 'unreadable',
				action: 'On import job unreadable or unknown',
				description:
					'The service has not returned the job for 10 minutes, or has returned the same unknown status for 6 hours. The node keeps watching the job.',
			},
		],
		default: ['ended', 'unreadable'],
		required: true,
		description: 'Which events start the workflow. Each is reported once per job.',
	},
	optionsCollection([
		{
			displayName: 'Included Columns',
			name: 'includedColumns',
			type: 'string',
			default: '',
			placeholder: 'e.g. CrmId',
			description:
				'Your own columns in the result files, separated by commas. Any other column counts as an outcome: a row succeeds only if every outcome column reports success.',
		},
		{
			displayName: 'Results',
			name: 'results',
			type: 'options',
			options: [
				{
					name: 'As Files',
					value: 'binary',
					description: 'One item per result file, with the file and the job',
				},
				{
					name: 'As Rows',
					value: 'rows',
					description:
						'One item per row, with the outcome of each mapping type, and the job under "job"',
				},
				{ name: 'None', value: 'none', description: 'One item per job, without results' },
			],
			default: 'none',
			description:
				'What to return from the result files of jobs that have ended. A job without result files returns one item.',
		},
	]),
];

/** A list from an expression, or a text with commas: of one that is too long, enough to say so. */
function listEntries(entered: unknown): string[] {
	const parts = Array.isArray(entered)
		? entered.map(String)
		: String(entered ?? '').split(/[,;\s]+/, MOST_WATCHED + 2);
	return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** What is wrong with the entered IDs, to continue the field's name. */
function jobIdProblems(entries: string[]): string[] {
	if (entries.length === 0)
		return ['must not be empty. Enter the numbers of the jobs, separated by commas.'];
	if (entries.length > MOST_WATCHED)
		return [
			`There are more than ${MOST_WATCHED} jobs; one trigger watches at most ${MOST_WATCHED}. Leave out jobs that have ended.`,
		];
	return [...new Set(entries)]
		.filter((entry) => wholeId(entry) === undefined)
		.slice(0, 5)
		.map((entry) => `"${entry.slice(0, 40)}" is not a job ID. It must be ${WHOLE_ID}.`);
}

/** What to watch and what to return of it. Throws InvalidInput. */
export function watchInput(functions: IPollFunctions): { watch: Watch; output: OutputOptions } {
	const { parameters: entered, credentials } = functions.getNode();
	const evaluate = (name: string): unknown => functions.getNodeParameter(name, null);
	// A poll has no items.
	const parameters = new RunParameters(watchProperties, entered, evaluate).ofItem(0);
	const watchesAll = parameters.choice('watch', ['specific', 'all']) === 'all';
	const chosen = parameters.names('events');
	const events = jobEventNames.filter(
		(name) => chosen.includes(name) || (chosen.includes('ended') && endEvents.includes(name)),
	);
	const entries = watchesAll ? [] : listEntries(parameters.value('jobIds'));
	throwIfAny([
		...(events.length > 0
			? []
			: [{ field: 'Trigger On', text: 'must not be empty. Choose at least one event.' }]),
		...(watchesAll ? [] : jobIdProblems(entries).map((text) => ({ field: 'Job IDs', text }))),
	]);
	const options = parameters.in('options');
	return {
		watch: {
			scope: `${watchesAll ? 'all' : 'specific'} ${credentials?.nativeApi?.id ?? ''}`,
			jobIds: watchesAll ? undefined : [...new Set(entries.map(Number))],
			events: new Set(events),
		},
		output: {
			results: options.choice('results', ['none', 'rows', 'binary']),
			includedColumns: options.names('includedColumns'),
		},
	};
}

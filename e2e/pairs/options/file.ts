import type { StoryOption } from './storyOption';

/** How the file of the service is written, and where the service finds it. */

const chunks = <T>(rows: readonly T[], size: number): T[][] =>
	Array.from({ length: Math.ceil(rows.length / size) }, (_, index) =>
		rows.slice(index * size, (index + 1) * size),
	);

/** An option that changes nothing that a person sees. */
const silent = (name: string, choices: [string, string], value: number | boolean): StoryOption => ({
	name,
	where: 'option',
	choices,
	value: (choice) => (choice === choices[1] ? value : undefined),
});

export const fileOptions: StoryOption[] = [
	{
		name: 'hosting',
		where: 'parameter',
		choices: ['put', 'post', 'none'],
		parameters: (choice, { addresses }) => {
			if (choice === 'none') return { hosting: 'none' };
			if (choice === 'put')
				return {
					hosting: 'put',
					uploadUrl: `${addresses.upload}/{file}?sig=1`,
					downloadUrl: `${addresses.download}/{file}`,
				};
			return {
				hosting: 'post',
				uploadUrl: addresses.upload,
				downloadUrl: `${addresses.download}/{file}`,
				formFields: { field: [{ name: 'key', value: '{file}' }] },
			};
		},
	},
	{
		name: 'lineBreaks',
		where: 'world',
		choices: ['replaced'],
		sent: (_choice, text) => text.replace(/\n/g, ' '),
	},
	{
		name: 'maxRowsPerFile',
		where: 'option',
		choices: ['0', '4'],
		value: (choice) => (choice === '4' ? 4 : undefined),
		divide: (choice, files) => (choice === '4' ? files.flatMap((rows) => chunks(rows, 4)) : files),
	},
	silent('maxZipSizeMb', ['20', '1'], 1),
	{
		name: 'resultFileSizeKbLimit',
		where: 'option',
		choices: ['100000', '5000'],
		value: (choice) => (choice === '5000' ? 5000 : undefined),
		problemsOf: (choice, _expected, { files }) =>
			files
				.flatMap(({ job }) => job.actions as Array<Record<string, unknown>>)
				.filter(({ resultFileSizeKbLimit }) => resultFileSizeKbLimit !== Number(choice))
				.map(() => `a job does not limit its result files to ${choice} KB`),
	},
	silent('timeout', ['60', '30'], 30),
];

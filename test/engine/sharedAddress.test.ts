import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { itemImport, personMap, reportOf, statusesOf, totalsOf } from './support/itemImports';
import { PausedJobs } from './support/pausedJobs';
import { useSandbox } from './support/sandboxed';

/** Two people import two lists at the same time: both files are uploaded before the service reads one. */

const jobs = new PausedJobs();
const service = useSandbox({ jobTiming: jobs.jobTiming });

const node = new NativeBulkImport();
const listOf = (name: string): INodeExecutionData[] =>
	Array.from({ length: 5 }, (_, i) => ({
		json: { 'First Name': `${name}${i}`, 'Last Name': name, Mail: `${name}${i}@example.org` },
	}));
const uploads = (name: string): Record<string, INodeParameters> => ({
	put: {
		hosting: 'put',
		uploadUrl: `${service.sandbox.url}/drop/${name}?sig=1`,
		downloadUrl: `${service.sandbox.httpsUrl}/drop/${name}`,
	},
	post: {
		hosting: 'post',
		uploadUrl: `${service.sandbox.url}/drop`,
		downloadUrl: `${service.sandbox.httpsUrl}/drop/${name}`,
		formFields: { field: [{ name: 'key', value: name }] },
	},
});
const untilBothStarted = async (): Promise<void> => {
	while (service.jobs().length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
};
const runBoth = async (parameters: INodeParameters | undefined, options: INodeParameters = {}) => {
	const changes = { ...parameters, options: { pollInterval: 1, ...options } };
	jobs.hold();
	const runs = Promise.all(
		['Ada', 'Bob'].map(
			async (name) =>
				await service.run(node, itemImport(service, personMap, changes), { items: listOf(name) }),
		),
	);
	await Promise.race([runs, untilBothStarted()]);
	jobs.release();
	return await runs;
};
const storedOf = (name: string) =>
	service.people().filter(({ fields }) => fields.lastName === name).length;

describe.each(['put', 'post'])('with %s', (hosting) => {
	it('both lists are imported if {file} gives each file an address', async () => {
		for (const { outputs, hints } of await runBoth(uploads('{file}')[hosting])) {
			expect(statusesOf(outputs[0])).toEqual(Array(5).fill('imported'));
			const warnings = hints.filter(({ type }) => type === 'warning').map(({ message }) => message);
			// The second way has the lists of the first.
			expect(warnings.join()).not.toMatch(/{file}|replaced/);
		}
		expect([storedOf('Ada'), storedOf('Bob')]).toEqual([5, 5]);
	});

	it('a list whose file was replaced is never called imported', async () => {
		const runs = await runBoth(uploads('people.zip')[hosting], { rejectedRows: true });
		const stored = [storedOf('Ada'), storedOf('Bob')];
		expect([...stored].sort()).toEqual([0, 5]);
		for (const [index, { outputs, error, hints }] of runs.entries()) {
			const isImported = stored[index] === 5;
			if (isImported) expect(statusesOf(outputs[0])).toEqual(Array(5).fill('imported'));
			else {
				expect(error?.message).toMatch(/did not import this file: another upload replaced it/);
				expect(error?.description).toMatch(/^Check in the service which of its rows/);
			}
			if (isImported)
				expect(hints.map(({ message }) => message).join()).toMatch(
					/The address of the file is the same in every run \((Upload URL|Form Fields), Download URL\)/,
				);
		}
	});

	it.each(['people.zip', '=people.zip'])('a dry run warns of the address %s', async (name) => {
		const asExpression = (value: unknown) =>
			typeof value === 'string' && name.startsWith('=') ? `=${value}` : value;
		const given = Object.entries(uploads('people.zip')[hosting] ?? {}).map(([key, value]) => [
			key,
			key === 'hosting' ? value : asExpression(value),
		]);
		const [dry] = await runBoth(Object.fromEntries(given) as INodeParameters, { dryRun: true });
		const warning = expect.stringMatching(
			/^The address of the file is the same in every run/,
		) as unknown;
		expect(dry && totalsOf(dry).warnings).toEqual([warning]);
	});
});

it('the rows of a replaced file are unknown beside those of other files', async () => {
	const parameters = itemImport(service, personMap, {
		options: { pollInterval: 1, maxRowsPerFile: 3, rejectedRows: true, report: true },
	});
	jobs.hold();
	const running = service.run(node, parameters, { items: listOf('Ada') });
	const zips = () =>
		service.sandbox.requests.filter(({ method, path }) => method === 'PUT' && /^\/drop/.test(path));
	await untilBothStarted();
	// The second file replaces the first.
	const [first, second] = zips().map(({ path }) => path);
	const content = await (await fetch(`${service.sandbox.url}${second}`)).arrayBuffer();
	await fetch(`${service.sandbox.url}${first}?sig=1`, { method: 'PUT', body: content });
	jobs.release();
	const run = await running;
	const { outputs } = run;
	expect(statusesOf(outputs[0])).toEqual(['unknown', 'unknown', 'unknown', 'imported', 'imported']);
	const result = outputs[0]?.[0]?.json.importResult as IDataObject;
	expect(result.reason).toMatch(/another upload replaced it before the service downloaded it/);
	expect(outputs[0]?.some(({ binary }) => binary?.rejected)).toBe(false);
	expect(await reportOf(run)).toMatch(/another upload replaced/);
});

it.each<[string, (options: INodeParameters) => INodeParameters]>([
	['Import Items', (options) => itemImport(service, personMap, { hosting: 'none', options })],
	['File: Build', (options) => ({ resource: 'file', operation: 'build', options })],
])(
	'files that are uploaded by another node have a name of their own: %s',
	async (_, parametersOf) => {
		const parameters = parametersOf({ maxRowsPerFile: 3 });
		const names: unknown[] = [];
		for (const name of ['Ada', 'Bob']) {
			const run = await service.run(node, parameters, { items: listOf(name) });
			names.push(...(run.outputs[0]?.map(({ binary }) => binary?.data?.fileName) ?? []));
		}
		expect(new Set(names).size).toBe(4);
	},
);

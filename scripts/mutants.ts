/**
 * `npm run mutants`: puts changes into a copy of the nodes' code at random places, switches on one at a time,
 * and looks whether a test fails: first the test that noticed it before (mutants.json), then all tests that reach
 * the place, the fastest files first. Fails when fewer than 97 % of the changes are noticed. The places are the
 * same each time. A command that was ended goes on where it was, as long as no file is changed.
 *
 *   npm run mutants                              100 places anywhere, and 30 in what Import Items can do more
 *   npm run mutants -- transport/pace --count 9  so many places in files with this in their path
 *   npm run mutants -- faults                    faults that people fear, found by stories of imports
 *   npm run mutants -- faults date               one of them
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { inTemporaryFolder } from '../hosts/temporaryFolder';
import { copyRepository } from './copyRepository';
import { type Area, drawMutants, type Mutant } from './drawMutants';
import { JudgedMutants, type Reaching } from './judgedMutants';
import { judgeFaults } from './judgeFaults';
import {
	chosenFile,
	lastFile,
	reachedFile,
	type TestsByFile,
	UNCHANGED,
} from './mutantEnvironment';
import { plant } from './plant';

/** The first has places anywhere; the second those that are newest and know each other least. */
const AREAS: Area[] = [
	{ paths: ['nodes/'], count: 100 },
	{ paths: ['NativeBulkImport/importItems/features/', 'NativeBulkImport/wait/'], count: 30 },
];
const LEAST_KILLED = 0.97;
const KILLERS = join(__dirname, 'mutants.json');
/** A change may make a test endless. */
const LONGEST_MS = 300_000;

interface Report {
	testResults: Array<{
		name: string;
		status: string;
		startTime: number;
		endTime: number;
		assertionResults: Array<{ fullName: string; duration?: number | null }>;
	}>;
}

async function runJest(
	folder: string,
	args: string[],
	id = '',
	timeout?: number,
): Promise<boolean> {
	const common = ['--silent', '--env', './scripts/mutantEnvironment.ts'];
	const jest = ['node_modules/jest/bin/jest.js', ...common, ...args];
	const env = {
		...process.env,
		TMPDIR: folder,
		MUTANT_FOLDER: folder,
		MUTANT: id,
		// A place that is reached while a module loads counts for each file that imports it.
		...(id === '' && { LOAD_ANEW: 'true' }),
	};
	const child = spawn(process.execPath, jest, { cwd: folder, stdio: 'ignore', timeout, env });
	const [code] = (await once(child, 'exit')) as [number | null];
	return code === 0;
}

async function readReport(folder: string, args: string[], id?: string): Promise<Report> {
	const file = join(folder, 'report.json');
	await runJest(folder, ['--json', '--outputFile', file, ...args], id);
	if (!existsSync(file)) throw new Error('jest did not start or end: run `npm test` first.');
	const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
	for (const result of report.testResults) result.name = relative(folder, result.name);
	for (const { name, status } of report.testResults)
		if (status === 'failed') console.log(`Left out, because it fails unchanged: ${name}`);
	return report;
}

/** The tests that reach each place, the fastest files first. */
async function findTests(folder: string): Promise<Record<string, Reaching>> {
	const report = await readReport(folder, ['--ignoreProjects', 'size']);
	const places = new Map<string, Map<string, Set<string>>>();
	for (const line of readFileSync(reachedFile(folder), 'utf8').trim().split('\n')) {
		const [id, path, name] = JSON.parse(line) as [string, string, string];
		const byFile = places.get(id) ?? new Map<string, Set<string>>();
		places.set(id, byFile.set(path, (byFile.get(path) ?? new Set()).add(name)));
	}
	const reachingOf = (byFile: ReadonlyMap<string, ReadonlySet<string>>): Reaching => {
		const files = report.testResults.flatMap((file) => {
			const reached = byFile.get(file.name);
			if (!reached || file.status === 'failed') return [];
			// What is reached while a file loads counts for all of its tests.
			const names = reached.has('') ? null : [...reached];
			let ms = file.endTime - file.startTime;
			for (const { fullName, duration } of file.assertionResults)
				if (names?.includes(fullName) === false) ms -= duration ?? 0;
			return [{ name: file.name, names, ms }];
		});
		files.sort((one, other) => one.ms - other.ms);
		return {
			tests: Object.fromEntries(files.map(({ name, names }) => [name, names])),
			ms: files.reduce((sum, { ms }) => sum + ms, 0),
		};
	};
	return Object.fromEntries([...places].map(([id, byFile]) => [id, reachingOf(byFile)]));
}

function choose(folder: string, id: string, tests: TestsByFile): string[] {
	writeFileSync(chosenFile(folder, id), JSON.stringify(tests));
	return ['--runTestsByPath', ...Object.keys(tests).map((path) => join(folder, path))];
}

/** Runs tests with a change. Returns the first one that fails: its file alone if it failed outside of a test. */
async function findKiller(
	folder: string,
	id: string,
	{ tests, ms }: Reaching,
): Promise<TestsByFile | undefined> {
	if (Object.keys(tests).length === 0) return undefined;
	const sequencer = ['--testSequencer', './scripts/mutantSequencer.mjs', '--runInBand', '--bail'];
	const args = [...sequencer, ...choose(folder, id, tests)];
	if (await runJest(folder, args, id, LONGEST_MS + 3 * ms)) return undefined;
	const [path, name] = JSON.parse(readFileSync(lastFile(folder, id), 'utf8')) as [string, string];
	return { [path]: name === '' ? null : [name] };
}

type Killers = Record<string, TestsByFile>;

/** The killers that still pass without a change, all tried at once. */
async function passingKillers(
	folder: string,
	sample: readonly Mutant[],
	killers: Killers,
): Promise<Killers> {
	const known = sample.flatMap(({ id }) => {
		const isThere = Object.keys(killers[id] ?? {}).every((path) => existsSync(join(folder, path)));
		return killers[id] && isThere ? [[id, killers[id]] as const] : [];
	});
	if (known.length === 0) return {};
	const all: TestsByFile = {};
	for (const [path, names] of known.flatMap(([, tests]) => Object.entries(tests))) {
		const others = all[path];
		all[path] = names && others !== null ? [...(others ?? []), ...names] : null;
	}
	const { testResults } = await readReport(folder, choose(folder, UNCHANGED, all), UNCHANGED);
	const failed = new Set(
		testResults.flatMap(({ name, status }) => (status === 'failed' ? name : [])),
	);
	return Object.fromEntries(
		known.filter(([, tests]) => !Object.keys(tests).some((path) => failed.has(path))),
	);
}

/** In a fixed order. */
function writeKillers(ids: readonly string[], killers: Killers): void {
	const kept = ids.toSorted().flatMap((id) => (killers[id] ? [[id, killers[id]]] : []));
	writeFileSync(KILLERS, `${JSON.stringify(Object.fromEntries(kept), null, '\t')}\n`);
}

/** Does something with each of them, as many at a time as there are processors. */
async function onAllProcessors<T>(all: readonly T[], work: (one: T) => Promise<void>) {
	const left = all.values();
	const next = async (): Promise<void> => {
		for (const one of left) await work(one);
	};
	await Promise.all(Array.from({ length: availableParallelism() }, next));
}

/** @param chosen the areas that the command names; undefined for the usual ones */
async function judgeMutants(chosen: Area[] | undefined): Promise<void> {
	const stored = existsSync(KILLERS) ? readFileSync(KILLERS, 'utf8') : '{}';
	const killers = JSON.parse(stored) as Killers;
	await inTemporaryFolder(async (made) => {
		// As jest names it.
		const folder = realpathSync(made);
		copyRepository(folder);
		const sample = drawMutants(folder, chosen ?? AREAS);
		const ids = sample.map(({ id }) => id);
		const judged = new JudgedMutants(ids, KILLERS);
		const open = () => sample.filter(({ id }) => judged.isKilled(id) === undefined);
		if (open().length < sample.length)
			console.log(`${sample.length - open().length} of ${sample.length} are judged already.`);
		// The places that are kept: the usual ones alone, or all known ones while others are tried.
		const kept = chosen ? [...Object.keys(killers), ...ids] : ids;
		plant(folder, sample);

		const known = await passingKillers(folder, open(), killers);
		const tried = open().filter(({ id }) => known[id]);
		await onAllProcessors(tried, async ({ id, place }) => {
			const tests = known[id] ?? {};
			const isKilled = (await findKiller(folder, id, { tests, ms: 0 })) !== undefined;
			if (isKilled) judged.set(id, true);
			console.log(`${isKilled ? Object.keys(tests).join() : 'not as before'}: ${place}`);
		});

		const others = open();
		const reaching =
			others.length > 0 ? await judged.reaching(async () => await findTests(folder)) : {};
		await onAllProcessors(others, async ({ id, place }) => {
			const killer = await findKiller(folder, id, reaching[id] ?? { tests: {}, ms: 0 });
			// Tests that need others of their file fail without them, whatever the code.
			const isSure = killer && !(await findKiller(folder, `${id}-not`, { tests: killer, ms: 0 }));
			if (isSure) killers[id] = killer;
			else delete killers[id];
			judged.set(id, Boolean(isSure));
			writeKillers(kept, killers);
			console.log(`${isSure ? Object.keys(killer).join() : 'not by any test'}: ${place}`);
		});

		writeKillers(kept, killers);
		const alive = sample.filter(({ id }) => judged.isKilled(id) === false);
		const killed = sample.length - alive.length;
		console.log(`\n${killed} of ${sample.length} killed. Survivors:`);
		for (const { place } of alive) console.log(`  ${place}`);
		if (killed < LEAST_KILLED * sample.length) process.exitCode = 1;
	});
}

async function main(): Promise<void> {
	const { values, positionals: paths } = parseArgs({
		options: { count: { type: 'string' } },
		allowPositionals: true,
	});
	if (paths[0] === 'faults') return await judgeFaults(paths.slice(1));
	const count = Number(values.count ?? 30);
	await judgeMutants(paths.length > 0 ? [{ paths, count }] : undefined);
}

void main();

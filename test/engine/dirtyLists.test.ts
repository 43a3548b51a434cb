import type { INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { cleanList } from '../support/cleanLists';
import { type Dirt, dirtyList, type DirtyList, KINDS, type Planted } from '../support/dirtyLists';
import { repetitions, seed } from '../support/randomCases';
import type { NodeRun } from './support/engine';
import { fileOf, itemImport, messagesOf, reportOf } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

const LISTS = repetitions(200, 30);
/** So many lists with each kind of dirt are imported, too: dry runs are enough to see what is silent. */
const IMPORTS_OF_KIND = repetitions(10, 1);

const importOf = async (
	{ text }: Pick<DirtyList, 'text'>,
	options: INodeParameters,
): Promise<NodeRun> =>
	await service.run(
		node,
		itemImport(
			service,
			{},
			{
				source: 'binary',
				fieldMap: { mappingMode: 'autoMapInputData', value: null, schema: [], matchingColumns: [] },
				options: { pollInterval: 0.02, optOuts: 'leaveOut', report: true, ...options },
			},
		),
		{ items: [await fileOf(text)], onError: 'continueRegularOutput' },
	);

/** The lines that a text names: `line 3`, `Lines 3, 7 and 2 more`. */
function linesOf(text: string): Set<number> {
	const named = [...text.matchAll(/(?<!Address )\blines? (\d+(?:(?:, | and )\d+(?! more))*)/gi)];
	return new Set(named.flatMap(([, list = '']) => (list.match(/\d+/g) ?? []).map(Number)));
}

/** The lines that the output items name: those of rows that were not imported, and those in texts. */
function linesOfOutput({ outputs }: NodeRun): Set<number> {
	return new Set(
		outputs.flat().flatMap(({ json }) => {
			const { line, status } = (json.importResult ?? {}) as { line?: number; status?: string };
			if (status === undefined) return [...linesOf(JSON.stringify(json))];
			return line !== undefined && status !== 'imported' ? [line] : [];
		}),
	);
}

function linesOfReport(report: string): Set<number> {
	const rows = [...report.matchAll(/data-label="Line">(\d+)</g)].map(([, line]) => Number(line));
	return new Set([...rows, ...linesOf(report)]);
}

const missedBy = (named: ReadonlySet<number>, planted: readonly Planted[]): string[] =>
	planted
		.filter(({ line }) => line !== undefined && !named.has(line))
		.map(({ kind, line }) => `${kind} in line ${line}`);

const union = (...sets: Array<ReadonlySet<number>>): Set<number> =>
	new Set(sets.flatMap((set) => [...set]));

function stored({ people }: DirtyList) {
	const all = service.people();
	return people.map(({ email }) => {
		const person = all.find(({ emails }) => emails.some((one) => one.email === email));
		if (!person) return { email, stored: undefined };
		const { firstName, lastName } = person.fields;
		const phone = person.phones[0]?.phoneNumber ?? '';
		return { email, stored: { firstName, lastName, phone } };
	});
}

const numbers = Array.from({ length: LISTS }, (_, index) => seed * 1000 + index);

it('names each planted dirt with its line, in dry run, hint, output and report alike', async () => {
	const silent: string[] = [];
	const imports = new Map<Dirt, number>();
	let alarms = 0;
	for (const number of numbers) {
		const list = dirtyList(number, KINDS);
		const dry = await importOf(list, { dryRun: true });
		const inDry = linesOfOutput(dry);
		silent.push(...missedBy(inDry, list.planted).map((text) => `${number}, dry run: ${text}`));
		const planted = new Set(list.planted.map(({ line }) => line));
		alarms += [...inDry].filter((line) => !planted.has(line)).length;
		// Nothing else is seen of a list that is rejected.
		const kinds: Dirt[] = list.isRefused ? ['joined'] : list.planted.map(({ kind }) => kind);
		if (kinds.every((kind) => (imports.get(kind) ?? 0) >= IMPORTS_OF_KIND)) continue;
		for (const kind of kinds) imports.set(kind, (imports.get(kind) ?? 0) + 1);
		const run = await importOf(list, {});
		if (list.isRefused) {
			const joined = list.planted.filter(({ kind }) => kind === 'joined');
			const said = JSON.stringify(run.outputs);
			silent.push(...missedBy(linesOf(said), joined).map((text) => `${number}, error: ${text}`));
			expect(stored(list).filter((person) => person.stored)).toEqual([]);
			continue;
		}
		const told = union(linesOf(messagesOf(run)), linesOfOutput(run));
		silent.push(...missedBy(told, list.planted).map((text) => `${number}, import: ${text}`));
		const inReport = linesOfReport(await reportOf(run));
		silent.push(...missedBy(inReport, list.planted).map((text) => `${number}, report: ${text}`));
		expect({ number, people: stored(list) }).toEqual({ number, people: list.people });
	}
	expect(silent).toEqual([]);
	expect([...imports.keys()].sort()).toEqual([...KINDS].sort());
	expect(alarms).toBeLessThanOrEqual(LISTS / 10);
});

it('says nothing of lines of clean lists, nor of their values', async () => {
	const texts = numbers.map(cleanList);
	texts.push(...numbers.slice(0, LISTS / 10).map((number) => dirtyList(number, []).text));
	const alarms: string[][] = [];
	for (const text of texts) {
		const { outputs, error } = await importOf({ text }, { dryRun: true });
		expect(error).toBeUndefined();
		const said = JSON.stringify(outputs);
		const found =
			said.match(
				/[^.:"]*(?<!Address )\bline \d[^."]*|Check \d+ values?[^.]*|\([^()]* its [^()]*\)/gi,
			) ?? [];
		if (found.length > 0) alarms.push([...new Set(found)]);
	}
	expect(alarms.filter((found) => found.length > 1)).toEqual([]);
	expect({ alarms, areFew: alarms.length <= LISTS / 20 }).toEqual({ alarms, areFew: true });
});

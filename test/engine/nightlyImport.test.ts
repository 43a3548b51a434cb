import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { itemImport, personMap } from './support/itemImports';
import { type KilledRun, NodeProcesses } from './support/killedNode';
import { useSandbox } from './support/sandboxed';

/**
 * A long list every night, of which 200 rows have changed: only those are sent, whenever n8n is killed. With
 * `NIGHTLY_ROWS=100000` it has as many rows as can be compared, and takes minutes.
 */

const ROWS = Number(process.env.NIGHTLY_ROWS ?? 10_000);
const CHANGED = 200;

const service = useSandbox();
const processes = new NodeProcesses();
const inFolder = (name: string) => join(processes.folder, name);
const [firstList, nextList] = [inFolder('first.csv'), inFolder('next.csv')];
const [remembered, memory] = [inFolder('remembered.json'), inFolder('memory.json')];

function writeList(path: string, isChanged: (row: number) => boolean): void {
	const rows = Array.from({ length: ROWS }, (_, i) => {
		const mail = `${isChanged(i) ? 'new' : 'p'}${i}@example.org`;
		return `M-${i},First${i},Last${i},${mail}\n`;
	});
	writeFileSync(path, `ID,First Name,Last Name,Mail\n${rows.join('')}`);
}

async function night(
	csv: string,
	isAtKill?: () => boolean,
	hangAfter?: number,
	dryRun = false,
): Promise<KilledRun> {
	const options: INodeParameters = {
		dryRun,
		pollInterval: 0.05,
		skipUnchangedBy: 'ID',
		outputRows: 'summary',
	};
	const parameters = itemImport(service, personMap, { source: 'binary', options });
	const { url } = service.sandbox;
	const hanging = hangAfter === undefined ? {} : { hangAfter };
	return await processes.run(
		{ node: 'NativeBulkImport', url, parameters, csv, memory, ...hanging },
		isAtKill,
	);
}

const rememberedTexts = (): unknown => JSON.parse(readFileSync(memory, 'utf8'));

/** Rows by outcome. */
const countsOf = (run: KilledRun) => (run === 'killed' ? run : run[0]?.importSummary);
const requests = (method: string, path: string) =>
	service.sandbox.requests.filter((one) => one.method === method && one.path.includes(path)).length;

beforeAll(async () => {
	writeList(firstList, () => false);
	writeList(nextList, (row) => row % (ROWS / CHANGED) === 7);
	expect(countsOf(await night(firstList))).toMatchObject({ imported: ROWS, unchanged: 0 });
	copyFileSync(memory, remembered);
});
beforeEach(() => copyFileSync(remembered, memory));
afterAll(() => processes.close());

const onlyChanged = { rows: ROWS, imported: CHANGED, unchanged: ROWS - CHANGED };
const nothing = { rows: ROWS, imported: 0, unchanged: ROWS };

it('sends the changed rows, and none the night after', async () => {
	expect(countsOf(await night(nextList))).toMatchObject(onlyChanged);
	expect(countsOf(await night(nextList))).toMatchObject(nothing);
});

it('leaves behind in a dry run what it found', async () => {
	const before = rememberedTexts();
	const counts = { rows: ROWS, unchanged: ROWS - CHANGED, newOrChanged: CHANGED };
	const dry = (await night(nextList, undefined, undefined, true)) as IDataObject[];
	expect(dry).toContainEqual(expect.objectContaining(counts));
	expect(rememberedTexts()).toEqual(before);
});

describe('after a kill', () => {
	const noResponse = { kind: 'noResponse', executed: true } as const;
	const requestsToKill: Array<[string, string, string]> = [
		['while it uploads', 'PUT', '/drop/'],
		['between the start of the job and its response', 'POST', '/bulkImportJobs'],
		['while it waits', 'GET', '/bulkImportJobs/'],
		['while it reads the results', 'GET', '/results/'],
	];
	it.each(requestsToKill)('%s, sends the same rows again', async (_, method, pathPrefix) => {
		service.addFault(noResponse, `${method} ${pathPrefix}`);
		expect(await night(nextList, () => requests(method, pathPrefix) > 0)).toBe('killed');
		expect(countsOf(await night(nextList))).toMatchObject(onlyChanged);
	});

	it('once it has compared the rows, sends the same rows', async () => {
		expect(await night(nextList, undefined, 2)).toBe('killed');
		expect(service.jobs()).toEqual([]);
		expect(countsOf(await night(nextList))).toMatchObject(onlyChanged);
	});

	it('once it has remembered the rows, sends none again', async () => {
		expect(await night(nextList, undefined, 4)).toBe('killed');
		expect(countsOf(await night(nextList))).toMatchObject(nothing);
	});

	it('in the moment of comparing, sends all rows again: none is taken for imported', async () => {
		expect(await night(nextList, undefined, 1)).toBe('killed');
		expect(countsOf(await night(nextList))).toMatchObject({ imported: ROWS, unchanged: 0 });
	});

	it.each([1, 2, 3, 8])('of a dry run at its change %i, sends all rows again', async (change) => {
		expect(await night(nextList, undefined, change, true)).toBe('killed');
		// It cannot know what the other one left behind.
		const dry = (await night(nextList, undefined, undefined, true)) as IDataObject[];
		expect(JSON.stringify(dry)).toContain('This dry run did not compare the rows');
		expect(countsOf(await night(nextList))).toMatchObject({ imported: ROWS, unchanged: 0 });
		expect(countsOf(await night(nextList))).toMatchObject(nothing);
	});
});

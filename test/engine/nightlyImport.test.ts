import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { itemImport, personMap } from './support/itemImports';
import { type KilledRun, NodeProcesses } from './support/killedNode';
import { useSandbox } from './support/sandboxed';

/**
 * A long list every night, of which 200 rows have changed: only those are sent, once, whenever n8n is killed. With
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
beforeEach(() => {
	copyFileSync(remembered, memory);
	service.change({ styles: { jobDescriptions: true } });
});
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
		['between the start of the job and its response', 'POST', '/bulkImportJobs'],
		['while it waits', 'GET', '/bulkImportJobs/'],
		['while it reads the results', 'GET', '/results/'],
	];
	it('while it uploads, sends the same rows', async () => {
		service.addFault(noResponse, 'PUT /drop/');
		expect(await night(nextList, () => requests('PUT', '/drop/') > 0)).toBe('killed');
		expect(countsOf(await night(nextList))).toMatchObject(onlyChanged);
	});

	it.each(requestsToKill)('%s, asks for the job and sends none again', async (_, method, path) => {
		service.addFault(noResponse, `${method} ${path}`);
		expect(await night(nextList, () => requests(method, path) > 0)).toBe('killed');
		await service.settle();
		expect(countsOf(await night(nextList))).toMatchObject(nothing);
	});

	it.each(requestsToKill)('%s, sends no row whose job is not listed', async (_, method, path) => {
		service.change({ styles: { jobDescriptions: false } });
		service.addFault(noResponse, `${method} ${path}`);
		expect(await night(nextList, () => requests(method, path) > 0)).toBe('killed');
		await service.settle();
		const counts = { unknown: CHANGED, unchanged: ROWS - CHANGED, imported: 0 };
		for (let time = 0; time < 2; time++)
			expect(countsOf(await night(nextList))).toMatchObject(counts);
	});

	const moments: Array<[string, number, boolean]> = [
		['an import', 1, false],
		['an import', 2, false],
		['a dry run', 1, true],
		['a dry run', 3, true],
	];
	it.each(moments)('in the moment in which %s compares (%i), sends nothing', async (_, at, dry) => {
		expect(await night(nextList, undefined, at, dry)).toBe('killed');
		const refused = JSON.stringify(await night(nextList));
		expect(refused).toContain('n8n was stopped while it compared them');
		expect(service.starts()).toEqual([]);
		const again = (await night(nextList, undefined, undefined, true)) as IDataObject[];
		expect(JSON.stringify(again)).toContain('n8n was stopped while it compared them');
	});
});

import type { IDataObject } from 'n8n-workflow';

import { isThorough } from '../support/randomCases';
import { CHANGED, countsOf, NightlyList } from './support/nightlyList';
import { processedData } from './support/processedData';
import { useSandbox } from './support/sandboxed';

/** A long list every night, of which 200 rows have changed: only those are sent, once, whenever n8n is killed. */

/** More than are looked up at once. */
const ROWS = 4000;

/** Each kill starts a process: of several of one kind, all are tried in a thorough run. */
const killed = <T>(cases: T[]): T[] => (isThorough ? cases : cases.slice(-1));

const service = useSandbox();
const list = new NightlyList(service, ROWS);

const requests = (method: string, path: string) =>
	service.sandbox.requests.filter((one) => one.method === method && one.path.includes(path)).length;

beforeAll(async () => {
	expect(countsOf(await list.begin())).toMatchObject({ imported: ROWS, unchanged: 0 });
});
beforeEach(() => {
	list.reset();
	service.change({ styles: { jobDescriptions: true } });
});
afterAll(() => list.end());

const onlyChanged = { rows: ROWS, imported: CHANGED, unchanged: ROWS - CHANGED };
const nothing = { rows: ROWS, imported: 0, unchanged: ROWS };

it('sends the changed rows, and none the night after', async () => {
	expect(countsOf(await list.night())).toMatchObject(onlyChanged);
	expect(countsOf(await list.night())).toMatchObject(nothing);
});

it('leaves behind in a dry run what it found', async () => {
	const before = processedData.remembered;
	const counts = { rows: ROWS, unchanged: ROWS - CHANGED, newOrChanged: CHANGED };
	const dry = (await list.night({ isDry: true })) as IDataObject[];
	expect(dry).toContainEqual(
		expect.objectContaining({ totals: expect.objectContaining(counts) as unknown }),
	);
	expect(processedData.remembered).toEqual(before);
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
		expect(await list.night({ isAtKill: () => requests('PUT', '/drop/') > 0 })).toBe('killed');
		expect(countsOf(await list.night())).toMatchObject(onlyChanged);
	});

	it.each(requestsToKill)('%s, asks for the job and sends none again', async (_, method, path) => {
		service.addFault(noResponse, `${method} ${path}`);
		expect(await list.night({ isAtKill: () => requests(method, path) > 0 })).toBe('killed');
		await service.settle();
		expect(countsOf(await list.night())).toMatchObject(nothing);
	});

	it.each(killed(requestsToKill))(
		'%s, sends no row whose job is not listed',
		async (_, method, path) => {
			service.change({ styles: { jobDescriptions: false } });
			service.addFault(noResponse, `${method} ${path}`);
			expect(await list.night({ isAtKill: () => requests(method, path) > 0 })).toBe('killed');
			await service.settle();
			const counts = { unknown: CHANGED, unchanged: ROWS - CHANGED, imported: 0 };
			for (let time = 0; time < 2; time++)
				expect(countsOf(await list.night())).toMatchObject(counts);
		},
	);

	const moments: Array<[string, number, boolean]> = [
		...killed<[string, number, boolean]>([
			['an import', 1, false],
			['an import', 2, false],
		]),
		...killed<[string, number, boolean]>([
			['a dry run', 1, true],
			['a dry run', 3, true],
		]),
	];
	it.each(moments)(
		'in the moment in which %s compares (%i), sends nothing',
		async (_, hangAfter, isDry) => {
			expect(await list.night({ hangAfter, isDry })).toBe('killed');
			const refused = JSON.stringify(await list.night());
			expect(refused).toContain('n8n was stopped while it compared them');
			expect(service.starts()).toEqual([]);
			const again = (await list.night({ isDry: true })) as IDataObject[];
			expect(JSON.stringify(again)).toContain('n8n was stopped while it compared them');
		},
	);
});

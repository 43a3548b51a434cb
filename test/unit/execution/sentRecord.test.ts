import { SentRecords, THERE } from '../../../nodes/shared/execution/sentRecord';
import { endpoints, prepareCall } from '../../../nodes/shared/service/endpoints';
import { scriptedService } from '../service/scriptedService';

const DAY = '2026-03-01';

/** What is said of a call whose outcome is unknown, where the service lists these records. */
const find = async (body: object, held: object[], answer?: { items: object[]; count: number }) => {
	const { service } = scriptedService(() => ({
		status: 200,
		body: answer ?? { items: held, nextPageLink: null, count: held.length },
	}));
	const path = { person: 7 };
	const call = prepareCall(endpoints.createCanvassResponse, { path, body });
	return await new SentRecords(service).find(call);
};

test.each<[string, object, object]>([
	['the values that were sent', { on: DAY, note: 'Hello' }, { on: DAY, note: 'Hello' }],
	['more values', { on: DAY }, { id: 1, on: DAY, createdBy: { name: 'Kim Example' } }],
	['other capitals in its names', { on: DAY, resultCodeId: 1 }, { ON: DAY, ResultCodeID: 1 }],
	['a number as text', { on: DAY, resultCodeId: 1 }, { on: DAY, resultCodeId: '1' }],
	['the day as its midnight', { on: DAY }, { on: `${DAY}T00:00:00` }],
	['the day as its midnight elsewhere', { on: DAY }, { on: `${DAY}T00:00:00-05:00` }],
	['the same moment', { on: `${DAY}T12:00:00Z` }, { on: `${DAY}T13:00:00+01:00` }],
	['no blank values', { on: DAY, note: null, phone: '' }, { on: DAY }],
	['the values of blank ones', { on: DAY, note: null }, { on: DAY, note: 'Later' }],
	[
		'the same list',
		{ on: DAY, responses: [{ id: 1 }, { id: 2 }] },
		{ on: DAY, responses: [{ id: 1 }, { id: 2 }] },
	],
])('the service has a record if one that it lists has %s', async (_, sent, held) => {
	expect(await find(sent, [{ on: '2025-01-01' }, held])).toBe(THERE);
});

test.each<[string, object, object]>([
	['another value', { on: DAY, note: 'Hello' }, { on: DAY, note: 'Bye' }],
	['another day', { on: DAY }, { on: '2026-03-02T00:00:00' }],
	['another time of the day', { on: `${DAY}T12:00:00` }, { on: `${DAY}T13:00:00` }],
	['a value less', { on: DAY, note: 'Hello' }, { on: DAY, note: null }],
	['a text for a list', { on: DAY, responses: [{ id: 1 }] }, { on: DAY, responses: '1' }],
	[
		'a longer list',
		{ on: DAY, responses: [{ id: 1 }] },
		{ on: DAY, responses: [{ id: 1 }, { id: 2 }] },
	],
	[
		'a shorter list',
		{ on: DAY, responses: [{ id: 1 }, { id: 2 }] },
		{ on: DAY, responses: [{ id: 1 }] },
	],
])('a record is another one if it has %s', async (_, sent, held) => {
	expect(await find(sent, [held])).toContain("No record in the service's list has all its values");
});

test.each([
	prepareCall(endpoints.createBulkImportJob, { path: {}, body: { description: DAY } }),
	prepareCall(endpoints.updateCode, { path: { codeId: 1 }, body: { name: DAY } }),
])('the service does not list what was sent to $endpoint.path', async (call) => {
	const { service, requests } = scriptedService(() => ({ status: 200, body: [{ name: DAY }] }));
	expect(await new SentRecords(service).find(call)).toContain('does not list what was sent');
	expect(requests).toEqual([]);
});

test('a part of the list does not tell', async () => {
	expect(await find({ on: DAY }, [], { items: [{ on: DAY }], count: 3 })).toContain(
		'does not list these records or lists too many',
	);
});

test('a list of 2,000 records is read, a longer one is not', async () => {
	const others = (count: number) => Array.from({ length: count }, () => ({ on: '2025-01-01' }));
	expect(await find({ on: DAY }, [...others(1999), { on: DAY }])).toBe(THERE);
	expect(await find({ on: DAY }, [...others(2000), { on: DAY }])).toContain('or lists too many');
});

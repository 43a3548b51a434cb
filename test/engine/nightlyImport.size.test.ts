import { CHANGED, countsOf, NightlyList } from './support/nightlyList';
import { useSandbox } from './support/sandboxed';

/** The most rows that can be compared. */
const ROWS = 100_000;

const service = useSandbox();
const list = new NightlyList(service, ROWS);
afterAll(() => list.end());

it('sends the changed rows of the longest list, once, also after a kill', async () => {
	const changed = { rows: ROWS, imported: CHANGED, unchanged: ROWS - CHANGED };
	expect(countsOf(await list.begin())).toMatchObject({ imported: ROWS, unchanged: 0 });
	service.change({ styles: { jobDescriptions: true } });
	service.addFault({ kind: 'noResponse', executed: true }, 'PUT /drop/');
	const uploads = () => service.sandbox.requests.filter(({ method }) => method === 'PUT').length;
	const before = uploads();
	expect(await list.night({ isAtKill: () => uploads() > before })).toBe('killed');
	expect(countsOf(await list.night())).toMatchObject(changed);
	expect(countsOf(await list.night())).toMatchObject({ imported: 0, unchanged: ROWS });
});

import { byName } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { NativeCode } from '../../nodes/NativeCode/NativeCode.node';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import { searchList } from './support/editor';
import { itemImport, personMap } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

/** Whoever reads a list to its end gets an error for one without an end, and sends nothing. */

const service = useSandbox();

/** Every page of a list is the first one, with a link to a next one. */
function repeatPage(path: string): void {
	const items = [{ id: 7, codeId: 7, name: 'Rally', description: 'A job' }];
	const nextPageLink = `${service.sandbox.url}/v2${path}?$skip=200`;
	const body = { items, nextPageLink, count: 9 };
	service.addFault({ kind: 'response', status: 200, body }, `GET ${path}`, { count: 50 });
}

const message = 'The list cannot be read to its end: the service returned the same page twice.';

const readers: Array<[string, string, () => Promise<string | undefined>]> = [
	[
		'By Name',
		'/codes',
		async () => {
			const codeId = byName('March');
			const apply = { resource: 'person', operation: 'applyCode', nativeId: '100001', codeId };
			return (await service.run(new NativePeople(), apply)).error?.message;
		},
	],
	[
		'Run Key',
		'/bulkImportJobs',
		async () => {
			const options = { runKey: 'week 47', waitForOutcome: 'none' };
			const items = [{ json: { 'First Name': 'Ada', 'Last Name': 'A', Mail: 'ada@example.org' } }];
			const parameters = itemImport(service, personMap, { options });
			return (await service.run(new NativeBulkImport(), parameters, { items })).error?.message;
		},
	],
	[
		'a list in the editor',
		'/codes',
		async () =>
			await searchList({
				...service.setup(new NativeCode()),
				method: 'searchCodes',
				parameters: {},
			}).then(
				() => undefined,
				(error: Error) => error.message,
			),
	],
];

it.each(readers)('%s', async (_, path, read) => {
	repeatPage(path);
	expect(await read()).toBe(message);
	const calls = service.calls().map(({ method }) => method);
	expect(calls.filter((method) => method !== 'GET')).toEqual([]);
	expect(calls.length).toBeLessThan(6);
});

it.each(readers.slice(0, 2))(
	'%s: a list of empty pages without end is not whole',
	async (_, path, read) => {
		for (let page = 0; page < 20; page++) {
			const nextPageLink = `${service.sandbox.url}/v2${path}?$skip=${200 + page}`;
			const body = { items: page === 0 ? [{ id: 7, codeId: 7, name: 'March' }] : [], nextPageLink };
			service.addFault({ kind: 'response', status: 200, body }, `GET ${path}`);
		}
		expect(await read()).toMatch(
			/incomplete\. The service returned 1 entry, but not the end of the list/,
		);
		expect(service.writes()).toEqual([]);
	},
);

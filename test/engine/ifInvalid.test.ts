import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { inputOf, itemImport, people, personMap, statusesOf } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

/** The second of three rows cannot be sent. */
const oneWrong = people(3, { 1: { Mail: 'nobody' } });

describe.each(['items', 'binary'])('Rows With Invalid Values, of %s', (source) => {
	const run = async (
		rows: readonly IDataObject[],
		options: INodeParameters = {},
		onError?: 'continueRegularOutput' | 'continueErrorOutput',
	) =>
		await service.run(
			node,
			itemImport(service, personMap, { source, options: { outputRows: 'all', ...options } }),
			{ items: await inputOf(rows, source), ...(onError && { onError }) },
		);

	it('are left out, and the others are imported', async () => {
		const { error, outputs } = await run(oneWrong);
		expect(error).toBeUndefined();
		const rows = (outputs[0] ?? []).filter(({ json }) => json.status !== 'summary');
		expect(statusesOf(rows)).toEqual(['imported', 'invalid', 'imported']);
		expect(rows[1]?.json.reason).toMatch(/^Column "Mail" is not an email address\./);
		expect(service.starts()).toHaveLength(1);
	});

	it.each([undefined, 'continueRegularOutput', 'continueErrorOutput'] as const)(
		'stop the import if they are to, with On Error %s',
		async (onError) => {
			const { error, outputs } = await run(oneWrong, { ifInvalid: 'stop' }, onError);
			expect(JSON.stringify([error?.message, outputs])).toMatch(
				/is not an email address.*To import the other rows, set Rows With Invalid Values to Leave Out\./,
			);
			expect(service.starts()).toEqual([]);
		},
	);

	it('stop the import in any case if every row is wrong in one field', async () => {
		const rows = people(3).map((row) => ({ ...row, Mail: 'nobody' }));
		const { error } = await run(rows);
		expect(error?.message).toMatch(/is not an email address\..* No row can be imported\.$/);
		expect(service.starts()).toEqual([]);
	});

	it('come out of what only shows the import', async () => {
		const { error, outputs } = await run(oneWrong, { dryRun: true });
		expect(error).toBeUndefined();
		expect(outputs[0]?.filter(({ json }) => json.status === 'invalid')).toHaveLength(1);
		expect(service.starts()).toEqual([]);
	});
});

it('one invalid row, such as of a form, comes out with its reason', async () => {
	const parameters = itemImport(service, personMap);
	const items = await inputOf(people(1, { 0: { Mail: 'nobody' } }), 'items');
	const { error, outputs } = await service.run(node, parameters, { items });
	expect(error).toBeUndefined();
	expect(statusesOf(outputs[0])).toEqual(['invalid']);
	expect(service.starts()).toEqual([]);
});

it('another word than those of the list sends nothing', async () => {
	const parameters = itemImport(service, personMap, { options: { ifInvalid: 'leave' } });
	const items = await inputOf(oneWrong, 'items');
	const { error } = await service.run(node, parameters, { items });
	expect(error?.message).toMatch(/^Rows With Invalid Values/);
	expect(service.starts()).toEqual([]);
});

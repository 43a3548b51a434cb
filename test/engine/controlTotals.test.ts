import fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { fromList } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { centsOf } from '../../nodes/NativeBulkImport/importItems/features/controlTotals';
import {
	itemImport,
	messagesOf,
	property,
	reportOf,
	stopsOf,
	totalsOf,
} from './support/itemImports';
import { useSandbox } from './support/sandboxed';
import { processorTime } from '../../hosts/processorTime';

const service = useSandbox();
const node = new NativeBulkImport();
const MAP = {
	recordId: property('Gift'),
	'ContributionAdjustments:AdjustmentAmount': property('Amount'),
	'EditContributionDataContacts:DepositNumber': property('Batch'),
};
const gift = (Gift: number, Amount: unknown, Batch = '') => ({ json: { Gift, Amount, Batch } });
const GIFTS = [gift(3001, '10.10', 'A'), gift(3002, '0.20', 'A'), gift(3003, 1200, 'B')];

const run = async (
	total: INodeParameters[],
	options: INodeParameters = {},
	items = GIFTS,
	changes: INodeParameters = {},
) =>
	await service.run(
		node,
		itemImport(service, MAP, {
			resourceType: fromList('Contributions'),
			mappingTypes: ['ContributionAdjustments', 'EditContributionDataContacts'],
			options: { pollInterval: 0.05, controlTotals: { total }, ...options },
			...changes,
		}),
		{ items: items as never },
	);
const SENTENCE = 'Contributions: 3, sum 1,210.30; batch A: 2, sum 10.30; batch B: 1, sum 1,200.00.';

describe('Control Totals', () => {
	it('sends contributions that add up, and shows the totals in output and report', async () => {
		const total = [
			{ count: '3', sum: '$1,210.30' },
			{ batch: 'A', count: 2, sum: 10.3 },
			{ batch: 'B', sum: '1200' },
		];
		const result = await run(total, { report: true });
		expect(result.error).toBeUndefined();
		expect(service.writes()).not.toEqual([]);
		expect(messagesOf(result)).toContain(SENTENCE);
		expect(await reportOf(result)).toContain(SENTENCE);
	});

	it('compares a batch after a thousand others, also one named others', async () => {
		const many = Array.from({ length: 1001 }, (_, row) => gift(4000 + row, '1', `N${row}`));
		const items = [...many, gift(3001, '10.10', 'Z'), gift(3002, '0.20', 'others')];
		const total = [
			{ batch: 'Z', count: 1, sum: '10.10' },
			{ batch: 'others', count: 1, sum: '0.20' },
		];
		const { error } = await run(total, { dryRun: true }, items);
		expect(error).toBeUndefined();
	});

	it('shows the totals in a dry run, also if none were entered', async () => {
		const items = [...GIFTS, gift(3004, 'ten', 'B')];
		const { outputs } = await run([], { dryRun: true }, items);
		expect(totalsOf({ outputs }).warnings).toEqual([
			'Contributions: 4, sum 1,210.30; 1 without an amount; batch A: 2, sum 10.30; batch B: 2, sum 1,200.00.',
		]);
	});

	it('says how many batches it does not show, and at least how many of very many', async () => {
		const warningOf = async (batches: number): Promise<string> => {
			const items = Array.from({ length: batches }, (_, row) => gift(row + 1, '1', `N${row}`));
			const { outputs } = await run([], { dryRun: true }, items);
			return String(totalsOf({ outputs }).warnings);
		};
		expect(await warningOf(21)).toMatch(/; 1 more batch\.$/);
		expect(await warningOf(1000)).toMatch(/; 980 more batches\.$/);
		expect(await warningOf(1500)).toMatch(/; at least 981 more batches\.$/);
	});

	it.each<[string, INodeParameters, RegExp]>([
		[
			'another count',
			{ count: 4 },
			/^Control Totals: The list has 3, sum 1,210\.30, not 4, sum 1,210/,
		],
		['another sum', { sum: '1210.31' }, /not 3, sum 1,210\.31\. Correct the list or the total/],
		['another sum of a batch', { batch: 'A', sum: '10.31' }, /^Control Totals → A: The list has 2/],
		[
			'a batch that is not there',
			{ batch: 'C', count: 1 },
			/→ C: The list has 0, sum 0\.00, not 1/,
		],
		['no total', { batch: 'A' }, /needs a whole number as Count/],
		['what is no sum', { sum: '12,10' }, /needs a whole number as Count/],
	])('sends nothing with %s', async (_, total, message) => {
		expect((await run([total])).error?.message).toMatch(message);
		const shown = await run([total], { dryRun: true });
		expect(shown.error).toBeUndefined();
		expect(stopsOf(shown)).toEqual([expect.stringMatching(message)]);
		expect(service.writes()).toEqual([]);
	});

	it.each<INodeParameters>([
		{ count: 3, sum: '={{ $json.nothing }}' },
		{ count: '={{ $json.nothing }}', sum: '1210.30' },
		{ batch: '={{ $json.nothing }}', count: 3 },
	])('sends nothing with an expression that gives nothing: %j', async (total) => {
		expect((await run([total])).error?.message).toMatch(/has an expression without a value in its/);
		expect(service.writes()).toEqual([]);
	});

	it('compares no sum while the amount of a row cannot be read', async () => {
		const items = [...GIFTS, gift(3004, '(5.00)', 'B')];
		const { error } = await run([{ sum: '1210.30' }], {}, items);
		expect(error?.message).toMatch(
			/^Control Totals cannot be compared: 1 of the rows has no amount/,
		);
		expect(service.writes()).toEqual([]);
	});

	it('counts no contribution that is not sent, because a value of it is none', async () => {
		const items = [...GIFTS, { json: { Gift: { id: 3004 }, Amount: '5.00', Batch: 'B' } } as never];
		const { error, outputs } = await run([{ count: 3, sum: '1210.30' }], {}, items);
		expect(error).toBeUndefined();
		expect(outputs.flat().map(({ json }) => json.status)).toEqual([
			'imported',
			'imported',
			'imported',
			'invalid',
		]);
	});

	it('is not asked of other imports', async () => {
		const people = itemImport(
			service,
			{ 'CreateOrUpdateContact:LastName': property('Batch') },
			{ options: { allowUnfindable: true, controlTotals: { total: [{ count: 3 }] } } },
		);
		const { error } = await service.run(node, people, { items: GIFTS as never });
		expect(error).toBeUndefined();
		expect(service.starts()).toHaveLength(1);
	});

	it('reads amounts as whole cents, and nothing that could be another amount', () => {
		fc.assert(
			fc.property(fc.integer({ min: -99_999_999, max: 99_999_999 }), (cents) => {
				const digits = String(Math.abs(cents)).padStart(3, '0');
				const amount = `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
				expect(centsOf(amount)).toBe(cents === 0 ? 0 : cents);
			}),
		);
		expect(['1,234.5', '$ 7', 0.1, ' 25.500 '].map(centsOf)).toEqual([123_450, 700, 10, 2550]);
		const others = ['', '1,23', '1.234,50', '25,00', '(5.00)', '€5', '0.125', 0.1 + 0.2, '1e3'];
		expect(others.map(centsOf)).toEqual(others.map(() => undefined));
	});

	it('reads 100,000 blanks as no amount at once', () => {
		const blanks = ' '.repeat(100_000);
		expect(centsOf(blanks)).toBeUndefined();
		expect(processorTime(() => centsOf(blanks))).toBeLessThan(1000);
	});
});

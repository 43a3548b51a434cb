/** What people want of an import is found on a fresh Import Items, by the words on its screen. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { isEqual, without } from 'lodash';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import { createFromItemsOperation } from '../../nodes/NativeBulkImport/importItems/createFromItems.operation';
import type { OptionGroup } from '../../nodes/shared/execution/operation';
import { node, openBehind, picture, pictureOf, running } from './editorTests';
import type { NodePanel } from './nodePanel';

/** What is on the screen at once. */
const AT_ONCE: Array<[wish: string, shown: string]> = [
	['see what would change', 'Only Show'],
	['see who is new', 'Look Up Who Is New'],
];

/** What a group offers: one click opens its list, the second one chooses. */
const IN_A_GROUP: Array<[wishes: Record<string, RegExp>, button: string, entry: string]> = [
	[
		{ 'skip people imported before': /skip .*imported before/i },
		'Add Safety',
		'Skip Rows Imported Before',
	],
	[
		{ 'try a few first': /try .*first/i, 'stop if too many fail': /stop if too many fail/i },
		'Add Safety',
		'Try First, Stop if Too Many Fail',
	],
	[
		{ 'not import this file twice': /list was imported before/i },
		'Add Safety',
		'If This List Was Imported Before',
	],
	[
		{ 'get the bad rows by mail': /report|rejected rows/i },
		'Add Waiting or Results',
		'Report and Rejected Rows',
	],
	[
		{ 'have a colleague correct rows': /colleague/i },
		'Add Waiting or Results',
		'Page for a Colleague',
	],
];

/** What a group has once everything is added to it. */
function withAll({ options }: OptionGroup): INodeParameters {
	const one = ({ name, default: usual, options: parts = [] }: INodeProperties) => {
		const [part] = parts;
		const isList = isEqual(usual, {}) && part && 'values' in part;
		return [name, isList ? { [part.name]: [{}] } : usual];
	};
	return Object.fromEntries(options.map(one)) as INodeParameters;
}

/** A list as people have it: a column nobody knows, a value that cannot be right, one that the service rejects. */
const DIRTY = [
	{
		First: 'Ann',
		Last: 'Sample',
		'E-mail': 'ann.sample@example.org',
		'Cell phone': '(907) 555-0101',
	},
	{ First: 'Ben', Last: 'Example', 'E-mail': 'ben at example.org', 'Cell phone': '(907) 555-0102' },
	{
		First: 'Cleo',
		Last: 'Muster',
		'E-mail': 'cleo..muster@example.org',
		'Cell phone': '(907) 555-0103',
	},
	{
		First: 'Dora',
		Last: 'Test',
		'E-mail': 'dora.test@example.org',
		'Cell phone': '(907) 555-0104',
	},
	{
		First: 'Ann',
		Last: 'Sample',
		'E-mail': 'ann.sample@example.org',
		'Cell phone': '(907) 555-0101',
	},
].map((row, index) => ({ ...row, Contact: `other${index}@example.org`, Notes: 'met at the fair' }));

void describe('the screen of Import Items', () => {
	let panel: NodePanel;

	before(async () => {
		panel = await openBehind(
			[{ 'First Name': 'Ann', 'Last Name': 'Sample', 'E-mail': 'ann.sample@example.org' }],
			node('nativeBulkImport', { resource: 'job', operation: 'createFromItems' }),
		);
	});

	for (const [wish, shown] of AT_ONCE)
		it(`shows at once where to ${wish}`, async () => await panel.showsText(shown));

	it('shows a fresh node', async () => await pictureOf('import-items', panel));

	for (const [name, button, most] of [
		['list', 'Add to The List', 5],
		['safety', 'Add Safety', 8],
		['results', 'Add Waiting or Results', 5],
	] as const)
		it(`lists what "${button}" has, in the order of use`, async () => {
			const entries = await panel.openOptions(button);
			assert.ok(entries.length <= most, entries.join(', '));
			await pictureOf(`import-items-${name}`, panel);
			await panel.closeOptions();
		});

	for (const [wishes, button, entry] of IN_A_GROUP)
		it(`leads in two clicks to ${Object.keys(wishes).join(', or to ')}`, async () => {
			const entries = await panel.openOptions(button);
			for (const words of Object.values(wishes))
				assert.deepEqual(
					entries.filter((each) => words.test(each)),
					[entry],
				);
			await panel.pick(entry);
			await panel.showsText(entry);
		});

	it('cuts no label, whatever is added', async () => {
		const { optionGroups: groups = [] } = createFromItemsOperation;
		assert.equal(groups.length, 3);
		const full = await openBehind(
			[{ 'First Name': 'Ann' }],
			node('nativeBulkImport', {
				resource: 'job',
				operation: 'createFromItems',
				whatShouldHappen: 'ask',
				...Object.fromEntries(groups.map((group) => [group.name, withAll(group)])),
			}),
		);
		for (const label of [
			'Time to Ask (Minutes)',
			'Stop Above (%)',
			'Headers the Node Does Not Know',
		])
			await full.showsText(label);
		// What n8n calls the field of a file in every node.
		const cut = await full.findCutLabels();
		assert.deepEqual(without(cut, 'Input Data Field Name'), []);
	});

	it('shows what an import would do, then what it did, with what is wrong first', async () => {
		const dirty = await openBehind(
			DIRTY,
			node('nativeBulkImport', {
				resource: 'job',
				operation: 'createFromItems',
				hosting: 'put',
				uploadUrl: `${running.sandbox.httpsUrl}/drop/{file}?sig=sandbox`,
			}),
		);
		await dirty.execute();
		await dirty.showTable();
		await dirty.output.getByText('First Name').first().waitFor();
		await picture('import-items-only-show');
		await dirty.showSchema();
		await dirty.output.getByText('firstValues').first().waitFor();
		// What Only Show says of the list as a whole is one object.
		await dirty.output.getByText('totals', { exact: true }).first().waitFor();
		await dirty.choose('whatShouldHappen', 'Import');
		await dirty.execute();
		await dirty.output.getByText('3 imported').first().waitFor();
		await dirty.showTable();
		await dirty.output.getByText('Invalid email address').first().waitFor();
		await picture('import-items-problems');
	});
});

import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'node:test';
import { waitUntil } from '../hosts/waitUntil';
import { rowWorkflow } from '../hosts/workflows';
import type { Theme } from './editor/editor';
import {
	assertChoices,
	assertNoCutLabels,
	editor,
	LISTED,
	node,
	NODE_TYPES,
	NODES,
	openAlone,
	openBehind,
	picture,
	running,
} from './editor/editorTests';
import { iconOn } from './editor/iconContrast';
import { NodePanel } from './editor/nodePanel';
import './editor/credentialTests';
import './editor/importScreenTests';
import './editor/importTests';

void describe('the list of nodes', () => {
	before(async () => {
		await editor.goTo('/workflow/new');
		await editor.openNodeList();
	});

	it('finds every node by its name, with its icon', async () => {
		const names = await editor.searchNodes('native');
		assert.deepEqual(names.filter((name) => LISTED.includes(name)).sort(), LISTED);
		for (const name of LISTED) {
			const icon = editor.listedNode(name).locator('img').first();
			assert.match((await icon.getAttribute('src')) ?? '', /native(\.dark)?\.svg$/);
			assert.ok(await icon.evaluate((image) => image.naturalWidth > 0));
		}
	});

	for (const [words, expected] of Object.entries({
		everyaction: LISTED,
		votebuilder: LISTED,
		'vote builder': LISTED,
		smartvan: LISTED,
		mycampaign: LISTED,
		nonprofit: LISTED,
		vanid: ['Native Bulk Import', 'Native Canvass Response', 'Native People'],
		minivan: ['Native Canvass Response'],
		openvpb: ['Native Canvass Response'],
		'opt out': ['Native Canvass Response'],
		dialer: ['Native Canvass Response'],
		donations: ['Native Bulk Import', 'Native Record'],
		'upsert contact': ['Native Bulk Import', 'Native People'],
		appeal: ['Native Code'],
		'csv upload': ['Native Bulk Import'],
		csv: ['Native Bulk Import'],
		spreadsheet: ['Native Bulk Import'],
		'import contacts': ['Native Bulk Import'],
		van: LISTED,
	})) {
		const found = expected === LISTED ? 'every node' : expected.join(' and ');
		it(`finds ${found} by "${words}"`, async () => {
			const names = await editor.searchNodes(words);
			assert.deepEqual(names.filter((name) => LISTED.includes(name)).sort(), expected);
		});
	}

	it('says what each event of the trigger is about', async () => {
		await editor.searchNodes('native');
		await editor.listedNode('Native Bulk Import').click();
		for (const event of [
			'On import job completed',
			'On import job completed with errors',
			'On import job ended (any outcome)',
			'On import job failed',
			'On import job unreadable or unknown',
			'On import job status changed',
		]) {
			await editor.page.getByText(event, { exact: true }).waitFor();
		}
	});
});

void describe('an opened node', () => {
	before(
		async () =>
			await openAlone([
				node('nativeBulkImport'),
				node('nativeCode', { resource: 'code', operation: 'get' }),
				node('nativePeople'),
				node('nativeRecord', { operation: 'getAll' }),
				node('nativeBulkImportTrigger'),
			]),
	);
	afterEach(async () => await new NodePanel(editor.page).close());

	it('offers its resources and operations by name: Native Bulk Import', async () => {
		const panel = await editor.openNode(NODES.nativeBulkImport);
		await assertChoices(panel, 'resource', ['Job', 'File', 'Mapping Type', 'Resource Type']);
		await assertChoices(panel, 'operation', [
			'Import Items',
			'Create',
			'Get',
			'Get Many',
			'Get Item Outcomes',
			'Get Results',
			'Take Back',
			'Wait',
		]);
		await assertNoCutLabels(panel);
		await panel.choose('resource', 'Mapping Type');
		await panel.choose('operation', 'Get Field Values');
		const mappingTypes = await panel.chooseFromList(
			'mappingTypeName',
			'Apply External ID (ApplyExternalID)',
		);
		assert.ok(mappingTypes.includes('Create or Update Contact (CreateOrUpdateContact)'));
		const fields = await panel.chooseFromList('fieldName', 'ExternalIdTypeID (required)');
		assert.deepEqual(fields, ['ExternalIdTypeID (required)']);
		await panel.execute();
		await panel.showTable();
		await panel.output.getByText('MemberNumber').first().waitFor();
		await assertNoCutLabels(panel);
	});

	it('offers its resources and operations by name: Native Code', async () => {
		const panel = await editor.openNode(NODES.nativeCode);
		await assertChoices(panel, 'resource', ['Code', 'Code Type', 'Supported Entity']);
		assert.deepEqual(await panel.choose('operation', 'Get'), [
			'Create',
			'Delete',
			'Get',
			'Get Many',
			'Update',
		]);
		const [first = ''] = await panel.chooseFromList('codeId');
		assert.match(first, /^[A-Z].* \((Source Code|SourceCode|Tag)\)$/);
		assert.equal(await panel.readChosen('codeId'), first);
		await panel.execute();
		await panel.output.getByText('codeType').first().waitFor();
		await assertNoCutLabels(panel);
		await picture('native-code');
	});

	it('offers its resources and operations by name: Native People', async () => {
		const panel = await editor.openNode(NODES.nativePeople);
		await assertChoices(panel, 'resource', ['Person', 'Contact']);
		assert.deepEqual(await panel.choose('operation', 'Find or Create'), [
			'Find',
			'Find or Create',
			'Get',
			'Update',
			'Apply Code',
		]);
		await panel.fill('firstName', 'Ann');
		await panel.fill('lastName', 'Sample');
		await panel.fill('email', 'ann.sample@example.org');
		await panel.execute();
		await panel.output.getByText('created').first().waitFor();
		await assertNoCutLabels(panel);
		await picture('native-people');
	});

	it('offers its resources and operations by name: Native Record', async () => {
		const panel = await editor.openNode(NODES.nativeRecord);
		assert.equal(await panel.parameter('resource').count(), 0);
		assert.deepEqual(await panel.choose('operation', 'Get Many'), [
			'Create',
			'Delete',
			'Get',
			'Get Many',
			'Patch',
			'Update',
		]);
		const names = await panel.chooseFromList('resourceName', 'Contributions');
		assert.ok(names.includes('Events'), names.join());
		await panel.execute();
		await panel.output.getByText('contributionId').first().waitFor();
		await assertNoCutLabels(panel);
		await picture('native-record');
	});

	it('offers what to watch and which events: Native Bulk Import Trigger', async () => {
		const panel = await editor.openNode(NODES.nativeBulkImportTrigger);
		assert.deepEqual(await panel.choose('watch', 'Specific Jobs'), ['All Jobs', 'Specific Jobs']);
		await panel.fill('jobIds', '90210, 90211');
		await panel.root.getByText('Ended (Any Outcome)').first().waitFor();
		await assertNoCutLabels(panel);
		await picture('native-bulk-import-trigger');
	});

	it('offers its resources and operations by name: Native Canvass Response', async () => {
		const panel = await openBehind(
			[{ personId: 100001, call: 'left a message' }],
			node('nativeCanvassResponse'),
		);
		await assertChoices(panel, 'resource', [
			'Canvass Response',
			'Activist Code',
			'Contact Type',
			'Input Type',
			'Result Code',
			'Survey Question',
		]);
		const names = await panel.chooseFromList('resultCodeId', 'Left Message (19)');
		assert.ok(names.includes('Not Home (1)'), names.join());
		assert.equal(await panel.readChosen('resultCodeId'), 'Left Message (19)');
		await panel.execute();
		await panel.output.locator('table, [data-test-id="run-data-schema-item"]').first().waitFor();
		assert.equal(running.sandbox.control.canvassResponses('demo').length, 1);
		await assertNoCutLabels(panel);
		await picture('native-canvass-response');
	});
});

it('a node can be given to an agent as a tool', async () => {
	const agent = {
		name: 'AI Agent',
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: 2.2,
		parameters: {},
	};
	const workflow = await running.n8n.client.createWorkflow(rowWorkflow([agent]));
	const plus = editor
		.node('AI Agent')
		.locator('[data-connection-type="ai_tool"] [data-test-id="canvas-handle-plus"]');
	// In 4 of 70 tries, n8n 2.41.1 stayed at the list of all AI nodes.
	await waitUntil('the list of tools is shown', async () => {
		await editor.openWorkflow(workflow);
		await plus.click();
		return await editor.hasList('Tools');
	});
	const names = await editor.searchNodes('native');
	assert.deepEqual(
		names.filter((name) => name.startsWith('Native')).sort(),
		LISTED.map((name) => `${name} Tool`),
	);
	await editor.listedNode('Native People Tool').click();
	const panel = new NodePanel(editor.page);
	await panel.waitUntilShown();
	await panel.root.getByText('Tool Description').waitFor();
	await assertNoCutLabels(panel);
});

void describe('the icons', () => {
	before(async () => await openAlone(NODE_TYPES.map((type) => node(type))));

	async function assertStandOut(theme: Theme, file: string): Promise<void> {
		for (const type of NODE_TYPES) {
			const shown = editor.node(NODES[type]);
			await shown.waitFor();
			const { source, contrast } = await iconOn(shown);
			assert.ok(source.endsWith(`/${file}`), source);
			assert.ok(contrast >= 3, `${contrast} to 1`);
		}
		await picture(`nodes-${theme}`);
	}

	it('stand out from the canvas in the light theme', async () =>
		await assertStandOut('light', 'native.svg'));

	it('stand out from the canvas in the dark theme', async () => {
		await editor.useTheme('dark');
		await assertStandOut('dark', 'native.dark.svg');
	});
});

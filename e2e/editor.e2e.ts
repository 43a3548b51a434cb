import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import type { INodeParameters } from 'n8n-workflow';
import type { Locator } from 'playwright-core';
import { itemsWorkflow } from '../hosts/itemsWorkflow';
import type { StoredWorkflow } from '../hosts/n8nClient';
import { packageManifest } from '../hosts/packPackage';
import { startSandboxedN8n, type SandboxedN8n } from '../hosts/sandboxedN8n';
import { say } from '../hosts/runWithProgress.mjs';
import { Editor, type Theme } from './editor/editor';
import { iconOn } from './editor/iconContrast';
import { NodePanel } from './editor/nodePanel';
import { picturesFolder } from './editor/picturesFolder';

const STARTING_MS = 15 * 60 * 1000;
const root = join(__dirname, '..');

/** The names people see, by the names that workflows keep. */
const NODES = {
	nativeBulkImport: 'Native Bulk Import',
	nativeBulkImportTrigger: 'Native Bulk Import Trigger',
	nativeCanvassResponse: 'Native Canvass Response',
	nativeCode: 'Native Code',
	nativePeople: 'Native People',
	nativeRecord: 'Native Record',
};
type NodeType = keyof typeof NODES;
const NODE_TYPES = Object.keys(NODES) as NodeType[];
/** n8n lists a trigger under the node of the same name. */
const LISTED = Object.values(NODES).filter((name) => !name.endsWith('Trigger'));

const images = picturesFolder();

let running: SandboxedN8n;
let credentialId: string;
let editor: Editor;

before(
	async () => {
		running = await startSandboxedN8n();
		credentialId = await running.n8n.client.createCredential(running.credential('demo'));
		editor = await Editor.open(running.n8n);
	},
	{ timeout: STARTING_MS },
);
afterEach(() => running.sandbox.control.reset());
after(async () => {
	await editor?.close();
	await running?.close();
	say(`Pictures are in ${images}`);
});

async function picture(name: string, of: Pick<Locator, 'screenshot'> = editor.page): Promise<void> {
	await editor.tidy();
	await of.screenshot({
		path: join(images, `${name}.png`),
		animations: 'disabled',
		// Messages come and go.
		style: '.el-notification { visibility: hidden }',
	});
}

const credentials = (id = credentialId) => ({ nativeApi: { id, name: 'Native API' } });

/** A workflow with one node of each of the types, with nothing entered but what is given. */
async function workflowOf(
	types: readonly NodeType[],
	parameters: INodeParameters = {},
): Promise<StoredWorkflow> {
	return await running.n8n.client.createWorkflow({
		name: 'My workflow',
		nodes: types.map((type, index) => ({
			id: `node-${index}`,
			name: NODES[type],
			type: `${packageManifest.name}.${type}`,
			typeVersion: 1,
			position: [(index % 3) * 240, Math.floor(index / 3) * 240],
			parameters,
			credentials: credentials(),
		})),
		connections: {},
	});
}

async function openNode(type: NodeType, parameters: INodeParameters = {}): Promise<NodePanel> {
	await editor.openWorkflow(await workflowOf([type], parameters));
	return await editor.openNode(NODES[type]);
}

/** The panel of a node behind items, with nothing entered but what is given. */
async function openBehind(
	items: Parameters<typeof itemsWorkflow>[1],
	type: NodeType,
	parameters: INodeParameters = {},
	credential = credentialId,
): Promise<NodePanel> {
	const workflow = itemsWorkflow('Import sign-ups', items, [
		{
			name: NODES[type],
			type: `${packageManifest.name}.${type}`,
			parameters,
			credentials: credentials(credential),
		},
	]);
	await editor.openWorkflow(await running.n8n.client.createWorkflow(workflow));
	return await editor.openNode(NODES[type]);
}

async function assertNoCutLabels(panel: NodePanel): Promise<void> {
	assert.deepEqual(await panel.findCutLabels(), []);
}

void describe('the list of nodes', () => {
	before(async () => {
		await editor.goTo('/workflow/new');
		await editor.page
			.locator('[data-test-id="canvas-add-button"], [data-test-id="canvas-plus-button"]')
			.first()
			.click();
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
			'On import job ended (any way)',
			'On import job failed',
			'On import job not readable for 10 minutes',
			'On import job status changed',
		]) {
			await editor.page.getByText(event, { exact: true }).waitFor();
		}
	});
});

void describe('an opened node', () => {
	it('offers its resources and operations by name: Native Bulk Import', async () => {
		const panel = await openNode('nativeBulkImport');
		assert.deepEqual(await panel.choose('resource', 'Job'), [
			'Job',
			'File',
			'Mapping Type',
			'Resource Type',
		]);
		assert.deepEqual(await panel.choose('operation', 'Create'), [
			'Create',
			'Import Items',
			'Get',
			'Get Many',
			'Get Item Outcomes',
			'Get Results',
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
		await panel.output.getByText('MemberNumber').first().waitFor();
		await assertNoCutLabels(panel);
	});

	it('offers its resources and operations by name: Native Canvass Response', async () => {
		const panel = await openBehind(
			[{ personId: 100001, call: 'left a message' }],
			'nativeCanvassResponse',
		);
		assert.deepEqual(await panel.choose('resource', 'Canvass Response'), [
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

	it('offers its resources and operations by name: Native Code', async () => {
		const panel = await openNode('nativeCode', { resource: 'code', operation: 'get' });
		assert.deepEqual(await panel.choose('resource', 'Code'), [
			'Code',
			'Code Type',
			'Supported Entity',
		]);
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
		const panel = await openNode('nativePeople');
		assert.deepEqual(await panel.choose('resource', 'Person'), ['Person', 'Contact']);
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
		const panel = await openNode('nativeRecord', { operation: 'getAll' });
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
		const panel = await openNode('nativeBulkImportTrigger');
		assert.deepEqual(await panel.choose('watch', 'Specific Jobs'), ['All Jobs', 'Specific Jobs']);
		await panel.fill('jobIds', '90210, 90211');
		await panel.root.getByText('Ended (Any Way)').first().waitFor();
		await assertNoCutLabels(panel);
		await picture('native-bulk-import-trigger');
	});
});

void describe('an import by clicking', () => {
	const SIGN_UPS = [
		{ name: 'Ann', surname: 'Sample', mail: 'ann.sample@example.org', membership: 'M-1001' },
		{ name: 'Ben', surname: 'Example', mail: 'ben.example@example.org', membership: 'M-1002' },
		{ name: 'Cleo', surname: 'Muster', mail: 'cleo.muster(at)example.org', membership: 'M-1003' },
		{ name: 'Dora', surname: 'Test', mail: 'dora.test@example.org', membership: 'M-1004' },
	];
	let panel: NodePanel;

	before(async () => {
		// A new node begins with one mapping type chosen.
		panel = await openBehind(SIGN_UPS, 'nativeBulkImport', {
			resource: 'job',
			operation: 'createFromItems',
			mappingTypes: [],
		});
	});

	it('asks for the mapping types first, and shows no field and no error before', async () => {
		await panel.choose('operation', 'Import Items');
		assert.equal(await panel.root.getByText('Mapping Column Mode').count(), 0);
		const types = await panel.chooseFromList('resourceType', 'Contacts');
		assert.ok(types.includes('ContactsActivistCodes'), types.join());
		const mappingTypes = await panel.chooseSeveral('mappingTypes', [
			'Create or Update Contact (CreateOrUpdateContact)',
			'Apply External ID (ApplyExternalID)',
		]);
		assert.ok(!mappingTypes.some((name) => name.includes('Number 2')), mappingTypes.join());
		assert.ok(!mappingTypes.some((name) => name.includes('ContributionAdjustments')));
	});

	it('shows the fields of the service: required ones first, values by name', async () => {
		await panel.root.getByText('In this mode, make sure the incoming data fields').waitFor();
		await panel.chooseMappingMode('Map Each Column Manually');
		await panel.root.getByText('External ID', { exact: true }).waitFor();
		const kinds = await panel.choose('ApplyExternalID:ExternalIdTypeID', 'MemberNumber');
		assert.deepEqual(kinds, ['CrmId', 'MemberNumber', 'DWID']);
		for (const field of [/^First Name/, /^Last Name/, /^Email/])
			await panel.root.getByText(field).first().waitFor();
		await assertNoCutLabels(panel);
	});

	it('puts out the outcome of every item', async () => {
		await panel.fillExpression('ApplyExternalID:ExternalId', '{{ $json.membership }}');
		await panel.fillExpression('CreateOrUpdateContact:FirstName', '{{ $json.name }}');
		await panel.fillExpression('CreateOrUpdateContact:LastName', '{{ $json.surname }}');
		await panel.fillExpression('CreateOrUpdateContact:Email', '{{ $json.mail }}');
		await panel.choose('hosting', 'Upload (PUT)');
		await panel.fill('uploadUrl', `${running.sandbox.httpsUrl}/drop/sign-ups.zip?sig=sandbox`);
		await panel.execute();
		await panel.output.getByText('4 items: 3 imported, 1 failed; import job').waitFor();
		await panel.output.getByText('Invalid email address').first().waitFor();
		await panel.root.getByText('External ID Type').first().scrollIntoViewIfNeeded();
		// The values below the expressions are those of the row that was pointed at last.
		await panel.output.getByText('Ann').first().hover();
		await assertNoCutLabels(panel);
		await picture('resource-mapper');
	});

	it('runs the example: imported rows above, rejected rows below', async () => {
		const example = join(root, 'examples', 'import-items.json');
		await editor.openWorkflow(await running.importExample(example, credentialId));
		await editor.executeWorkflow();
		await editor.page.getByText('975 items').first().waitFor();
		await editor.page.getByText('25 items').first().waitFor();
		await picture('editor-import');
		const imported = await editor.openNode('Import Items');
		await imported.output.getByText('1000 items: 975 imported, 25 failed').waitFor();
		await imported.root.getByText('Fields', { exact: true }).waitFor();
		await picture('native-bulk-import');
	});
});

void describe('an error', () => {
	/** What the output panel says, as text. */
	async function readError(panel: NodePanel): Promise<string> {
		const error = panel.output
			.locator('[data-test-id="node-error-view"], .node-error-view')
			.first();
		await error.getByText(/\w/).first().waitFor();
		await panel.waitForEnd();
		return await error.innerText();
	}

	it('names the field that was misspelt and the one that was meant', async () => {
		const panel = await openBehind([{ mail: 'ann.sample@example.org' }], 'nativeBulkImport', {
			resource: 'job',
			operation: 'createFromItems',
			resourceType: { __rl: true, mode: 'list', value: 'Contacts' },
			mappingTypes: ['CreateOrUpdateContact'],
			fieldMap: {
				mappingMode: 'defineBelow',
				value: { 'CreateOrUpdateContact:Emial': '={{ $json.mail }}' },
				schema: [],
				matchingColumns: [],
			},
			description: 'Sign-ups of this week',
			hosting: 'put',
			uploadUrl: `${running.sandbox.httpsUrl}/drop/sign-ups.zip?sig=sandbox`,
		});
		await panel.execute();
		const text = await readError(panel);
		assert.match(text, /The service has no field "Emial" there\. Did you mean "Email"\?/);
	});

	it('names what was entered wrongly and says that nothing was sent', async () => {
		const panel = await openBehind(
			[{ name: 'Ann Sample', mail: 'ann.sample(at)example.org' }],
			'nativePeople',
			{ resource: 'person', operation: 'findOrCreate', email: '={{ $json.mail }}' },
		);
		await panel.execute();
		const text = await readError(panel);
		assert.match(text, /Email.* is not an email address/);
		assert.match(text, /Nothing was sent\. Correct "Email.*" and run the item again\./);
		await panel.root.getByText('ann.sample(at)example.org').nth(1).waitFor();
		await picture('error');
	});

	it('says that the service does not accept the key, and where to look', async () => {
		const wrong = running.credential('demo');
		const wrongId = await running.n8n.client.createCredential({
			...wrong,
			data: { ...wrong.data, apiKey: '99999999-9999-4999-8999-999999999999' },
		});
		const panel = await openBehind(
			[{ personId: 100001 }],
			'nativePeople',
			{ resource: 'person', operation: 'get' },
			wrongId,
		);
		await panel.execute();
		assert.match(await readError(panel), /key/i);
	});

	it('says that the service cannot be reached', async () => {
		const away = running.credential('demo');
		const awayId = await running.n8n.client.createCredential({
			...away,
			data: { ...away.data, baseUrl: 'https://127.0.0.1:9' },
		});
		const panel = await openBehind(
			[{ personId: 100001 }],
			'nativePeople',
			{ resource: 'person', operation: 'get' },
			awayId,
		);
		await panel.execute();
		assert.match(await readError(panel), /reach/i);
	});
});

void describe('the credential', () => {
	const WINDOW = '[data-test-id="editCredential-modal"]';

	/** The window of a credential that a test may change. */
	async function open(deployment = 'other'): Promise<NodePanel> {
		const demo = running.credential('demo');
		const data = { ...demo.data, deployment };
		const id = await running.n8n.client.createCredential({ ...demo, data });
		await editor.goTo(`/home/credentials/${id}`);
		const form = new NodePanel(editor.page, WINDOW);
		await form.parameter('baseUrl').waitFor();
		return form;
	}

	it('is tested when it is opened, and says so', async () => {
		const form = await open('native');
		await form.root.getByText('Connection tested successfully').waitFor();
		await assertNoCutLabels(form);
		await picture('credential', form.root);
	});

	it('asks for the three rates of a manual tier only', async () => {
		const form = await open();
		assert.equal(await form.parameter('rateHigh').count(), 0);
		await form.choose('rateTier', 'Manual');
		for (const rate of ['rateHigh', 'rateMedium', 'rateLow']) await form.parameter(rate).waitFor();
		await form.choose('authentication', 'Header (apiKey)');
		await form.parameter('username').waitFor({ state: 'detached' });
	});

	it('says what is wrong with a key that the service does not accept', async () => {
		const form = await open();
		await form.fill('apiKey', '99999999-9999-4999-8999-999999999999');
		await editor.page.locator('[data-test-id="credential-save-button"]').click();
		await form.root.getByText('More details').click();
		await form.root
			.getByText(/The service did not accept this key/)
			.first()
			.waitFor();
	});

	it('asks only for what a known deployment leaves open', async () => {
		const form = await open();
		await form.choose('deployment', 'EveryAction / NGP VAN (v4)');
		for (const shown of ['username', 'apiKey', 'databaseMode'])
			await form.parameter(shown).waitFor();
		for (const hidden of ['baseUrl', 'apiVersion', 'identifierPrefix', 'rateTier'])
			assert.equal(await form.parameter(hidden).count(), 0, hidden);
		await form.choose('deployment', 'Native Interface (v2)');
		await form.parameter('baseUrl').waitFor();
		assert.equal(await form.parameter('username').count(), 0);
	});
});

it('a node can be given to an agent as a tool', async () => {
	const workflow = await running.n8n.client.createWorkflow({
		name: 'Ask about supporters',
		nodes: [
			{
				id: 'agent',
				name: 'AI Agent',
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion: 2.2,
				position: [0, 0],
				parameters: {},
			},
		],
		connections: {},
	});
	await editor.openWorkflow(workflow);
	await editor
		.node('AI Agent')
		.locator('[data-connection-type="ai_tool"] [data-test-id="canvas-handle-plus"]')
		.click();
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
	after(async () => await editor.useTheme('light'));

	for (const [theme, file] of Object.entries({
		light: 'native.svg',
		dark: 'native.dark.svg',
	}) as Array<[Theme, string]>) {
		it(`stand out from the canvas in the ${theme} theme`, async () => {
			await editor.openWorkflow(await workflowOf(NODE_TYPES));
			await editor.useTheme(theme);
			for (const type of NODE_TYPES) {
				const node = editor.node(NODES[type]);
				await node.waitFor();
				const { source, contrast } = await iconOn(node);
				assert.ok(source.endsWith(`/${file}`), source);
				assert.ok(contrast >= 3, `${contrast} to 1`);
			}
			await picture(`nodes-${theme}`);
		});
	}
});

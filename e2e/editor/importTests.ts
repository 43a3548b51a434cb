import assert from 'node:assert/strict';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { assertNoCutLabels, editor, node, openBehind, picture, running } from './editorTests';
import type { NodePanel } from './nodePanel';

void describe('an import by clicking', () => {
	const SIGN_UPS = [
		{ name: 'Ann', surname: 'Sample', mail: 'ann.sample@example.org', membership: 'M-1001' },
		{ name: 'Ben', surname: 'Example', mail: 'ben.example@example.org', membership: 'M-1002' },
		{ name: 'Cleo', surname: 'Muster', mail: 'cleo..muster@example.org', membership: 'M-1003' },
		{ name: 'Dora', surname: 'Test', mail: 'dora.test@example.org', membership: 'M-1004' },
	];
	let panel: NodePanel;

	before(async () => {
		// A new node begins with one mapping type chosen.
		panel = await openBehind(
			SIGN_UPS,
			node('nativeBulkImport', {
				resource: 'job',
				operation: 'createFromItems',
				mappingTypes: [],
			}),
		);
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
		await panel.choose('columns', 'Chosen Here');
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
		await panel.choose('whatShouldHappen', 'Import');
		await panel.choose('hosting', 'Upload (PUT)');
		await panel.fill('uploadUrl', `${running.sandbox.httpsUrl}/drop/sign-ups.zip?sig=sandbox`);
		await panel.execute();
		await panel.output.getByText('4 items: 3 imported, 1 failed; import job').waitFor();
		await panel.showTable();
		await panel.output.getByText('Invalid email address').first().waitFor();
		await panel.root.getByText('External ID Type').first().scrollIntoViewIfNeeded();
		// The values below the expressions are those of the row that was pointed at last.
		await panel.output.getByText('Ann').first().hover();
		await assertNoCutLabels(panel);
		await picture('resource-mapper');
	});

	it('runs the example: imported rows above, rejected rows below', async () => {
		const example = join(__dirname, '..', '..', 'examples', 'import-items.json');
		await editor.openWorkflow(await running.importExample(example, running.credentialId));
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

it('an error names what was entered wrongly and says that nothing was sent', async () => {
	const panel = await openBehind(
		[{ name: 'Ann Sample', mail: 'ann.sample(at)example.org' }],
		node('nativePeople', {
			resource: 'person',
			operation: 'findOrCreate',
			email: '={{ $json.mail }}',
		}),
	);
	await panel.execute();
	const error = panel.output.locator('[data-test-id="node-error-view"], .node-error-view').first();
	await error.getByText(/\w/).first().waitFor();
	await panel.waitForEnd();
	const text = await error.innerText();
	assert.match(text, /Email.* is not an email address/);
	assert.match(text, /Nothing was sent\. Correct it and run it again\./);
	await panel.root.getByText('ann.sample(at)example.org').nth(1).waitFor();
	await picture('error');
});

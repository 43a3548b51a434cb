import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { examplesFolder } from '../hosts/importOutcome';
import { waitUntil } from '../hosts/waitUntil';
import { changeNode, itemsWorkflow, postNode } from '../hosts/workflows';
import { assertSuccess, countStatus, n8nForTests, outputOf } from './testN8n';

/** What n8n remembers of rows and items, in its own database, over kills. */
const running = n8nForTests();

it('imports only the rows that changed since the last night, also after a kill', async () => {
	const ROWS = 1000;
	const list = join(running.filesFolder, 'list.csv');
	const save = (changed: number) => {
		const rows = Array.from({ length: ROWS }, (_, i) => {
			const mail = `${i < changed ? 'new' : 'p'}${i}@example.org`;
			return `First${i},Last${i},${mail},c-${i}`;
		});
		writeFileSync(list, ['FirstName,LastName,Email,CrmId', ...rows].join('\n'));
	};
	save(0);
	const path = join(examplesFolder, 'import-changes.json');
	const stored = await running.importExample(path, running.credentialId, { contactsFile: list });
	const mapping = { mappingTypes: ['CreateOrUpdateContact'], columns: 'recognized' };
	const mapped = changeNode('Import Items', mapping);
	const workflow = await running.n8n.client.copyWorkflow(stored, mapped);
	const night = async () => {
		const execution = await running.n8n.client.run(workflow, 'Every Night');
		assertSuccess(execution);
		const imported = countStatus(execution, 'imported');
		return { imported, unchanged: countStatus(execution, 'unchanged') };
	};
	assert.deepEqual(await night(), { imported: ROWS, unchanged: 0 });
	await running.crashN8n();
	save(20);
	assert.deepEqual(await night(), { imported: 20, unchanged: ROWS - 20 });
	await running.crashN8n();
	assert.deepEqual(await night(), { imported: 0, unchanged: ROWS });
});

it('sends each item once, also after a kill, and names those in doubt', async () => {
	const { sandbox } = running;
	const people = sandbox.control
		.people('demo')
		.slice(0, 5)
		.map(({ nativeId }) => ({ personId: nativeId, callId: `call-${nativeId}` }));
	const post = postNode(running.credentialId);
	const parameters = {
		...post.parameters,
		nativeId: '={{ $json.personId }}',
		options: { sendOnceKey: '={{ $json.callId }}' },
	};
	const onError = 'continueRegularOutput' as const;
	const workflow = await running.n8n.client.createWorkflow(
		itemsWorkflow(people, [{ ...post, parameters, onError }]),
	);
	const posted = () => sandbox.control.canvassResponses('demo').length;
	sandbox.control.addFault({
		method: 'POST',
		pathPrefix: '/people',
		skip: 2,
		fault: { kind: 'noResponse', executed: true },
	});
	const id = await running.n8n.client.start(workflow, 'Start');
	await waitUntil('all are posted', () => posted() === people.length);
	// Long enough that n8n remembers the others.
	await wait(1000);
	await running.crashN8n();
	assert.notEqual(await running.n8n.client.statusOf(id), 'success');
	const execution = await running.n8n.client.run(workflow, 'Start');
	const ends = outputOf(execution, 'Post').map((json) => ('error' in json ? 'in doubt' : 'sent'));
	assert.deepEqual(ends.sort(), ['in doubt', 'sent', 'sent', 'sent', 'sent']);
	assert.equal(posted(), people.length);
});

import assert from 'node:assert/strict';
import { parse } from 'csv-parse/sync';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { unzip } from '../../test/engine/support/unzipped';
import { postsTo } from '../canvassShift';
import { startScriptedChatModel } from '../scriptedChatModel';
import { assertSuccess, only, outputOf, valuesOf } from '../testN8n';
import {
	example,
	people,
	responsesByPerson,
	runExample,
	running,
	runWorkflow,
	store,
	storeWithCredential,
} from './exampleTests';

example(
	'activist-code-to-list.json',
	'applies an activist code, given by its name, to the people of a list',
	async () => {
		const execution = await runExample('activist-code-to-list.json');
		assert.deepEqual(valuesOf(execution, 'Applied', 'id'), ['demo-1', 'demo-2', 'demo-3']);
		const failed = only(outputOf(execution, 'To Do by Hand'));
		assert.equal(failed.id, 'nobody-9');
		assert.deepEqual(
			// Different people's requests run side by side, and arrive in any order.
			postsTo(running.sandbox)
				.map(({ path }) => path.split('/')[3])
				.sort(),
			['demo-1', 'demo-2', 'demo-3', 'nobody-9'].map((id) => `CrmId:${id}`),
		);
	},
);

example('saved-list-people.json', 'brings the people of a saved list into n8n', async () => {
	// What `npm start` has imported: names with commas and quotation marks.
	await runExample('import-contacts.json');
	const execution = await runExample('saved-list-people.json', { secondsBetweenChecks: 1 });
	const found = outputOf(execution, 'People');
	const names = people().map(({ fields }) => fields.lastName);
	assert.ok(names.includes('The "Quoted" Family') && names.includes('Placeholder, Jr.'));
	assert.deepEqual(
		found.map(({ personId, firstName, lastName }) => [personId, firstName, lastName]),
		people().map(({ nativeId, fields: { firstName = '', lastName = '' } }) => [
			nativeId,
			firstName,
			lastName,
		]),
	);
});

example(
	'failed-posts-to-file.json',
	'saves what could not be posted to a file for an upload by hand',
	async () => {
		// Executed, but the response is lost: the outcome is unknown, so it is not retried.
		running.sandbox.control.addFault({
			method: 'POST',
			pathPrefix: '/people/100003/canvassResponses',
			fault: { kind: 'resetAfter' },
		});
		const workflow = await store('failed-posts-to-file.json');
		const execution = await runWorkflow(workflow);

		assert.deepEqual(valuesOf(execution, 'Posted', 'personId'), [100001, 100002, 100005]);
		const savedFiles = () =>
			readdirSync(running.filesFolder).filter((name) =>
				/^failed-posts-\d{4}-\d\d-\d\d-\d{6}\.zip$/.test(name),
			);
		const firstShift = only(savedFiles());
		const zip = readFileSync(join(running.filesFolder, firstShift));
		const file = (await unzip(zip)).get('failed-posts.csv')?.toString('utf8') ?? '';
		const saved = z
			.array(z.object({ Reason: z.string().min(1) }).passthrough())
			.parse(parse(file, { columns: true }));
		assert.deepEqual(
			saved.map((row) => [
				row.NativeId,
				row.Phone,
				row.ResultCodeId,
				row.DateCanvassed,
				row.MayBeStored,
			]),
			[
				['100003', '907-555-0102', '1', '2026-03-02', 'check first'],
				['100004', '907-555-0103', '9999', '2026-03-02', 'no'],
				['999999', '907-555-0108', '1', '2026-03-02', 'no'],
			],
		);
		const response = (nativeId: number, resultCodeId: number) => ({
			nativeId,
			body: {
				canvassContext: {
					contactTypeId: 1,
					dateCanvassed: '2026-03-02',
					phone: { phoneNumber: `907555010${nativeId - 100_001}` },
				},
				resultCodeId,
			},
		});
		assert.deepEqual(responsesByPerson(), [
			response(100_001, 1),
			response(100_002, 19),
			response(100_003, 1),
			response(100_005, 1),
		]);

		// The next shift leaves the file of this one as it is. Files are named to the second.
		await wait(1000);
		await runWorkflow(workflow);
		assert.equal(savedFiles().length, 2);
		assert.deepEqual(readFileSync(join(running.filesFolder, firstShift)), zip);
	},
);

/** Asks the agent of the example; the model says what `reply` makes of the conversation. */
async function askAgent(question: string, reply: Parameters<typeof startScriptedChatModel>[0]) {
	const model = await startScriptedChatModel(reply);
	try {
		const workflow = await storeWithCredential(await store('ai-agent-people.json'), 'Chat Model', {
			name: 'Scripted model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: model.url },
		});
		const triggered = { sessionId: 'a-session', action: 'sendMessage', chatInput: question };
		const execution = await running.n8n.client.run(workflow, 'Chat', { triggered });
		assertSuccess(execution);
		return { requests: model.requests, said: String(outputOf(execution, 'AI Agent')[0]?.output) };
	} finally {
		await model.close();
	}
}

/** The import that the assistant of another example proposes looks people up for some time. */
const callsAbout = (name: string) =>
	running.sandbox.requests.filter(({ body }) => JSON.stringify(body ?? null).includes(name));

example(
	'ai-agent-people.json',
	'an agent finds a person with the tool that its model asks for',
	async () => {
		const question = 'Is avery.sample@demo.example.org in our database?';
		const { requests, said } = await askAgent(question, (messages) => {
			const last = messages.at(-1);
			if (last?.role !== 'tool') {
				return { tool: 'Find_Person', args: { Email: 'avery.sample@demo.example.org' } };
			}
			return { say: `The tool said: ${String(last.content)}` };
		});
		const [asked, afterTool] = requests;
		assert.equal(requests.length, 2);
		assert.match(JSON.stringify(asked?.messages), new RegExp(question.replace('?', '\\?')));
		const tool = only(asked?.tools ?? []);
		assert.equal(tool.function.name, 'Find_Person');
		assert.deepEqual(Object.keys(tool.function.parameters.properties).sort(), [
			'Email',
			'First_Name',
			'Last_Name',
			'Phone',
			'Street',
			'ZIP',
		]);
		assert.match(String(afterTool?.messages.at(-1)?.content), /"personId":100001/);
		assert.match(said, /"personId":100001/);
		const call = only(callsAbout('avery.sample@demo.example.org'));
		assert.equal(call.path, '/v2/people/find');
		assert.deepEqual(call.body, {
			emails: [{ email: 'avery.sample@demo.example.org' }],
		});
	},
);

example(
	'ai-agent-people.json',
	'an agent learns what its question lacks, and continues',
	async () => {
		const { requests, said } = await askAgent('Is Avery in our database?', (messages) => {
			const last = messages.at(-1);
			if (last?.role !== 'tool') return { tool: 'Find_Person', args: { First_Name: 'Avery' } };
			return { say: `Something is missing: ${String(last.content)}` };
		});
		assert.equal(requests.length, 2);
		assert.match(said, /^Something is missing: .*does not have enough data to match/);
		assert.deepEqual(callsAbout('Avery'), []);
	},
);

import type { IDataObject, INodeParameters, INodeType } from 'n8n-workflow';

import { byId, byName } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { NativeCanvassResponse } from '../../nodes/NativeCanvassResponse/NativeCanvassResponse.node';
import { NativeCode } from '../../nodes/NativeCode/NativeCode.node';
import { NativePeople } from '../../nodes/NativePeople/NativePeople.node';
import { NativeRecord } from '../../nodes/NativeRecord/NativeRecord.node';
import { callAsTool, type ToolCalling, type ToolUse } from './support/agent';
import { useSandbox } from './support/sandboxed';
import { fromAI } from './support/toolText';

const service = useSandbox();

const CALLINGS: ToolCalling[] = ['byEngine', 'inProcess'];
/** The first person of the seed. */
const PERSON = 100_001;

describe.each(CALLINGS)('a node that an agent calls %s', (calling) => {
	const callTool = async (
		node: INodeType,
		parameters: INodeParameters,
		args: IDataObject,
	): Promise<ToolUse> => await callAsTool({ ...service.setup(node), parameters }, args, calling);

	it('finds a person by the values of the model', async () => {
		const { tool, response } = await callTool(
			new NativePeople(),
			{
				resource: 'person',
				operation: 'find',
				firstName: fromAI('firstName', 'First name', 'string'),
				lastName: fromAI('lastName', 'Last name', 'string'),
				email: fromAI('email', 'Email address, if it is known', 'string'),
			},
			{ firstName: 'Avery', lastName: 'Sample', email: 'avery.sample@demo.example.org' },
		);
		expect(tool).toMatchObject({
			description: 'Find person in Native People',
			parameters: {
				properties: {
					firstName: { type: 'string', description: 'First name' },
					lastName: { type: 'string', description: 'Last name' },
					email: { type: 'string', description: 'Email address, if it is known' },
				},
			},
		});
		expect(service.calls()).toMatchObject([
			{
				method: 'POST',
				path: '/v2/people/find',
				body: {
					firstName: 'Avery',
					lastName: 'Sample',
					emails: [{ email: 'avery.sample@demo.example.org' }],
				},
			},
		]);
		expect(response).toMatchObject([{ matchStatus: 'matched', personId: PERSON }]);
	});

	it('finds a person although the model leaves values empty', async () => {
		const { response } = await callTool(
			new NativePeople(),
			{
				resource: 'person',
				operation: 'find',
				firstName: fromAI('firstName', 'First name', 'string'),
				phone: fromAI('phone', 'Phone number', 'string'),
				email: fromAI('email', 'Email address', 'string'),
			},
			{ firstName: '', phone: '', email: 'avery.sample@demo.example.org' },
		);
		expect(service.calls()[0]?.body).toEqual({
			emails: [{ email: 'avery.sample@demo.example.org' }],
		});
		expect(response).toMatchObject([{ matchStatus: 'matched', personId: PERSON }]);
	});

	it('leaves out what the model writes as null in JSON, also in a part of it', async () => {
		const record = `={"name":"Rally","notes":"${fromAI('notes', 'Notes', 'string').slice(1)}","tags":["a","null"]}`;
		const { response } = await callTool(
			new NativeRecord(),
			{
				resource: 'record',
				operation: 'create',
				resourceName: byName('events'),
				recordJson: record,
				options: { dryRun: true },
			},
			{ notes: 'null' },
		);
		expect(response).toMatchObject([{ request: { body: { name: 'Rally', tags: ['a'] } } }]);
		expect(JSON.stringify(response)).not.toContain('notes');
	});

	it.each<[string, INodeParameters, string[]]>([
		['without empty properties', {}, ['codeId', 'name', 'codeType']],
		['with every property', { output: 'raw' }, ['codeId', 'name', 'description']],
		[
			'with the named properties',
			{ output: 'selectedFields', fieldsToReturn: 'Name, codeId,nothing' },
			['name', 'codeId'],
		],
	])('returns a record %s', async (_, output, names) => {
		const { response } = await callTool(
			new NativeCode(),
			{ resource: 'code', operation: 'get', codeId: byId('503'), ...output },
			{},
		);
		const [code = {}] = response as IDataObject[];
		for (const name of names) expect(code).toHaveProperty(name);
		const hasBlanks = Object.values(code).some((value) => value === null);
		expect(hasBlanks).toBe(output.output === 'raw');
		if (output.output === 'selectedFields') expect(Object.keys(code)).toEqual(names);
	});

	it.each<[string, INodeType, INodeParameters, string]>([
		[
			'lookups',
			new NativeCanvassResponse(),
			{ resource: 'activistCode', operation: 'getAll' },
			'name',
		],
		[
			'mapping types',
			new NativeBulkImport(),
			{ resource: 'mappingType', operation: 'getAll' },
			'name',
		],
	])('returns the named properties of %s', async (_, node, operation, name) => {
		const { response } = await callTool(
			node,
			{ ...operation, output: 'selectedFields', fieldsToReturn: name },
			{},
		);
		const records = response as IDataObject[];
		expect(records.length).toBeGreaterThan(1);
		expect(new Set(records.flatMap((record) => Object.keys(record)))).toEqual(new Set([name]));
	});

	it('posts a canvass response with the codes of the model', async () => {
		const { response } = await callTool(
			new NativeCanvassResponse(),
			{
				resource: 'canvassResponse',
				operation: 'create',
				nativeId: fromAI('personId', 'Number of the person', 'number'),
				canvassContext: { contactTypeId: byId('2') },
				resultCodeId: byId(fromAI('resultCodeId', '1 is not home, 2 is refused', 'number')),
			},
			{ personId: PERSON, resultCodeId: 1 },
		);
		const body = { canvassContext: { contactTypeId: 2 }, resultCodeId: 1 };
		expect(service.calls()).toMatchObject([
			{ method: 'POST', path: `/v2/people/${PERSON}/canvassResponses`, body },
		]);
		expect(response).toEqual([{ created: true, personId: PERSON, nativeId: PERSON, ...body }]);
	});

	it('lists records of the resource of the model, not more than it asked for', async () => {
		const { response } = await callTool(
			new NativeRecord(),
			{
				resource: 'record',
				operation: 'getAll',
				resourceName: byName(fromAI('resourceName', 'Kind of record, e.g. events', 'string')),
				limit: fromAI('limit', 'How many records', 'number'),
			},
			{ resourceName: 'events', limit: 1 },
		);
		expect(service.calls()).toMatchObject([{ method: 'GET', path: '/v2/events' }]);
		expect(response).toEqual([expect.objectContaining({ eventId: expect.any(Number) as number })]);
	});

	it('says what is wrong with a value before anything is sent', async () => {
		const { response, error } = await callTool(
			new NativeBulkImport(),
			{ resource: 'job', operation: 'get', jobId: fromAI('jobId', 'Number', 'string') },
			{ jobId: 'the last one' },
		);
		expect(response).toBeUndefined();
		expect(error).toMatch(
			/^Correct Job ID \(ask the person for what you do not know\), then call this tool again\. Job ID: "the last one" is not an ID/,
		);
		expect(service.calls()).toEqual([]);
	});
});

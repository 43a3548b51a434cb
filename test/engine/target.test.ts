import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { itemImport, personMap, reportOf, totalsOf } from './support/itemImports';
import { DEMO_KEY, useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();
const items = [{ json: { 'First Name': 'Ann', 'Last Name': 'Lee', Mail: 'ann@example.org' } }];

/** The best-known deployment, which tells what a key opens. */
const V4 = { apiVersion: 'v4', databaseMode: '1', identifierPrefix: 'Van' };

const run = async (options: INodeParameters, credential: ICredentialDataDecryptedObject = {}) =>
	await service.run(
		node,
		itemImport(service, personMap, { options: { pollInterval: 0.05, ...options } }),
		{ items, credential },
	);
const plannedTarget = async (credential: ICredentialDataDecryptedObject = {}) => {
	const { outputs, error } = await run({ dryRun: true }, credential);
	expect(error).toBeUndefined();
	return totalsOf({ outputs }).target;
};
const reportText = async (credential: ICredentialDataDecryptedObject = {}) =>
	await reportOf(await run({ report: true }, credential));
const profileCalls = () => service.calls().filter(({ path }) => path.endsWith('/apiKeyProfiles'));

describe('into which database', () => {
	it('names the tenant, the database, the address and the end of the key in a dry run', async () => {
		expect(await plannedTarget(V4)).toBe(
			`Sandbox demo, Committee of demo, campaign database at ${service.sandbox.url}/v4, key "…${DEMO_KEY.slice(-2)}"`,
		);
	});

	it('says so in the report', async () => {
		expect(await reportText(V4)).toContain(
			`<p>Database: Sandbox demo, Committee of demo, campaign database at ${service.sandbox.url}/v4, key &quot;…11&quot;.</p>`,
		);
	});

	it.each([
		['a deployment without key profiles', {}, {}],
		['a key that may not read them', V4, { rejected: ['/apiKeyProfiles'] }],
	])('does without the name for %s, in one request', async (_, credential, change) => {
		service.change(change);
		const place = 'apiVersion' in credential ? 'campaign database at ' : '';
		const version = 'apiVersion' in credential ? 'v4' : 'v2';
		const target = `${place}${service.sandbox.url}/${version}, key "…11"`;
		expect(await plannedTarget(credential)).toBe(target);
		expect(profileCalls()).toHaveLength(1);
		expect(await reportText(credential)).toContain(target.replaceAll('"', '&quot;'));
	});

	it.each(['{"items":[]}', '{"items":[null]}', '{"items":[{"databaseName":7}]}', '"x"', '<html>'])(
		'does without the name where the response is %s',
		async (body) => {
			service.addFault({ kind: 'response', status: 200, body }, '/apiKeyProfiles');
			expect(await plannedTarget(V4)).toBe(
				`campaign database at ${service.sandbox.url}/v4, key "…11"`,
			);
		},
	);

	it('does not ask for it in an import without a report', async () => {
		await run({}, V4);
		expect(profileCalls()).toEqual([]);
	});
});

import * as fc from 'fast-check';
import type { INodeParameters } from 'n8n-workflow';

import { byName } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { repetitions } from '../support/randomCases';
import { itemImport, personMap } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();

const node = new NativeBulkImport();
const items = [{ json: { 'First Name': 'Ada', 'Last Name': 'Example', Mail: 'ada@example.org' } }];

/** In no output by chance, and the same in every encoding. */
const MARK = 'Kq7xZw';
const strange = fc.string({ unit: fc.constantFrom(...' "\'<>&#/?%@:\\+é🎉.a1'), maxLength: 4 });
const addresses = fc
	.tuple(strange, strange, fc.constantFrom('https', 'sftp', 'http'), fc.boolean())
	.map(([before, after, scheme, isEncoded]) => {
		const password = `${before}${MARK}${after}`;
		const written = isEncoded ? encodeURIComponent(password) : password;
		return `${scheme}://bob:${written}@files.example.org/{file}?sig=1`;
	});

const job = (sourceUrl: string): INodeParameters => ({
	resource: 'job',
	operation: 'create',
	defineJob: 'fields',
	description: 'Sign-ups',
	fileName: 'rows.csv',
	sourceUrl,
	hasHeader: true,
	columns: 'FirstName, LastName',
	actions: {
		action: [
			{
				resourceType: byName('Contacts'),
				mappingTypes: {
					mappingType: [{ name: byName('CreateOrUpdateContact') }],
				},
			},
		],
	},
});
const jobJson = (sourceUrl: string): INodeParameters => ({
	resource: 'job',
	operation: 'create',
	defineJob: 'json',
	jobJson: JSON.stringify({
		description: 'Sign-ups',
		file: { sourceUrl, fileName: 'rows.csv', columns: [{ name: 'FirstName' }] },
		actions: [
			{
				resourceType: 'Contacts',
				actionType: 'loadMappedFile',
				mappingTypes: [{ name: 'CreateOrUpdateContact' }],
			},
		],
	}),
});
const importOf = (downloadUrl: string): INodeParameters =>
	itemImport(service, personMap, { downloadUrl });

const uploadTo = (address: string): INodeParameters => ({
	...importOf('https://files.example.org/{file}'),
	uploadUrl: address
		.replace(/^\w+/, 'http')
		.replace('files.example.org', new URL(service.sandbox.url).host),
});

test.each<[string, (address: string) => INodeParameters]>([
	['Create with fields', job],
	['Create with JSON', jobJson],
	['Import Items', importOf],
	['Import Items, where the file is uploaded', uploadTo],
])('no output of %s shows the password of an address', async (_, parametersOf) => {
	await fc.assert(
		fc.asyncProperty(addresses, fc.boolean(), fc.boolean(), async (address, dryRun, repeats) => {
			service.sandbox.control.reset();
			const text = repeats ? `${address} is refused: ${encodeURI(address)}` : 'refused';
			service.addFault(
				{ kind: 'response', status: 400, body: { errors: [{ code: 'INVALID', text }] } },
				'POST /bulkImportJobs',
			);
			const options = { pollInterval: 0.05, dryRun };
			const parameters = { ...parametersOf(address), options };
			for (const onError of ['stopWorkflow', 'continueErrorOutput'] as const) {
				const run = await service.run(node, parameters, { items, onError });
				const { message = '', description = '', stack = '' } = run.error ?? {};
				// The node of the workflow, which n8n adds to errors, is what the user entered.
				const output = JSON.stringify(run, (key, value: unknown) =>
					key === 'node' ? undefined : value,
				);
				const shown = [output, message, description, stack].join('\n');
				expect(shown).not.toContain(MARK);
			}
		}),
		{ numRuns: repetitions(20) },
	);
});

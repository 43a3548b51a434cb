import { byName } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { searchList } from './support/editor';
import { fieldsOf, jobWith } from './support/importJobs';
import { RESTRICTED_KEY, useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

describe('discovery', () => {
	it('lists mapping types, whichever form the list has', async () => {
		const list = { resource: 'mappingType', operation: 'getAll', returnAll: true, options: {} };
		const envelope = await service.run(node, list);
		service.change({ styles: { mappingTypeResponses: 'array' } });
		const array = await service.run(node, list);

		const names = envelope.outputs[0]?.map(({ json }) => json.name);
		expect(names).toEqual(
			expect.arrayContaining(['CreateOrUpdateContact', 'MailingAddress', 'Jobs']),
		);
		expect(array.outputs[0]?.map(({ json }) => json.name)).toEqual(names);
	});

	it('reads one mapping type and the values of its fields', async () => {
		const one = await service.run(node, {
			resource: 'mappingType',
			operation: 'get',
			mappingTypeName: byName('Phones'),
			options: {},
		});
		expect(one.outputs[0]?.[0]?.json).toMatchObject({ name: 'Phones' });

		const values = await service.run(node, {
			resource: 'mappingType',
			operation: 'getFieldValues',
			mappingTypeName: byName('Phones'),
			fieldName: byName('PhoneTypeID'),
			returnAll: false,
			limit: 3,
			options: {},
		});
		expect(values.outputs[0]?.map(({ json }) => json.id)).toHaveLength(3);
	});

	it.each([
		[{ type: '', field: 'PhoneTypeID' }, 'Mapping Type'],
		[{ type: 'Phones', field: '' }, 'Field'],
		[{ type: '..', field: 'PhoneTypeID' }, 'Mapping Type'],
	])('names the field on the screen that is empty: %j', async (json, label) => {
		const run = await service.run(
			node,
			{
				resource: 'mappingType',
				operation: 'getFieldValues',
				mappingTypeName: byName('={{ $json.type }}'),
				fieldName: byName('={{ $json.field }}'),
			},
			{ items: [{ json }] },
		);
		expect(run.error?.message).toMatch(new RegExp(`^${label} is empty or cannot be part of`));
		expect(service.sandbox.requests).toEqual([]);
	});

	it('fills the lists of the editor', async () => {
		const setup = service.setup(node);
		const resources = await searchList({
			...setup,
			method: 'searchResourceTypes',
			filter: 'contr',
		});
		expect(resources.results.map(({ value }) => value)).toContain('Contributions');

		const types = await searchList({ ...setup, method: 'searchMappingTypes', filter: 'mailing' });
		expect(types.results).toEqual([expect.objectContaining({ value: 'MailingAddress' })]);

		const fields = await searchList({
			...setup,
			method: 'searchMappingFields',
			parameters: fieldsOf(jobWith('NativeId', [{ name: 'Phones' }])),
		});
		expect(fields.results.map(({ value }) => value)).toEqual(
			expect.arrayContaining(['Phone', 'PhoneTypeID']),
		);

		const withValues = await searchList({
			...setup,
			method: 'searchFieldsWithValues',
			parameters: {
				resource: 'mappingType',
				operation: 'getFieldValues',
				mappingTypeName: byName('Phones'),
			},
		});
		expect(withValues.results.map(({ value }) => value)).toContain('PhoneTypeID');
		expect(withValues.results.map(({ value }) => value)).not.toContain('Phone');
	});

	it('says why a list cannot be read', async () => {
		await expect(
			searchList({
				...service.setup(node, { apiKey: RESTRICTED_KEY }),
				method: 'searchMappingTypes',
			}),
		).rejects.toMatchObject({
			message: 'This key is not allowed to use GET /bulkImportMappingTypes',
		});
	});
});

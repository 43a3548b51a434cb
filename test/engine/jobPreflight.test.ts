import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import {
	asJson,
	column,
	credentialOf,
	type FieldMapping,
	fieldsOf,
	type Job,
	jobsOf,
	jobWith,
	peopleJob,
	same,
	type Vendor,
	vendors,
} from './support/importJobs';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

describe('the preflight', () => {
	const fixed = (fieldName: string, staticValue: string): FieldMapping => ({
		fieldName,
		staticValue,
	});
	const contact = (...fieldValueMappings: FieldMapping[]): Job =>
		jobWith('FirstName Other', [
			{
				name: 'CreateOrUpdateContact',
				fieldValueMappings: [...same('FirstName'), ...fieldValueMappings],
			},
		]);
	const phones = (...fieldValueMappings: FieldMapping[]): Job =>
		jobWith('NativeId Phone Kind', [{ name: 'Phones', fieldValueMappings }]);
	const customFields = (group: FieldMapping, fields: string): Job =>
		jobWith('NativeId Group CF301 CF311', [
			{ name: 'ApplyContactCustomFields', fieldValueMappings: [group, ...same(fields)] },
		]);
	const good = phones(...same('Phone'), fixed('PhoneTypeID', 'C'));
	const bad = jobWith('NativeId Phone', [{ name: 'Phone' }]);
	const posts = () => service.calls().filter(({ method }) => method === 'POST');
	const paths = () => service.calls().map(({ path }) => path.replace('/v2/bulkImport', ''));

	/** What is wrong with a job, in which field of the screen, and where in the body. */
	const rejections: Array<[string, Job, string, string, string]> = [
		[
			'an unknown mapping type',
			bad,
			'Mapping Type 1',
			'name',
			': The service has no mapping type "Phone" for this key. Did you mean "Phones"?',
		],
		[
			'a mapping type of another resource type',
			{
				...good,
				actions: good.actions.map((action) => ({
					...action,
					resourceType: 'ActivistCodes',
				})),
			},
			'Mapping Type 1',
			'name',
			': "Phones" is for Contacts, not for ActivistCodes. Remove it, or choose another resource type.',
		],
		[
			'an unknown field',
			contact(column('LastNam', 'Other')),
			'Mapping Type 1 → Field Value Mapping 2 → Field',
			'fieldValueMappings[1].fieldName',
			': The service has no field "LastNam" there. Did you mean "LastName"?',
		],
		[
			'a column for a field that takes one value',
			contact(column('DoNotUpdateBest', 'Other')),
			'Mapping Type 1 → Field Value Mapping 2',
			'fieldValueMappings[1]',
			': "DoNotUpdateBest" takes one fixed value for the whole import. Enter it instead of a column or an expression.',
		],
		[
			'a required field that is not mapped',
			phones(...same('Phone')),
			'Mapping Type 1 → Field Value Mappings',
			'fieldValueMappings',
			': "PhoneTypeID" is required. Map a column to it, or enter one value for all rows.',
		],
		[
			'columns that are no fields',
			jobWith('NativeId Given Family', [{ name: 'Salutations' }]),
			'Mapping Type 1 → Field Value Mappings',
			'fieldValueMappings',
			': Nothing is mapped to Salutations. Map at least one of its fields, or remove the mapping type.',
		],
		[
			'a field without its parent',
			contact(fixed('PhoneCountryCode', 'US')),
			'Mapping Type 1 → Field Value Mapping 2',
			'fieldValueMappings[1]',
			': "PhoneCountryCode" can only be imported together with Phone. Map that too.',
		],
		[
			'a static value that is not accepted',
			phones(...same('Phone'), fixed('PhoneTypeID', 'Cel')),
			'Mapping Type 1 → Field Value Mapping 2 → Static Value',
			'fieldValueMappings[1].staticValue',
			`: "Cel" is not in the service's list. The nearest names are "Cell", "Fax", "Home".`,
		],
		[
			'a custom field of another group',
			customFields(fixed('CustomFieldGroupID', '201'), 'CF301 CF311'),
			'Mapping Type 1 → Field Value Mapping 3',
			'fieldValueMappings[2]',
			': "CF311" belongs to the custom field group 202, not to 201. Correct CustomFieldGroupID, or map the field in a separate mapping type: each takes the fields of one group only.',
		],
		[
			'custom fields of two groups that the rows name',
			customFields(column('CustomFieldGroupID', 'Group'), 'CF301 CF311'),
			'Mapping Type 1 → Field Value Mapping 3',
			'fieldValueMappings[2]',
			': "CF311" belongs to the custom field group 202, not to 201. Correct CustomFieldGroupID, or map the field in a separate mapping type: each takes the fields of one group only.',
		],
		[
			'a turf without its last level',
			jobWith('NativeId CF401 CF402', [
				{ name: 'ApplyOrganzingTurfs', fieldValueMappings: same('CF401 CF402') },
			]),
			'Mapping Type 1 → Field Value Mappings',
			'fieldValueMappings',
			': "CF403" is required. Map a column to it, or enter one value for all rows.',
		],
	];

	it.each(rejections)('rejects %s, as the service would', async (_, job, field, place, text) => {
		const entered = await service.run(node, fieldsOf(job, { preflight: true }));
		const dryRun = await service.run(node, fieldsOf(job, { preflight: true, dryRun: true }));
		const json = await service.run(node, asJson(job, { preflight: true }));

		expect(entered.error?.message).toBe(`Action 1 → ${field}${text}`);
		expect(entered.error?.description).toMatch(/^Nothing was sent/);
		expect(dryRun.error?.message).toBe(entered.error?.message);
		expect(json.error?.message).toBe(`Job (JSON) → actions[0].mappingTypes[0].${place}${text}`);
		expect(posts()).toEqual([]);

		const sent = await service.run(node, fieldsOf(job));
		expect(sent.error).toMatchObject({ httpCode: '400' });
	});

	it('rejects a translation to a value that is not accepted, which the service finds only in the rows', async () => {
		const job = phones(...same('Phone'), {
			...column('PhoneTypeID', 'Kind'),
			values: [
				{ sourceValue: 'mobile', targetValue: 'C' },
				{ sourceValue: 'home', targetValue: 'Hom' },
			],
		});
		const entered = await service.run(node, fieldsOf(job, { preflight: true }));
		const json = await service.run(node, asJson(job, { preflight: true }));

		const text = `"Hom" is not in the service's list. The nearest names are "Home", "Fax", "Work".`;
		expect(entered.error?.message).toBe(
			`Action 1 → Mapping Type 1 → Field Value Mapping 2 → Value Translation 2 → Target Value: ${text}`,
		);
		expect(json.error?.message).toBe(
			`Job (JSON) → actions[0].mappingTypes[0].fieldValueMappings[1].values[1].targetValue: ${text}`,
		);
	});

	it('sends predefined values without the blanks around them that it ignores', async () => {
		const [sent] = phones(...same('Phone'), fixed('PhoneTypeID', ' C ')).actions;
		const job = phones(...same('Phone'), {
			...column('PhoneTypeID', 'Kind'),
			values: [{ sourceValue: 'mobile', targetValue: ' C ' }],
		});
		await service.run(node, fieldsOf({ ...job, actions: sent ? [sent] : [] }, { preflight: true }));
		await service.run(node, fieldsOf(job, { preflight: true }));
		expect(posts().map(({ body }) => JSON.stringify(body))).toEqual([
			expect.stringContaining('"staticValue":"C"'),
			expect.stringContaining('"targetValue":"C"'),
		]);
	});

	it('sends a mapping type as the service spells it', async () => {
		service.addFault(
			{ kind: 'replaced', texts: { '"CreateOrUpdateContact"': '"CREATEORUPDATECONTACT"' } },
			'GET /bulkImportMappingTypes/CreateOrUpdateContact',
		);
		await service.run(node, fieldsOf(await peopleJob(service), { preflight: true }));
		expect(posts()[0]?.body).toMatchObject({
			actions: [{ mappingTypes: [{ name: 'CREATEORUPDATECONTACT' }] }],
		});
	});

	it('rejects a column with the name of a field that takes one value, which would change nothing', async () => {
		const job = jobWith('FirstName DoNotUpdateBest', [{ name: 'CreateOrUpdateContact' }]);
		const run = await service.run(node, fieldsOf(job, { preflight: true }));

		expect(run.error?.message).toMatch(
			/^Action 1 → Mapping Type 1 → Field Value Mappings: "DoNotUpdateBest" takes one fixed value/,
		);
	});

	it.each(
		vendors.flatMap((vendor) =>
			Object.entries(jobsOf(vendor)).map(([name, job]): [string, Vendor, Job] => [
				`${name} (${vendor})`,
				vendor,
				job,
			]),
		),
	)('lets a good job through: %s', async (_, vendor, job) => {
		const run = await service.run(node, fieldsOf(job, { preflight: true }), {
			credential: credentialOf(vendor),
		});
		expect(run.error).toBeUndefined();
		expect(posts().map(({ body }) => body)).toEqual([job]);
	});

	it('reads each description and each list of values once, however many items and jobs', async () => {
		const job = jobWith(
			'NativeId Phone Other',
			['Phone', 'Other'].map((name) => ({
				name: 'Phones',
				fieldValueMappings: [column('Phone', name), fixed('PhoneTypeID', 'C')],
			})),
		);
		const twice = { ...job, actions: [...job.actions, ...job.actions] };
		await service.run(node, fieldsOf(twice, { preflight: true, dryRun: true }), {
			items: [{ json: {} }, { json: {} }, { json: {} }],
		});
		expect(paths()).toEqual(['MappingTypes/Phones', 'MappingTypes/Phones/PhoneTypeID/values']);
	});

	it('finds a mistake in the last item before the first job is started', async () => {
		const jobs = [good, bad].map((job) => ({ json: { job: JSON.stringify(job) } }));
		const parameters = { ...asJson(''), jobJson: '={{ $json.job }}', options: { preflight: true } };
		const run = await service.run(node, parameters, { items: jobs });

		expect(run.error).toMatchObject({ context: { itemIndex: 1 } });
		expect(posts()).toEqual([]);
	});

	it('starts the good jobs where the node is to continue on errors', async () => {
		const jobs = [good, bad].map((job) => ({ json: { job: JSON.stringify(job) } }));
		const parameters = { ...asJson(''), jobJson: '={{ $json.job }}', options: { preflight: true } };
		const run = await service.run(node, parameters, {
			items: jobs,
			onError: 'continueErrorOutput',
		});

		expect(run.outputs[0]).toMatchObject([{ json: { jobId: expect.any(Number) as number } }]);
		expect(run.outputs[1]).toMatchObject([
			{ json: { error: { message: expect.stringContaining('"Phones"') as string } } },
		]);
		expect(posts().map(({ body }) => body)).toEqual([good]);
	});

	it.each([
		['descriptions', '/bulkImportMappingTypes'],
		['values', '/bulkImportMappingTypes/Phones/PhoneTypeID'],
	])('checks less with a key that may not read %s, and creates the job', async (_, path) => {
		service.addFault({ kind: 'status', status: 403 }, `GET ${path}`, { count: 10 });
		const run = await service.run(node, fieldsOf(good, { preflight: true }));

		expect(run.error).toBeUndefined();
		expect(run.outputs[0]).toMatchObject([{ json: { jobId: expect.any(Number) as number } }]);
	});

	it.each([
		['descriptions', '/bulkImportMappingTypes', { kind: 'htmlPage' }],
		['values', '/bulkImportMappingTypes/Phones/PhoneTypeID', { kind: 'status', status: 500 }],
	] as const)(
		'starts nothing when the %s cannot be read for another reason',
		async (_, path, fault) => {
			service.addFault(fault, `GET ${path}`, { count: 10 });
			const run = await service.run(node, fieldsOf(good, { preflight: true }));

			expect(run.error?.message).toMatch(/GET \/bulkImportMappingTypes\/Phones/);
			expect(posts()).toEqual([]);
		},
	);

	it('is made only where it is turned on', async () => {
		await service.run(node, fieldsOf(bad, { dryRun: true }));
		expect(service.sandbox.requests).toEqual([]);
	});
});

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { shownImport } from '../../hosts/importScreen';
import { fromList } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { readBinary } from './support/engine';
import {
	column,
	createOrUpdate,
	type FieldMapping,
	fieldsOf,
	finishJob,
	type Job,
	jobWith,
	type MappingType,
	peopleJob,
} from './support/importJobs';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

describe('results', () => {
	const results = (jobId: number, changes: INodeParameters = {}): INodeParameters => ({
		resource: 'job',
		operation: 'getResults',
		jobId: String(jobId),
		output: 'rows',
		options: {},
		...changes,
	});

	it('come as one item per row', async () => {
		const jobId = await finishJob(service, await peopleJob(service));
		const run = await service.run(node, results(jobId, { includedColumns: 'CrmId' }));

		expect(run.error).toBeUndefined();
		const rows = run.outputs[0]?.map(({ json }) => json) ?? [];
		expect(
			rows
				.map(({ row, columns, succeeded }) => ({ row, columns, succeeded }))
				.sort((a, b) => Number(a.row) - Number(b.row)),
		).toEqual([
			{ row: 1, columns: { CrmId: 'c-1' }, succeeded: true },
			{ row: 2, columns: { CrmId: 'c-2' }, succeeded: false },
			{ row: 3, columns: { CrmId: 'c-3' }, succeeded: true },
		]);
		expect(rows[0]).toMatchObject({ jobId, primaryKeyType: 'NativeID' });
		expect(Object.keys(rows[0]?.outcomes as IDataObject)).toEqual([
			expect.stringMatching(/^CreateOrUpdateContact_\d+$/),
		]);
	});

	const finishRows = async (text: string) => {
		const job = await peopleJob(service);
		const sourceUrl = await service.host('rows.csv', text);
		return await finishJob(service, { ...job, file: { ...job.file, sourceUrl } });
	};
	const textOf = async (run: Awaited<ReturnType<typeof service.run>>) =>
		(await readBinary(run.outputs[0]?.[0], 'report')).toString();

	it('that lack rows of a job with errors are not called complete', async () => {
		const jobId = await finishRows('a,b,c,d\nAda,Example,ada@example.org,1\nBob,x,y,z,1,2\n');
		const values = { includedColumns: 'CrmId', options: { report: true } };
		const run = await service.run(node, results(jobId, values));
		expect(run.outputs[0]).toHaveLength(1);
		const doubt = 'The service says that the job completed with errors, but none is in its results';
		expect(run.hints.map(({ message }) => message)).toEqual([
			expect.stringContaining(doubt) as string,
		]);
		const report = await textOf(run);
		expect(report).toContain(doubt);
		expect(report).not.toContain('every row was imported');
	});

	it('are read by a name that is written otherwise, and a name that is not there is said', async () => {
		const jobId = await finishRows('a,b,c,d\nAda,Example,ada@example.org,1\n');
		const right = await service.run(node, results(jobId, { includedColumns: 'Crm Id' }));
		expect(right.outputs[0]?.[0]?.json).toMatchObject({ succeeded: true });
		expect(right.hints).toEqual([]);
		const wrong = await service.run(node, results(jobId, { includedColumns: 'CmrId' }));
		expect(wrong.hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/no column CmrId .* count as outcomes: CrmId, Create/) as string,
		]);
	});

	it('of a job with two actions count each row once', async () => {
		const job = await peopleJob(service);
		const jobId = await finishJob(service, { ...job, actions: [...job.actions, ...job.actions] });
		const values = { includedColumns: 'CrmId', options: { report: true } };
		const report = await textOf(await service.run(node, results(jobId, values)));
		expect(report).toContain('<b>2</b> of 3 rows imported');
	});

	it('of a row that the first action says nothing of have the complaint of the second', async () => {
		const job = await peopleJob(service);
		const jobId = await finishJob(service, { ...job, actions: [...job.actions, ...job.actions] });
		for (const outcomes of [',', 'Processed,Invalid email'])
			service.addFault(
				{
					kind: 'response',
					status: 200,
					body: `BulkUploadDataID,ULFileID,PrimaryKey,PrimaryKeyType,Create,Email\n1,6,,,${outcomes}\n`,
				},
				'/results',
			);
		const report = await textOf(
			await service.run(node, results(jobId, { options: { report: true } })),
		);
		expect(report).toContain('Email: Invalid email');
		expect(report).not.toContain('No outcome');
	});

	it.each<[string, INodeParameters, string[]]>([
		['no file', {}, []],
		['a report', { report: true }, ['report']],
		['the rejected rows', { rejectedRows: true }, ['rejected']],
		['both', { report: true, rejectedRows: true }, ['rejected', 'report']],
	])('have %s beside them if that is chosen', async (_, options, files) => {
		const jobId = await finishJob(service, await peopleJob(service));
		const run = await service.run(node, results(jobId, { includedColumns: 'CrmId', options }));
		const items = run.outputs[0] ?? [];
		expect(items.map(({ binary = {} }) => Object.keys(binary).sort())).toEqual([files, [], []]);
	});

	it.each<[string, IDataObject]>([
		['nothing', {}],
		['an empty list', { includedColumns: '={{ [] }}' }],
	])('take every column for an outcome when %s says otherwise', async (_, changes) => {
		const jobId = await finishJob(service, await peopleJob(service));
		const run = await service.run(node, results(jobId, changes as INodeParameters));
		for (const { json } of run.outputs[0] ?? []) {
			expect(json).toMatchObject({ columns: {}, outcomes: { CrmId: `c-${Number(json.row)}` } });
			expect(json.succeeded).toBe(false);
		}
		expect(run.outputs[0]).toHaveLength(3);
	});

	/** Two mapping types with labels; the first one rejects row 1, the second one row 2. */
	async function buildLabelledJob(included: string): Promise<Job> {
		const labelled = (name: string, label: string, mappings: FieldMapping[]): MappingType => ({
			name,
			resultFileColumnName: label,
			fieldValueMappings: mappings,
		});
		const job = jobWith('NativeId Mobile Mail CrmId', [
			labelled('Phones', 'PhoneResult', [
				column('Phone', 'Mobile'),
				{ fieldName: 'PhoneTypeID', staticValue: 'C' },
			]),
			labelled('Email', 'EmailResult', [column('Email', 'Mail')]),
		]);
		const rows =
			'NativeId,Mobile,Mail,CrmId\n100001,123,a@example.org,c-1\n100002,9075550155,none,c-2\n100003,9075550156,c@example.org,c-3\n';
		return {
			...job,
			file: { ...job.file, sourceUrl: await service.host('rows.csv', rows) },
			actions: job.actions.map((action) => ({
				...action,
				...(included && { columnsToIncludeInResultsFile: [{ name: included }] }),
			})),
		};
	}

	it.each<[string, string]>([
		['wait', 'CrmId'],
		['wait', ''],
		['get', 'CrmId'],
		['get', ''],
	])(
		'after Create and %s show no rejected row as imported, including "%s"',
		async (step, included) => {
			const created = await service.run(node, fieldsOf(await buildLabelledJob(included)));
			const jobId = Number(created.outputs[0]?.[0]?.json.jobId);
			const waitForEnd = () => service.jobs().every(({ resultFiles }) => resultFiles);
			while (!waitForEnd()) await new Promise((resolve) => setTimeout(resolve, 50));

			const between = await service.run(
				node,
				{ resource: 'job', operation: step },
				{ items: created.outputs[0] },
			);
			expect(between.outputs[0]).toMatchObject([
				{
					json: {
						jobId,
						description: 'Import of a test',
						includedColumns: included ? [included] : [],
						hasEnded: true,
					},
				},
			]);
			const run = await service.run(
				node,
				{ resource: 'job', operation: 'getResults', options: {} },
				{ items: between.outputs[0] },
			);
			const columnsOf = (row: number) => (included ? { [included]: `c-${row}` } : {});
			const rows = run.outputs[0]?.map(({ json }) => json) ?? [];
			expect(
				rows
					.sort((a, b) => Number(a.row) - Number(b.row))
					.map(({ row, columns, outcomes, succeeded }) => ({ row, columns, outcomes, succeeded })),
			).toEqual([
				{
					row: 1,
					columns: columnsOf(1),
					outcomes: { PhoneResult: 'Invalid phone number', EmailResult: 'Processed' },
					succeeded: false,
				},
				{
					row: 2,
					columns: columnsOf(2),
					outcomes: { PhoneResult: 'Processed', EmailResult: 'Invalid email address' },
					succeeded: false,
				},
				{
					row: 3,
					columns: columnsOf(3),
					outcomes: { PhoneResult: 'Processed', EmailResult: 'Processed' },
					succeeded: true,
				},
			]);
		},
	);

	it.each(['wait', 'get'])('of another job get no columns passed on by %s', async (operation) => {
		const jobId = await finishJob(service, await peopleJob(service));
		const run = await service.run(
			node,
			{ resource: 'job', operation, jobId: String(jobId), options: {} },
			{ items: [{ json: { jobId: jobId + 1, description: 'Other', includedColumns: ['Mail'] } }] },
		);
		expect(run.outputs[0]?.[0]?.json).toMatchObject({ jobId });
		expect(run.outputs[0]?.[0]?.json).not.toHaveProperty('includedColumns');
		expect(run.outputs[0]?.[0]?.json).not.toHaveProperty('description');
	});

	it('of imported items are distinguished from the column that marks the items', async () => {
		const imported = await service.run(
			node,
			shownImport({
				resource: 'job',
				operation: 'createFromItems',
				resourceType: fromList('Contacts'),
				mappingTypes: ['Phones', 'Email'],
				fieldMap: {
					mappingMode: 'defineBelow',
					value: {
						recordId: '={{ $json.id }}',
						'Phones:Phone': '={{ $json.phone }}',
						'Phones:PhoneTypeID': 'C',
						'Email:Email': '={{ $json.mail }}',
					},
					schema: [],
					matchingColumns: [],
				},
				description: 'Items of a test',
				hosting: 'put',
				uploadUrl: `${service.sandbox.url}/drop/{file}?sig=1`,
				downloadUrl: `${service.sandbox.httpsUrl}/drop/{file}`,
			} as INodeParameters),
			{
				items: [
					{ json: { id: 100_001, phone: '123', mail: 'a@example.org' } },
					{ json: { id: 100_002, phone: '9075550155', mail: 'b@example.org' } },
				],
			},
		);
		const { jobId } = (imported.outputs[0]?.[0]?.json.importResult ?? {}) as IDataObject;
		const run = await service.run(node, results(Number(jobId)));
		expect(
			run.outputs[0]?.map(({ json: { columns, outcomes, succeeded } }) => ({
				columns,
				outcomes,
				succeeded,
			})),
		).toEqual([
			{
				columns: { N8nItem: expect.stringMatching(/^\w{6}-1$/) as string },
				outcomes: { Phones: 'Invalid phone number', EmailResult: 'Processed' },
				succeeded: false,
			},
			{
				columns: { N8nItem: expect.stringMatching(/^\w{6}-2$/) as string },
				outcomes: { Phones: 'Processed', EmailResult: 'Processed' },
				succeeded: true,
			},
		]);
	});

	it('keep outcomes with names of their own apart from included columns', async () => {
		const jobId = await finishJob(
			service,
			await peopleJob(service, {
				mappingTypes: [{ ...createOrUpdate, resultFileColumnName: 'ContactResult' }],
			}),
		);
		const run = await service.run(node, results(jobId, { includedColumns: 'CrmId' }));
		expect(run.outputs[0]?.map(({ json }) => Object.keys(json.outcomes as IDataObject))).toEqual(
			Array.from({ length: 3 }, () => ['ContactResult']),
		);
	});

	it('are fetched without the key', async () => {
		const jobId = await finishJob(service, await peopleJob(service));
		await service.run(node, results(jobId));
		expect(
			service.sandbox.requests.filter(({ path }) => path.startsWith('/results/')),
		).toHaveLength(1);
		expect(service.sandbox.control.stats().leakedCredentials).toBe(0);
	});

	it('whose links have ended say so', async () => {
		const jobId = await finishJob(service, await peopleJob(service));
		service.sandbox.control.expireResults();
		const run = await service.run(node, results(jobId));
		expect(run.error?.message).toMatch(
			/^Result file 1 (is no longer available|could not be downloaded)/,
		);
		expect(run.error?.description).toMatch(/import itself is done; do not import the rows again/);
	});

	it('are not there before the job has ended', async () => {
		service.addJobFault({ kind: 'neverEnds' });
		const started = await service.run(node, fieldsOf(await peopleJob(service)));
		const run = await service.run(node, results(Number(started.outputs[0]?.[0]?.json.jobId)));
		expect(run.error?.message).toMatch(
			/^Import job \d+ has not ended yet \(status (Pending|InProgress)\)$/,
		);
		expect(run.error?.description).toMatch(
			/^It has no results before it ends\. Choose how to wait/,
		);
	});

	it.each([' ', 'abc', '1.5', '-1', '99999999999'])(
		'are not asked for with the job ID "%s"',
		async (jobId) => {
			const run = await service.run(node, { ...results(1), jobId });
			expect(run.error?.message).toMatch(/^Job ID(:| is) /);
			expect(service.sandbox.requests).toEqual([]);
		},
	);

	it.each([' ', '={{ $json.nothing }}', 'undefined'])(
		'need the node that creates the job when the job ID is "%s"',
		async (jobId) => {
			const run = await service.run(node, { ...results(1), jobId });
			expect(run.error?.message).toMatch(/^Job ID is empty\. Enter the ID, or connect the node/);
		},
	);
});

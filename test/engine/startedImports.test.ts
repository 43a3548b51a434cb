import {
	type IDataObject,
	type INodeExecutionData,
	type INodeParameters,
	sleep,
} from 'n8n-workflow';

import { mapAutomatically } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { nodeLog } from './support/container';
import { withFailingHints } from './support/failingHints';
import {
	csvOf,
	fileOf,
	inputOf,
	itemImport,
	itemsOf,
	messagesOf,
	people,
	personMap as person,
	property,
	reportOf,
	resultOf,
	totalsOf,
	whyStopped,
} from './support/itemImports';
import { Sandboxed, useSandbox } from './support/sandboxed';

/**
 * What users do after an error depends on its words and flags. Once a job has been started, an error
 * that reads as if nothing had been sent doubles people.
 */

const service = useSandbox();

const node = new NativeBulkImport();
/** An import of two rows per file. */
const imports = (
	changes: INodeParameters = {},
	options: INodeParameters = {},
	map: Record<string, string> = person,
): INodeParameters =>
	itemImport(service, map, {
		options: { pollInterval: 0.05, maxRowsPerFile: 2, ...options },
		...changes,
	});
const importRows = async (rows: object[], ...given: Parameters<typeof imports>) =>
	await service.run(node, imports(...given), { items: itemsOf(rows) });
const fileWith = async (rows: IDataObject[], more: Uint8Array = Buffer.of()) => [
	await fileOf(Buffer.concat([Buffer.from(csvOf(rows)), more])),
];
/** What the jobs were called, in the order in which they were sent. */
const descriptions = () =>
	service.starts().map(({ body }) => (body as { description: string }).description);
const storedPeople = () =>
	service.people().filter(({ fields }) => /^First\d/.test(String(fields.firstName ?? ''))).length;
const errorOf = (item: INodeExecutionData | undefined) => item?.json.error as IDataObject;

describe('what cannot work is rejected before the first of several files is uploaded', () => {
	const isUntouched = () =>
		service.jobs().length === 0 &&
		!service.sandbox.requests.some(({ path }) => path.startsWith('/drop'));

	it('a value of a later file that cannot be written', async () => {
		const rows = people(5).map((row, i) => (i === 3 ? { ...row, Mail: { a: 1 } } : row));
		const run = await importRows(rows, {}, { ifInvalid: 'stop' });
		expect(run.error?.message).toMatch(/^Column "Mail" is a list or an object/);
		expect(isUntouched()).toBe(true);
	});

	it.each([
		['uploadUrl', '/drop/x.zip?sig=1', /Upload URL: The rows fill several files/],
		['downloadUrl', '/drop/x.zip', /Download URL: The rows fill several files/],
	])('one address for all files: %s', async (name, path, message) => {
		const origin = name === 'uploadUrl' ? service.sandbox.url : service.sandbox.httpsUrl;
		const run = await importRows(people(3), { [name]: `${origin}${path}` });
		expect(run.error?.message).toMatch(message);
		expect(isUntouched()).toBe(true);
	});

	it('is the error of every item, and no row counts as not sent', async () => {
		const run = await service.run(
			node,
			imports({ uploadUrl: `${service.sandbox.url}/drop/x.zip` }),
			{
				items: itemsOf(people(3)),
				onError: 'continueErrorOutput',
			},
		);
		expect(run.outputs[1]?.map((item) => errorOf(item).message)).toEqual(
			Array(3).fill(expect.stringMatching(/^Upload URL: The rows fill several files/)),
		);
		expect(run.hints).toEqual([]);
	});

	it('one address for all files once the query is taken off', async () => {
		const uploadUrl = `${service.sandbox.url}/drop/x.zip?key={file}`;
		const run = await importRows(people(3), { uploadUrl, downloadUrl: '' });
		expect(run.error?.message).toMatch(/Upload URL: The rows fill several files/);
		expect(isUntouched()).toBe(true);
	});

	it.each([
		['uploadUrl', 'http://files.example.org/{file}', /^Upload URL is not an https address/],
		['downloadUrl', 'http://files.example.org/{file}', /^Download URL begins with http:\/\//],
	])('an unusable address: %s', async (name, address, message) => {
		for (const dryRun of [false, true]) {
			const run = await importRows(people(1), { [name]: address }, { dryRun });
			expect(whyStopped(run)).toMatch(message);
		}
		expect(isUntouched()).toBe(true);
	});

	it('a file that is damaged further on, also where the workflow continues on errors', async () => {
		const damaged = Buffer.concat([
			Buffer.from('FirstX,M'),
			Buffer.of(0xfc),
			Buffer.from('ller,x\n'),
		]);
		const run = await service.run(node, imports({ source: 'binary' }), {
			items: await fileWith(people(3000), damaged),
			onError: 'continueErrorOutput',
		});
		expect(errorOf(run.outputs[1]?.[0]).message).toMatch(/not UTF-8 text/);
		expect(isUntouched()).toBe(true);
	});
});

test('one value that no expression can be filled in for costs only its own row', async () => {
	const rows = people(3).map((row, i) => ({ ...row, dob: i === 1 ? 'n/a' : '1990-01-02' }));
	const map = {
		...person,
		'CreateOrUpdateContact:DOB': '={{ $json.dob.toDateTime().toFormat("yyyy-MM-dd") }}',
	};
	const run = await service.run(node, imports({}, {}, map), {
		items: itemsOf(rows),
		onError: 'continueErrorOutput',
	});
	expect(run.outputs[0]).toHaveLength(2);
	expect(errorOf(run.outputs[1]?.[0])).toMatchObject({
		message: expect.stringMatching(/^Column "Date of Birth" cannot be filled in: /) as string,
		importResult: { status: 'invalid', jobId: null },
	});
});

describe('a job that failed hides nothing of the others', () => {
	it.each(['stopWorkflow', 'continueRegularOutput'] as const)('with %s', async (onError) => {
		service.addJobFault({ kind: 'fail', text: 'broken' }, { skip: 1 });
		const run = await service.run(node, imports(), { items: itemsOf(people(5)), onError });
		expect(run.error).toBeUndefined();
		expect(run.outputs[0]?.map((item) => resultOf(item).status)).toEqual([
			'imported',
			'imported',
			'failed',
			'failed',
			'imported',
		]);
		expect(resultOf(run.outputs[0]?.[2])).toMatchObject({
			jobId: service.jobs()[1]?.id,
			reason: expect.stringMatching(/failed: broken/) as string,
		});
		expect(run.hints?.[0]?.message).toMatch(/^5 items: 3 imported, 2 failed; import jobs/);
	});

	describe.each(['items', 'binary'])(
		'where none has an outcome, On Error Continue and %s',
		(source) => {
			it('returns each row with its columns, status and the files that were asked for', async () => {
				service.addJobFault({ kind: 'fail', text: 'broken' });
				service.addJobFault({ kind: 'neverEnds' }, { count: 5 });
				const options = { maxWait: 0.005, outputRows: 'all', report: true, rejectedRows: true };
				const parameters = imports({ source }, options);
				const run = await service.run(node, parameters, {
					items: await inputOf(people(4), source),
					onError: 'continueRegularOutput',
				});
				const rows = (run.outputs[0] ?? []).filter(({ json }) => json.status !== 'summary');
				expect(rows.map(({ json }) => [json.status, json['Mail']])).toEqual(
					people(4).map(({ Mail }, row) => [row < 2 ? 'failed' : 'unknown', Mail]),
				);
				for (const { json } of rows) expect(json).not.toHaveProperty('error');
				expect(rows[3]?.json.reason).toMatch(/Import job \d+/);
				expect(await reportOf(run)).toContain('<b>0</b> of 4 rows imported');
				const [{ binary } = {}] = run.outputs[0] ?? [];
				expect(binary).toHaveProperty('rejected');
				const shown = JSON.stringify([run.hints, run.outputs]);
				expect(shown).toContain(
					'4 ' + (source === 'items' ? 'items' : 'rows') + ': 2 failed, 2 unknown',
				);
				expect(messagesOf(run)).toMatch(/Started Jobs set to \d+:\w+/);
			});
		},
	);

	it('where all have ended in an error, each of them is reported', async () => {
		service.addJobFault({ kind: 'fail', text: 'broken' });
		service.addJobFault({ kind: 'neverEnds' }, { count: 5 });
		for (const parameters of [
			imports({}, { maxWait: 0.005 }),
			imports({ source: 'binary' }, { maxWait: 0.005 }),
		]) {
			const items = await inputOf(people(5), parameters.source);
			const run = await service.run(node, parameters, { items });
			const ids = service
				.jobs()
				.slice(-3)
				.map(({ id }) => String(id));
			expect(run.error?.description).toMatch(/^This import has several files\. Check each/);
			for (const id of ids)
				expect(`${run.error?.message} ${run.error?.description}`).toContain(`Import job ${id}`);
			const references = ids.map((id) => String.raw`${id}:\w{6}:\d-\d:[0-9a-f]{8}`).join(', ');
			expect(run.error?.description).toMatch(new RegExp(` Started Jobs set to ${references}\\.$`));
			service.addJobFault({ kind: 'fail', text: 'broken' });
		}
	});
});

it('where the starts of all jobs were lost, each can be found by its description', async () => {
	service.addFault({ kind: 'resetAfter' }, 'POST /bulkImportJobs', { count: 2 });
	const { error } = await importRows(people(4));
	expect(descriptions()).toHaveLength(2);
	for (const description of descriptions())
		expect(error?.description).toContain(`with the description "${description}"`);
});

it('the log names a job whose start was canceled, and none that the service refused', async () => {
	const warn = jest.spyOn(nodeLog(), 'warn');
	const canceled = () =>
		warn.mock.calls.flatMap(
			([line]) => /^Canceled while starting the import job "(.*)"$/.exec(line)?.[1] ?? [],
		);
	service.addFault({ kind: 'status', status: 403 }, 'POST /bulkImportJobs');
	await importRows(people(1));
	expect(canceled()).toEqual([]);
	service.addFault({ kind: 'noResponse' }, 'POST /bulkImportJobs');
	const stop = new AbortController();
	const setup = { items: itemsOf(people(1)), signal: stop.signal };
	const run = service.run(node, imports(), setup);
	while (descriptions().length < 2) await sleep(5);
	stop.abort();
	await run;
	expect(canceled()).toEqual(descriptions().slice(1));
});

it('where all starts were rejected, the error of a file shows the first request', async () => {
	const fault = { kind: 'status', status: 400 } as const;
	service.addFault(fault, 'POST /bulkImportJobs', { count: 2 });
	const parameters = imports({ source: 'binary' });
	const items = await inputOf(people(4), 'binary');
	const run = await service.run(node, parameters, { items, onError: 'continueErrorOutput' });
	const { request, replayable } = errorOf(run.outputs[1]?.[0]);
	const [first, second] = descriptions();
	expect(second).not.toBe(first);
	expect(request).toMatchObject({ body: { description: first } });
	expect(replayable).toBe(false);
});

it('where no file of many could be uploaded, the error says why once', async () => {
	const fault = { kind: 'status', status: 403 } as const;
	service.addFault(fault, 'PUT /drop', { count: 30 });
	const { error } = await importRows(people(60));
	const description = String(error?.description);
	expect(description.match(/could not be uploaded/g)).toHaveLength(1);
	expect(description).toMatch(/ Files 1, 2, .*, 20 and 10 more: The file could not be uploaded/);
});

it('of a file whose jobs are not waited for, a row that is not sent comes out', async () => {
	const items = await inputOf(people(3, { 1: { Mail: 'nobody' } }), 'binary');
	const parameters = imports({ source: 'binary', options: { waitForOutcome: 'none' } });
	const { outputs } = await service.run(node, parameters, { items });
	expect(outputs[0]?.map(({ json }) => json.status)).toEqual(
		expect.arrayContaining(['started', 'invalid']),
	);
});

it('the hint of started jobs counts the rows that were not sent', async () => {
	service.addFault({ kind: 'status', status: 400 }, 'POST /bulkImportJobs', { skip: 1 });
	const options = { waitForOutcome: 'none', duplicates: 'first' };
	const rows = itemsOf([...people(5), ...people(1)]);
	const { hints } = await service.run(node, imports({}, options), { items: rows });
	const ids = service.jobs().map(({ id }) => id);
	expect(hints[0]?.message).toMatch(
		`6 items: 1 duplicate and not sent, 2 not sent (safe to import again); import jobs ${ids.join(', ')} started. `,
	);
});

describe('rows whose job was started are never offered to be sent again', () => {
	/** The failed rows of an import of two items. */
	const importFailedRows = async (options: INodeParameters = {}) => {
		const run = await service.run(node, imports({}, options), {
			items: itemsOf(people(2)),
			onError: 'continueErrorOutput',
		});
		return (run.outputs[1] ?? []).map(errorOf);
	};
	const isClosed = { replayable: false, outcomeUnknown: true };

	it('the job has not ended in time', async () => {
		service.addJobFault({ kind: 'neverEnds' }, { count: 5 });
		const failed = await importFailedRows({ maxWait: 0.005 });
		expect(failed).toEqual([expect.objectContaining(isClosed), expect.objectContaining(isClosed)]);
		expect(failed[0]?.description).toMatch(/Do not start it again/);
	});

	it('the key may start jobs, but not read them', async () => {
		service.addFault({ kind: 'status', status: 403 }, 'GET /bulkImportJobs/', { count: 10 });
		const [first] = await importFailedRows();
		const [job] = service.jobs();
		expect(first).toMatchObject({
			...isClosed,
			message: expect.stringMatching(
				new RegExp(`^Import job ${job?.id} was started, but its end could not be read: This key`),
			) as string,
			description: expect.stringMatching(/^Do not import its rows again\. Use "Wait"/) as string,
		});
	});

	it('the results cannot be read', async () => {
		const expiring = setInterval(() => service.sandbox.control.expireResults(), 2);
		const [first] = await importFailedRows();
		clearInterval(expiring);
		expect(first).toMatchObject(isClosed);
	});

	it('there are no results though the job was completed', async () => {
		service.addJobFault({ kind: 'results', files: 0 });
		const [first] = await importFailedRows();
		expect(storedPeople()).toBe(2);
		expect(first).toMatchObject({
			...isClosed,
			message: expect.stringMatching(
				/has ended, but its results could not be read: the service returned no result file/,
			) as string,
			description: expect.stringMatching(/^Do not import its rows again/) as string,
		});
	});

	it.each(['items', 'binary'])('it is unknown whether the job was started: %s', async (source) => {
		service.addFault({ kind: 'resetAfter' }, 'POST /bulkImportJobs', { skip: 1 });
		const items = await inputOf(people(4), source);
		const run = await service.run(node, imports({ source }), {
			items,
			onError: 'continueErrorOutput',
		});
		const failed = (run.outputs[1] ?? []).map(errorOf);
		expect(failed).toHaveLength(2);
		const description = descriptions()[1];
		expect(failed[0]).toMatchObject({
			...isClosed,
			description: expect.stringContaining(
				`Search the service for an import with the description "${description}"`,
			) as string,
		});
		expect(failed[0]?.description).not.toMatch(/Retry Even if It May Duplicate/);
	});

	it.each(['items', 'binary'])(
		'only rows without a job are safe to import again: %s',
		async (source) => {
			service.addFault({ kind: 'status', status: 403 }, 'PUT /drop', { skip: 1 });
			service.addFault({ kind: 'resetAfter' }, 'POST /bulkImportJobs', { skip: 1 });
			const options = source === 'binary' ? { outputRows: 'all' } : {};
			const run = await service.run(node, imports({ source }, options), {
				items: await inputOf(people(6), source),
			});
			const statuses = ['imported', 'imported', 'notSent', 'notSent', 'unknown', 'unknown'];
			const rows = run.outputs[0]?.filter(({ json }) => json.importResult) ?? [];
			expect(rows.map((item) => resultOf(item).status)).toEqual(statuses);
			const sentence =
				source === 'binary' ? run.outputs[0]?.[0]?.json.reason : run.hints[0]?.message;
			expect(sentence).toMatch(
				/: 2 imported, 2 not sent \(safe to import again\), 2 unknown \(do not import again\); /,
			);
		},
	);

	it('n8n itself fails after the import', async () => {
		const run = await service.run(withFailingHints(node), imports(), {
			items: itemsOf(people(2)),
			onError: 'continueErrorOutput',
		});
		const [job] = service.jobs();
		const failed = (run.outputs[1] ?? []).map(errorOf);
		expect(failed).toEqual(Array(2).fill(expect.objectContaining({ ...isClosed, jobId: job?.id })));
		expect(failed[0]?.message).toMatch(/could not be read: Invalid string length$/);
	});

	it('Create waits in vain, and other jobs of the run go on', async () => {
		service.addJobFault({ kind: 'neverEnds' }, { count: 5 });
		const built = await importRows(people(2), { hosting: 'none' });
		const body = built.outputs[0]?.[0]?.json.job as IDataObject;
		const sourceUrl = await upload(built.outputs[0]?.[0]);
		const create: INodeParameters = {
			resource: 'job',
			operation: 'create',
			defineJob: 'json',
			jobJson: JSON.stringify({ ...body, file: { ...(body.file as IDataObject), sourceUrl } }),
			options: { waitForCompletion: 'memory', maxWait: 0.005 },
		};
		const run = await service.run(node, create, {
			items: itemsOf([{}, {}]),
			onError: 'continueErrorOutput',
		});
		expect(run.outputs[1]?.map(errorOf)).toMatchObject(
			service.jobs().map(({ id }) => ({
				...isClosed,
				jobId: id,
				message: expect.stringMatching(`^Import job ${id} has not ended`) as string,
			})),
		);
	});

	it('the service rejected a part of a row', async () => {
		const map = {
			...person,
			'Phones:PhoneTypeID': 'C',
			'Phones:Phone': property('tel'),
		};
		const rows = people(2).map((row, i) => ({ ...row, tel: i === 0 ? 'none' : '9075550100' }));
		const run = await service.run(
			node,
			imports({ mappingTypes: ['CreateOrUpdateContact', 'Phones'] }, {}, map),
			{ items: itemsOf(rows), onError: 'continueErrorOutput' },
		);
		const [failed] = (run.outputs[1] ?? []).map(errorOf);
		const id = (failed?.importResult as IDataObject).primaryKey;
		expect(storedPeople()).toBe(2);
		expect(failed).toMatchObject({
			replayable: false,
			outcomeUnknown: false,
			description: expect.stringMatching(`The record exists as \\w+ ${String(id)}\\.`) as string,
			importResult: { status: 'failed', outcomes: { CreateOrUpdateContact: 'Processed' } },
		});
	});
});

test('every run of the node has files and descriptions of its own', async () => {
	await importRows(people(2));
	await importRows(people(2));
	expect(new Set(descriptions()).size).toBe(2);
	const uploads = service.sandbox.requests.filter(({ path }) => path.startsWith('/drop'));
	expect(new Set(uploads.map(({ path }) => path)).size).toBe(2);
});

test('a form whose responses name one address for two files starts no second job, and offers no row to be sent again', async () => {
	// The service takes https addresses only.
	const storage = await Sandboxed.start({ linkBase: 'https' });
	const parameters = imports({
		hosting: 'post',
		uploadUrl: `${storage.sandbox.url}/drop?sig=1`,
		downloadUrl: '',
		formFields: { field: [{ name: 'key', value: 'imports/x.zip' }] },
	});
	const run = await storage.run(node, parameters, {
		items: itemsOf(people(4)),
		onError: 'continueErrorOutput',
	});
	expect(storage.sandbox.control.jobs('demo')).toHaveLength(1);
	const failed = (run.outputs[1] ?? []).map(errorOf);
	expect(failed.length).toBeGreaterThanOrEqual(2);
	for (const error of failed)
		expect(error).toMatchObject({ replayable: false, outcomeUnknown: true });
	expect(failed.at(-1)?.message).toBe('The responses to two uploads name the same address');
	await storage.close();
});

it('a Date Format without a value stops the import', async () => {
	const run = await importRows(people(1), {}, { dateFormat: '={{ $json.formt }}' });
	expect(run.error?.message).toMatch(/^Date Format is an expression without a value/);
	expect(service.calls()).toEqual([]);
});

it('a date that is a number is read with the Date Format', async () => {
	const map = { ...person, 'CreateOrUpdateContact:DOB': property('Born') };
	const rows = people(2).map((row, index) => ({ ...row, Born: [19580422, 21297][index] }));
	const run = await service.run(node, imports({}, { dateFormat: 'yyyyMMdd', dryRun: true }, map), {
		items: itemsOf(rows),
		onError: 'continueRegularOutput',
	});
	const shown = JSON.stringify(run.outputs[0]);
	expect(shown).toContain('"firstValues":["1958-04-22"]');
	expect(shown).toContain('Column \\"Born\\" looks like a number of days');
});

describe('what looks wrong but need not be is said', () => {
	it.each<[string, () => INodeParameters]>([
		['an import', () => imports({ source: 'binary' })],
		['a dry run', () => imports({ source: 'binary' }, { dryRun: true })],
		['Build', () => ({ resource: 'file', operation: 'build', source: 'binary', options: {} })],
	])('a list without rows, by %s', async (_, parametersOf) => {
		const items = [await fileOf('First Name,Last Name,Mail\n')];
		const run = await service.run(node, parametersOf(), { items });
		expect(run.error).toBeUndefined();
		expect(
			run.hints.map(({ message }) => message).join(' ') + JSON.stringify(run.outputs),
		).toContain('The list has no rows');
	});

	it.each([true, false])('a field that is blank in every row, dry run %s', async (dryRun) => {
		const map = { ...person, 'CreateOrUpdateContact:MiddleName': property('Middle') };
		const rows = people(2).map((row) => ({ ...row, Middle: ' ' }));
		const run = await importRows(rows, {}, { dryRun }, map);
		const warning = 'Blank in every row: Middle Name.';
		expect(run.hints.map(({ message }) => message)).toContain(warning);
		if (dryRun) expect(totalsOf(run).warnings).toEqual([warning]);
	});

	it('properties that are mapped by name to nothing', async () => {
		const run = await importRows(
			[
				{
					FirstName: 'Ada',
					Surname: 'Example',
					Mail: 'ada@example.org',
					'Member #': 7,
					Mobile: false,
				},
			],
			{ fieldMap: mapAutomatically },
			{ dryRun: true },
		);
		expect(totalsOf(run).warnings).toEqual([
			'Mapped: FirstName → First Name, Surname → Last Name, Mail → Email. Not imported: Member # (unknown header); Mobile (its values are false, not phone numbers with an area code).',
		]);
		const left = run.outputs[0]?.map(({ json }) => json).filter(({ field }) => field === null);
		expect(left).toEqual([
			{
				dryRun: true,
				column: 'Member #',
				field: null,
				firstValues: ['7'],
				problem: 'Not imported: unknown header.',
			},
			{
				dryRun: true,
				column: 'Mobile',
				field: null,
				firstValues: ['false'],
				problem: 'Not imported: its values are false, not phone numbers with an area code.',
			},
		]);
	});

	it('values of a mapped column that look wrong, in a dry run', async () => {
		const mobile = { 'CreateOrUpdateContact:CellPhone': property('Mobile') };
		const rows = people(10).map((row, index) => ({
			...row,
			Mobile: index === 4 ? 'ask at the desk' : `907555010${index}`,
		}));
		const run = await importRows(rows, {}, { dryRun: true }, { ...person, ...mobile });
		expect(run.outputs[0]?.map(({ json }) => json.problem).filter(Boolean)).toEqual([
			'Check 1 value of Cell Phone (unlike phone numbers with an area code): "ask at the desk" in item 5.',
		]);
	});

	it.each([
		[
			[{ Name: 'Ada B Example', Email: 'ada@example.org' }],
			/^Columns: No column holds a name.* option Headers the Node Does Not Know/,
		],
		[[{ First: 'Ada', Last: 'Example', Notes: 'x' }], /^Columns: No column identifies a person/],
		[
			[{ First: 'Ada', Last: 'Example', Email: 'anonymous' }],
			/No column identifies a person.* Not imported: Email \(its values are "anonymous", not/,
		],
	])('a list in which nobody could be found stops before the upload: %j', async (rows, message) => {
		const run = await importRows(rows, { fieldMap: mapAutomatically });
		expect(run.error?.message).toMatch(message);
		// n8n would name an item for a problem of the whole list.
		expect(run.error?.context?.itemIndex).toBeUndefined();
		expect(service.sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
	});

	describe('Headers the Node Does Not Know', () => {
		const run = async (row: IDataObject, header: IDataObject[]) =>
			await importRows([row], { fieldMap: mapAutomatically }, {
				dryRun: true,
				ownHeaders: { header },
			} as unknown as INodeParameters);
		const row = { First: 'Ada', Last: 'Example', 'Best #': '9075550100', Mobile: '9075550101' };
		const email = { ...row, Email: 'a@example.org', Notes: 'x' };

		it.each(['CreateOrUpdateContact:CellPhone', 'CellPhone', 'cell phone'])(
			'feed the field %s before all others, and leave columns out',
			async (field) => {
				const { outputs } = await run(email, [
					{ header: 'best#', field },
					{ header: 'Notes', field: 'none' },
					{ header: 'Not in This List', field: 'DOB' },
				]);
				expect(totalsOf({ outputs }).warnings).toEqual([
					'Mapped: First → First Name, Last → Last Name, Best # → Cell Phone, Email → Email. Not imported: Mobile (Best # is imported instead); Notes (left out by Headers the Node Does Not Know).',
					'Headers the Node Does Not Know without a column: Not in This List.',
				]);
			},
		);

		it('make a list importable that nothing else could', async () => {
			expect(whyStopped(await run(row, [{ header: 'Mobile', field: 'none' }]))).toMatch(
				/No column identifies a person/,
			);
			const known = await run({ ...row, Id: 7 }, [{ header: 'Id', field: 'nativeid' }]);
			expect(whyStopped(known)).toBe('');
		});

		it.each([
			[[{ header: 'Mobile', field: 'Cel Phone' }], /not a field .*Did you mean "Cell Phone"/],
			[[{ header: '', field: 'CellPhone' }], /entry without a header/],
			[
				[
					{ header: 'Mobile', field: 'CellPhone' },
					{ header: 'Best #', field: 'CellPhone' },
				],
				/Both Mobile and Best # are columns for Cell Phone/,
			],
		])('that are not clear stop the import: %j', async (header, message) => {
			expect(whyStopped(await run(email, header))).toMatch(message);
		});
	});

	const mapped = { FirstName: 'Ada', LastName: 'Example' };

	it.each<[string, IDataObject, string[]]>([
		[
			'two properties for one field',
			{ FirstName: 'Ada', Surname: 'A', 'Family Name': 'B', Email: 'a@example.org' },
			[
				'Several columns fit Last Name: Surname, Family Name. None was imported. Map this field manually, or rename the columns.',
				'Mapped: FirstName → First Name, Email → Email.',
			],
		],
		[
			'misspelt properties, with the field that they are like',
			{ ...mapped, Emial: 'a@example.org', Phone: '9075550100', Phine: 1 },
			[
				'"Emial" holds email addresses, but is not imported. If you need it, enter its field in the option Headers the Node Does Not Know.',
				'Mapped: FirstName → First Name, LastName → Last Name, Phone → Phone. Not imported: Emial (unknown header, holds email addresses, perhaps Email); Phine (unknown header).',
			],
		],
		[
			'unknown headers by what they hold, the most telling first',
			{
				...mapped,
				Email: 'a@example.org',
				Note: 'x',
				'': 'y',
				'Best # to reach': '907-555-0100',
				'Where we visit': '1 Elm St',
				'Backup contact': 'Bob Example',
				[`Why ${'so '.repeat(50)}`]: 'z',
			},
			[
				'"Best # to reach" holds phone numbers with an area code, but is not imported. If you need it, enter its field in the option Headers the Node Does Not Know.',
				'"Where we visit" holds streets with a number, but is not imported. If you need it, enter its field in the option Headers the Node Does Not Know.',
				`Mapped: FirstName → First Name, LastName → Last Name, Email → Email. Not imported: Best # to reach (unknown header, holds phone numbers with an area code); Where we visit (unknown header, holds streets with a number); Note, (column without a header), Backup contact, Why ${'so '.repeat(18)}so… (unknown header).`,
			],
		],
		[
			'IDs of another database',
			{ ...mapped, Email: 'a@example.org', 'Voter File VANID': '100001' },
			[
				'Mapped: FirstName → First Name, LastName → Last Name, Email → Email. Not imported: Voter File VANID (it holds IDs of another database).',
			],
		],
	])('%s', async (_, row, warnings) => {
		const run = await importRows([row], { fieldMap: mapAutomatically }, { dryRun: true });
		expect(totalsOf(run).warnings).toEqual(warnings);
	});

	it('many properties that are mapped to nothing, without naming all', async () => {
		const others = Array.from({ length: 23 }, (_, index) => [`Note ${index + 1}`, 'x']);
		const more = { Email: 'ada@example.org', ...Object.fromEntries(others), Surname: 'a' };
		const rows = [{ ...mapped, ...more }];
		const run = await importRows(rows, { fieldMap: mapAutomatically }, { dryRun: true });
		const [unmapped] = totalsOf(run).warnings as string[];
		expect(unmapped).toMatch(
			/Note 1, .*Note 20 and 3 more \(unknown header\); Surname \(LastName is imported instead\)\.$/,
		);
	});
});

test('a dry run reports values that cannot be written, and fixed values that the service does not accept', async () => {
	const rows = people(2).map((row, i) => (i === 1 ? { ...row, Mail: ['a'] } : row));
	const list = await importRows(rows, {}, { dryRun: true, ifInvalid: 'stop' });
	expect(whyStopped(list)).toMatch(/^Column "Mail" is a list or an object/);
	const map = {
		recordId: property('id'),
		'Phones:Phone': property('a'),
		'Phones:PhoneTypeID': '77',
	};
	const fixed = await importRows(
		[{ id: 100001, a: '9075550100' }],
		{ mappingTypes: ['Phones'] },
		{ dryRun: true },
		map,
	);
	expect(whyStopped(fixed)).toMatch(/^Fields → Phone Type: "77" is not in the service's list\./);
});

/** Puts the zip of an item where the service finds it. */
async function upload(item: INodeExecutionData | undefined): Promise<string> {
	const zip = item?.binary?.data;
	if (!zip) throw new Error('There is no file.');
	const bytes = Buffer.from(zip.data, 'base64');
	await fetch(`${service.sandbox.url}/drop/given.zip?sig=1`, { method: 'PUT', body: bytes });
	return `${service.sandbox.httpsUrl}/drop/given.zip`;
}

it('Retry On Fail of n8n starts no job twice, and sends again what was not started', async () => {
	service.addJobFault({ kind: 'neverEnds' }, { count: 5 });
	const run = await service.run(node, imports({}, { maxWait: 0.005 }), {
		items: itemsOf(people(2)),
		retries: { maxTries: 3, waitBetweenTries: 1 },
	});
	expect(run.error?.message).toMatch(/has not ended/);
	expect(service.jobs()).toHaveLength(1);

	service.sandbox.control.reset();
	service.addFault(
		{ kind: 'response', status: 403, body: { errors: [{ text: 'Not now.' }] } },
		'POST /bulkImportJobs',
		{ count: 1 },
	);
	const again = await service.run(node, imports(), {
		items: itemsOf(people(2)),
		retries: { maxTries: 3, waitBetweenTries: 1 },
	});
	expect(again.error).toBeUndefined();
	expect(service.jobs()).toHaveLength(1);
});

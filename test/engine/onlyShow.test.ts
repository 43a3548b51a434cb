import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { mapFields } from '../../hosts/locators';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import {
	inputOf,
	itemImport,
	itemsOf,
	people,
	personMap,
	property,
	statusesOf,
	stopsOf,
	totalsOf,
} from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

const run = async (
	rows: readonly IDataObject[],
	options: INodeParameters = {},
	changes: INodeParameters = {},
	map: Record<string, string> = personMap,
) =>
	await service.run(node, itemImport(service, map, { options, ...changes }), {
		items: await inputOf(rows, changes.source),
	});

const writes = () => service.calls().filter(({ method }) => method !== 'GET');

describe.each(['items', 'binary'])('Only Show, of %s', (source) => {
	const noun = source === 'items' ? 'item' : 'row';
	const show = { dryRun: true };

	it('is what a new node does: it sends nothing, and says first how to go on', async () => {
		const { whatShouldHappen: _, ...untouched } = itemImport(service, personMap, { source });
		const result = await service.run(node, untouched, { items: await inputOf(people(3), source) });
		expect(result.error).toBeUndefined();
		expect(writes()).toEqual([]);
		expect(result.hints[0]?.message).toBe(
			`Nothing was sent. To import 3 of 3 ${noun}s, set What Should Happen to Import.`,
		);
		expect(result.hints.filter(({ type }) => type === 'warning')).toEqual([]);
	});

	/** A list with everything that stops an import, and its settings. */
	const map = {
		...personMap,
		'CreateOrUpdateContact:MiddleName': property('Middle'),
		'CreateOrUpdateContact:DOB': property('Born'),
		'Phones:Phone': property('Tel'),
		'Phones:PhoneTypeID': 'C',
		'Phones:PhoneOptInStatusID': '1',
	};
	const rows = people(4, { 1: { Mail: 'nobody' } }).map((row, position) => ({
		...row,
		Tel: `907555010${position}`,
		Born: position === 2 ? '12/31/1980' : '31/12/1980',
		'Do Not Call': position === 3 ? 'yes' : '',
	}));
	const changes = {
		source,
		mappingTypes: ['CreateOrUpdateContact', 'Phones'],
		fieldMap: mapFields(map),
		uploadUrl: 'http://files.example.org/{file}',
		description: 'Sign-ups < March',
	};
	const options = { ifInvalid: 'stop', tryFirst: 'many', skipUnchangedBy: 'ID' };
	const problems = [
		/^Try First \(Rows\): "many" is not a whole number/,
		/^Fields → Middle Name: (No item has "Middle"|"Middle" is not a column)/,
		/^Fields → Date of Birth.* has dates in two orders/,
		/^Fields → Phone Opt in Status.*turn on Consent Was Collected in Safety/,
		/^Name of This Import/,
		/^Opt-Outs in the List needs a choice/,
		/^Skip Rows Imported Before: "ID" is not a column/,
		/is not an email address\..*To import the other rows/,
		/^Upload URL is not an https address/,
	];

	it('shows all that would stop the import at once, and the first of it stops the import', async () => {
		const shown = await run(rows, { ...options, ...show }, changes);
		expect(shown.error).toBeUndefined();
		const stops = stopsOf(shown);
		expect(stops).toHaveLength(problems.length);
		for (const problem of problems) expect(stops).toContainEqual(expect.stringMatching(problem));
		expect(shown.hints[0]).toMatchObject({
			message: '9 problems stop this import. They are the first entries of the output.',
			type: 'warning',
		});
		const [first] = shown.outputs[0] ?? [];
		expect(first?.json.problem).toMatch(/^Would stop the import: /);
		// All that can be shown is there.
		expect(shown.outputs[0]?.find(({ json }) => json.column === 'Born')).toBeDefined();
		expect(totalsOf(shown).wouldStop).toEqual(stops);

		const sent = await run(rows, options, changes);
		expect(sent.error?.message).toBe(stops[0]);
		expect(writes()).toEqual([]);
	});

	it('says that no row of a column that is wrong in each can be imported', async () => {
		const wrong = people(3).map((row) => ({ ...row, Mail: 'nobody' }));
		const shown = await run(wrong, show, { source });
		expect(stopsOf(shown)).toEqual([expect.stringMatching(/ No row can be imported\.$/)]);
		expect(statusesOf(shown.outputs[0])?.filter((status) => status === 'invalid')).toHaveLength(3);
	});

	it('names who is twice where that would stop the import, and counts them', async () => {
		const twice = [...people(2), ...people(1)];
		const shown = await run(twice, { ...show, duplicates: 'stop' }, { source });
		expect(stopsOf(shown)).toEqual([
			expect.stringMatching(/^Duplicates in the List is set to Stop/),
		]);
		expect(JSON.stringify(totalsOf(shown))).toContain('"duplicates":');
	});

	it('shows the columns of a list in which nobody is recognized', async () => {
		const strange = [{ Amount: '5', Colour: 'red' }];
		const shown = await run(strange, show, { source, columns: 'recognized' });
		expect(stopsOf(shown)).toEqual([expect.stringMatching(/^Columns: No column holds a name/)]);
		expect(shown.outputs[0]?.map(({ json }) => json.column)).toEqual(
			expect.arrayContaining(['Amount', 'Colour']),
		);
	});
});

it('fails where nothing can be shown', async () => {
	const noFile = itemImport(service, personMap, { source: 'binary', options: { dryRun: true } });
	expect((await service.run(node, noFile, { items: itemsOf(people(1)) })).error).toBeDefined();
	service.addFault({ kind: 'status', status: 401 }, 'GET /bulkImportMappingTypes', { count: 9 });
	expect((await run(people(1), { dryRun: true })).error?.message).toMatch(/401|key/);
	const word = await run(people(1), {}, { whatShouldHappen: '={{ "imprt" }}' });
	expect(word.error?.message).toMatch(/^What Should Happen: "imprt" is not one of show/);
});

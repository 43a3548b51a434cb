import { omit } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import {
	itemImport,
	itemsOf,
	messagesOf,
	property,
	reportOf,
	sentBy,
	stopsOf,
	totalsOf,
} from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

const automatic: INodeParameters = {
	fieldMap: { mappingMode: 'autoMapInputData', value: null, schema: [], matchingColumns: [] },
};

const LIST = [
	['Ann', 'Lee', 'ann@example.org', '907-555-0100', 'Yes', 'Active'],
	['Bo', 'Moe', 'bo@example.org', '907-555-0101', 'No', 'Unsubscribed'],
	['Cy', 'Poe', 'cy@example.org', '907-555-0102', '', 'Active'],
	['Di', 'Roe', 'di@example.org', '', 'Yes', ''],
].map(([first, last, Email, Phone, call, status]) => ({
	'First Name': first,
	'Last Name': last,
	Email,
	Phone,
	'Do Not Call': call,
	'Email Status': status,
}));

const importOf = async (options: INodeParameters, changes: INodeParameters = automatic) =>
	await service.run(
		node,
		itemImport(service, {}, { ...changes, options: { pollInterval: 0.05, ...options } }),
		{ items: itemsOf(LIST) },
	);

const CALLS = '"Do Not Call" says of 1 row that they want no calls (item 1)';
const EMAILS = '"Email Status" says of 1 row that they want no email (item 2)';

it('sends nothing before the user has chosen, and names column, count and option', async () => {
	const { error } = await importOf({});
	expect(error?.message).toBe(
		`Opt-Outs in the List needs a choice of what to do with phone numbers and email addresses before anything is sent: ${CALLS} and ${EMAILS}. Choose it in Safety → Consent and Opt-Outs.`,
	);
	expect(service.starts()).toEqual([]);
});

it('shows in a dry run what an import would ask for', async () => {
	const shown = await importOf({ dryRun: true });
	expect(shown.error).toBeUndefined();
	expect(totalsOf(shown).optOuts).toEqual([
		{ column: 'Do Not Call', of: ['calls'], rows: 1 },
		{ column: 'Email Status', of: ['emails'], rows: 1 },
	]);
	expect(stopsOf(shown)).toEqual([expect.stringMatching(/^Opt-Outs in the List needs a choice/)]);
});

it('leaves out the contact data of these people only, and says so everywhere', async () => {
	const run = await importOf(
		{ optOuts: 'leaveOut', hosting: 'none' },
		{ ...automatic, hosting: 'none' },
	);
	expect((await sentBy(run)).map(({ Email, Phone }) => [Email, Phone])).toEqual([
		['ann@example.org', ''],
		['', '9075550101'],
		['cy@example.org', '9075550102'],
		['di@example.org', ''],
	]);
	const sent = await importOf({ optOuts: 'leaveOut', report: true });
	for (const text of [messagesOf(sent), (await reportOf(sent)).replaceAll('&quot;', '"')]) {
		expect(text).toContain(`${CALLS}. Their phone numbers are not imported.`);
		expect(text).toContain(`${EMAILS}. Their email addresses are not imported.`);
	}
});

it('imports them if the user says so, and names them still', async () => {
	const run = await importOf({ optOuts: 'ignore' });
	expect(run.outputs[0]?.map(({ json }) => json.status)).toEqual(Array(4).fill('imported'));
	expect(messagesOf(run)).toContain(`${CALLS}. Their phone numbers are imported, as chosen`);
});

it('refuses to send what no field takes', async () => {
	const { error } = await importOf({ optOuts: 'send' });
	expect(error?.message).toContain('is set to Send the Opt-Out, and no field takes it');
	expect(error?.message).toContain(CALLS);
	expect(service.starts()).toEqual([]);
});

const phones = (status: string): INodeParameters => ({
	mappingTypes: ['CreateOrUpdateContact', 'Phones'],
	hosting: 'none',
	fieldMap: {
		mappingMode: 'defineBelow',
		value: {
			'CreateOrUpdateContact:FirstName': property('First Name'),
			'CreateOrUpdateContact:LastName': property('Last Name'),
			'CreateOrUpdateContact:Email': property('Email'),
			'Phones:Phone': property('Phone'),
			'Phones:PhoneTypeID': 'H',
			'Phones:PhoneOptInStatusID': status,
		},
		schema: [],
		matchingColumns: [],
	} as unknown as INodeParameters,
});

it('sends the opt-out where a field takes it, and never an opt-in', async () => {
	const ones = LIST.map((row) => ({ ...row, 'Do Not Call': row['Do Not Call'] === 'Yes' ? 1 : 0 }));
	const run = await service.run(
		node,
		itemImport(
			service,
			{},
			{
				...phones(property('Do Not Call')),
				options: { optOuts: 'ignore' },
			},
		),
		{ items: itemsOf(ones) },
	);
	expect(run.error).toBeUndefined();
	expect((await sentBy(run)).map(({ PhoneOptInStatusID }) => PhoneOptInStatusID)).toEqual([
		'3',
		'',
		'',
		'',
	]);
});

it('finds the field for the opt-out by itself', async () => {
	const run = await service.run(
		node,
		itemImport(
			service,
			{},
			{
				...automatic,
				mappingTypes: ['CreateOrUpdateContact', 'Email'],
				hosting: 'none',
				options: { optOuts: 'send' },
			},
		),
		{ items: itemsOf(LIST.map((row) => omit(row, ['Do Not Call', 'Phone']))) },
	);
	expect(run.error).toBeUndefined();
	expect(
		(await sentBy(run)).map(({ EmailSubscriptionStatusId }) => EmailSubscriptionStatusId),
	).toEqual(['', '0', '', '']);
	expect(messagesOf(run)).toContain(`${EMAILS}. Their opt-out is sent with their email addresses.`);
});

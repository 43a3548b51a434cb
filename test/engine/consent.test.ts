import type { INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { itemImport, property } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

const PERSON = { First: 'Ann', Last: 'Lee', Mail: 'ann@example.org', Mobile: '9075550100' };
const EMAIL = 'Email:EmailSubscriptionStatusId';
const PHONE = 'Phones:PhoneOptInStatusID';

/** Imports a person with a further field. */
const run = async (
	map: Record<string, string>,
	row: Record<string, string> = {},
	options: INodeParameters = {},
) =>
	await service.run(
		node,
		itemImport(
			service,
			{
				'CreateOrUpdateContact:FirstName': property('First'),
				'CreateOrUpdateContact:LastName': property('Last'),
				'Email:Email': property('Mail'),
				'Phones:Phone': property('Mobile'),
				'Phones:PhoneTypeID': 'C',
				...map,
			},
			{
				mappingTypes: ['CreateOrUpdateContact', 'Phones', 'Email'],
				options: { pollInterval: 0.05, ...options },
			},
		),
		{ items: [{ json: { ...PERSON, ...row } }] },
	);
const writes = () => service.calls().filter(({ method }) => method !== 'GET');

describe('an opt-in', () => {
	it.each([
		[PHONE, 'Opt In', 'Fields → Phone Opt in Status would store "Opt In" for everybody'],
		[PHONE, '1', 'Fields → Phone Opt in Status would store "Opt In" for everybody'],
		[EMAIL, 'Subscribed', 'Fields → Email Subscription Status would store "Subscribed"'],
	])(
		'of %s that is "%s" for all rows needs the word that it was given',
		async (field, value, text) => {
			const { error } = await run({ [field]: value });
			expect(error?.message).toContain(text);
			expect(error?.message).toContain(
				'turn on Consent Was Collected in Safety → Consent and Opt-Outs',
			);
			expect(writes()).toEqual([]);
			expect(
				(await run({ [field]: value }, {}, { consentWasCollected: true })).error,
			).toBeUndefined();
			expect(writes()).not.toEqual([]);
		},
	);

	it.each([
		[PHONE, 'Opt Out'],
		[PHONE, 'Unknown'],
		[EMAIL, 'Unsubscribed'],
		[EMAIL, '1'],
	])('is not what %s says with "%s"', async (field, value) => {
		expect((await run({ [field]: value })).error).toBeUndefined();
		expect(writes()).not.toEqual([]);
	});

	it('of each row needs a column with its date, or the word that it was given', async () => {
		const map = { [PHONE]: property('Texts') };
		const { error } = await run(map, { Texts: 'Opt In' });
		expect(error?.message).toContain(
			'Fields → Phone Opt in Status can opt people in, and no column says when they agreed.',
		);
		expect(writes()).toEqual([]);
		expect(
			(await run(map, { Texts: 'Opt In', 'Opt-In Date': '2026-03-01' })).error,
		).toBeUndefined();
		const vouched = await run(map, { Texts: 'Opt In' }, { consentWasCollected: true });
		expect(vouched.error).toBeUndefined();
	});

	it('of email needs the word that it was given, also beside a column of opt-outs from calls', async () => {
		const { error } = await run(
			{ [EMAIL]: property('News') },
			{ News: 'Subscribed', 'Do Not Call': 'Yes' },
			{ optOuts: 'ignore' },
		);
		expect(error?.message).toContain(
			'Fields → Email Subscription Status can opt people in, and no column says when they agreed.',
		);
		expect(writes()).toEqual([]);
	});

	it.each(['={{ 1 }}', '={{ "Opt In" }}'])(
		'that is %s in all rows is one of everybody',
		async (value) => {
			const { error } = await run({ [PHONE]: value }, { 'Opt-In Date': '2026-03-01' });
			expect(error?.message).toContain('its expression does not depend on the row');
			expect(writes()).toEqual([]);
		},
	);

	it.each([
		'Opt-In Date',
		'OptInDate',
		'OPTIN_TIME',
		'consented_at',
		'Consented At',
		'Consent Given On',
		'subscribedOn',
		'Date of Sign-Up',
		'DateSubscribed',
	])('has its date in the column %s', async (column) => {
		const row = { Texts: 'Opt In', [column]: '2026-03-01' };
		expect((await run({ [PHONE]: property('Texts') }, row)).error).toBeUndefined();
	});

	it.each([
		'Date Unsubscribed',
		'Consent Revoked At',
		'Consent Declined On',
		'Opt-In Cancelled Date',
		'Opt-In/Opt-Out Date',
		'Subscription End Date',
		'subscription_expiration_date',
		'Un-Subscribed Date',
		'Unsubscribed At',
		'Sign-Up Location',
		'Opt-In Reason',
		'Consent Version',
		'SMS Consent on File',
		'Opt-In at Event',
		'Subscribed on Website',
		'Date Assigned',
		'Sign-Up Candidate',
	])('has no date in the column %s', async (column) => {
		const row = { Texts: 'Opt In', [column]: '2026-03-01' };
		const { error } = await run({ [PHONE]: property('Texts') }, row);
		expect(error?.message).toContain('no column says when they agreed');
		expect(writes()).toEqual([]);
	});
});

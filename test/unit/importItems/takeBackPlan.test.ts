import type { IDataObject } from 'n8n-workflow';

import type { KeptValue } from '../../../nodes/NativeBulkImport/before/beforeFile';
import {
	fieldsOf,
	planRecord,
	type RecordNow,
} from '../../../nodes/NativeBulkImport/before/takeBackPlan';

/** How one person of an import ends when it is taken back. */

const PERSON = 7;
const CONTACT = 'CreateOrUpdateContact';

type Values = Record<string, [before: KeptValue, sent: string]>;

interface Imported {
	/** Keyed by the label of a field: its name, preceded by its mapping type unless that is the one of contacts. */
	values: Values[];
	fixed?: Record<string, string>;
	isNew?: boolean;
	/** The service's words by mapping type. */
	outcomes?: Record<string, string>;
}

const fieldOf = (label: string, fixed: string | null = null) => {
	const [field = '', mappingType = CONTACT] = label.split(':').reverse();
	return { mappingType, field, outcome: mappingType, fixed };
};

function plan({ values, fixed = {}, isNew = false, outcomes }: Imported, now: Partial<RecordNow>) {
	const labels = new Set(values.flatMap((row) => Object.keys(row)));
	const fields = Object.fromEntries([
		...[...labels].map((label) => [label, fieldOf(label)] as const),
		...Object.entries(fixed).map(([label, value]) => [label, fieldOf(label, value)] as const),
	]);
	const head = { fields } as Parameters<typeof fieldsOf>[0]['head'];
	const rows = values.map((row, index) => ({
		kept: {
			row: index + 1,
			person: isNew ? ('new' as const) : PERSON,
			values: row,
		},
		outcome: {
			row: index + 1,
			status: 'imported' as const,
			primaryKey: PERSON,
			jobId: 1,
			...(outcomes && { outcomes }),
		},
	}));
	const record = { personId: PERSON, rows, mayBeNew: isNew };
	const { rows: ends, write } = planRecord(
		record,
		fieldsOf({ head }),
		{ person: undefined, activistCodeIds: [], ...now },
		'2026-03-01T00:00:00Z',
	);
	const [end] = ends;
	return { ends, end: end?.end, reason: end?.reason ?? '', todo: end?.fields[0]?.todo, write };
}

const email = (address: string, changes: IDataObject = {}): IDataObject => ({
	email: address,
	type: 'P',
	subscriptionStatus: 'N',
	isPreferred: false,
	dateCreated: '2026-03-02T00:00:00Z',
	...changes,
});
const entry = (type: string | null, status: string | null = 'N', isPreferred = false) => ({
	type,
	status,
	isPreferred,
});

describe('a person who was there', () => {
	const restored = (values: Values, person: IDataObject, more: Partial<Imported> = {}) =>
		plan({ values: [values], ...more }, { person });
	const body = ({ write }: ReturnType<typeof plan>) =>
		write?.is === 'restore' ? write.body : undefined;

	test('gets a former value back', () => {
		const back = restored({ EmployerName: ['Old', 'New'] }, { employer: 'New' });
		expect(body(back)).toEqual({ employer: 'Old' });
		expect(back.end).toBe('restored');
	});

	test('keeps all values if somebody changed one of them', () => {
		const values: Values = { EmployerName: ['Old', 'New'], OccupationName: ['Baker', 'Sailor'] };
		const back = restored(values, { employer: 'Other', occupation: 'Sailor' });
		expect(back).toMatchObject({ end: 'kept', write: undefined });
		expect(back.reason).toContain('Somebody changed EmployerName since the import');
	});

	test('is not touched for a value that the service rejected', () => {
		const outcomes = { [CONTACT]: 'Invalid value' };
		const back = restored({ EmployerName: ['Old', 'New'] }, { employer: 'Other' }, { outcomes });
		expect(back).toMatchObject({ end: 'restored', write: undefined });
	});

	test('needs somebody to empty what was blank', () => {
		const back = restored({ EmployerName: [null, 'New'] }, { employer: 'New' });
		expect(back).toMatchObject({ end: 'notPossible', write: undefined });
		expect(back.reason).toMatch(/^Only a person can take back EmployerName: .*cannot empty it/);
	});

	test('of two rows, the first says what was there, the last what was sent', () => {
		const values: Values[] = [{ EmployerName: ['Old', 'One'] }, { EmployerName: ['Old', 'Two'] }];
		expect(body(plan({ values }, { person: { employer: 'Two' } }))).toEqual({ employer: 'Old' });
		expect(plan({ values }, { person: { employer: 'One' } }).end).toBe('kept');
	});

	test('has each ID of another system for itself', () => {
		const values: Values = { External_1ID: ['A', 'A'], External_2ID: [null, 'B'] };
		const { ends } = restored(values, { identifiers: [{ externalId: 'A' }, { externalId: 'B' }] });
		expect(ends[0]?.fields).toMatchObject([{ field: 'External_2ID', sent: 'B' }]);
	});

	const ofEmail = (
		before: ReturnType<typeof entry> | null,
		preferred: string | null,
	): KeptValue => ({
		entry: before,
		preferred,
	});

	test('gets the former type of an email back, and nothing else of it', () => {
		const back = restored(
			{ Email: [ofEmail(entry('W', 'N', true), 'a@example.org'), 'a@example.org'] },
			{ emails: [email('a@example.org', { isPreferred: true })] },
		);
		expect(body(back)).toEqual({ emails: [{ email: 'a@example.org', type: 'W' }] });
	});

	test('is not written if an email is as it was', () => {
		const back = restored(
			{ Email: [ofEmail(entry('P', 'N', true), 'a@example.org'), 'A@example.org'] },
			{ emails: [email('a@example.org', { isPreferred: true })] },
		);
		expect(back).toMatchObject({ end: 'restored', write: undefined });
	});

	test('prefers the former email again', () => {
		const back = restored(
			{ Email: [ofEmail(entry('P'), 'a@example.org'), 'b@example.org'] },
			{ emails: [email('a@example.org'), email('b@example.org', { isPreferred: true })] },
		);
		expect(body(back)).toEqual({
			emails: [{ email: 'a@example.org', type: 'P', isPreferred: true }],
		});
	});

	test.each<[string, string | null, string, Record<string, string>]>([
		['had no preferred email', null, 'b@example.org', {}],
		['has the former one preferred', 'a@example.org', 'a@example.org', {}],
		['had this one preferred', 'b@example.org', 'b@example.org', {}],
		[
			'was imported without preferring it',
			'a@example.org',
			'c@example.org',
			{ DoNotUpdateBest: 'Yes' },
		],
	])('keeps the preferred email if the person %s', (_, was, is, fixed) => {
		const emails = ['a', 'b', 'c'].map((name) =>
			email(`${name}@example.org`, { isPreferred: is.startsWith(name) }),
		);
		const back = restored(
			{ Email: [ofEmail(entry('P'), was), 'b@example.org'] },
			{ emails },
			{ fixed },
		);
		expect(back).toMatchObject({ end: 'restored', write: undefined });
	});

	test('is kept if somebody prefers a third email since', () => {
		const emails = [
			email('a@example.org'),
			email('b@example.org'),
			email('c@example.org', { isPreferred: true }),
		];
		const back = restored(
			{ Email: [ofEmail(entry('P'), 'a@example.org'), 'b@example.org'] },
			{ emails },
		);
		expect(back).toMatchObject({ end: 'kept', write: undefined });
	});

	test('needs somebody to undo that an email was unsubscribed', () => {
		const back = restored(
			{
				'Email:Email': [ofEmail(entry('P', 'S'), null), 'a@example.org'],
				'Email:EmailSubscriptionStatusId': [null, '0'],
			},
			{ emails: [email('a@example.org', { subscriptionStatus: 'U' })] },
		);
		expect(back).toMatchObject({ end: 'notPossible', write: undefined });
		expect(back.todo).toContain('It was unsubscribed');
	});

	test('needs somebody to compare an email of which the file does not say what was there', () => {
		const back = restored({ Email: [null, 'a@example.org'] }, { emails: [email('a@example.org')] });
		expect(back).toMatchObject({ end: 'notPossible', write: undefined });
		expect(back.todo).toContain('It is unknown what this field held before');
	});

	test('needs somebody to compare a field that nobody can read, if it was written', () => {
		const values: Values = { 'SomeType:SomeField': [null, 'x'] };
		expect(restored(values, {}).end).toBe('notPossible');
		expect(restored(values, {}, { outcomes: { SomeType: 'Rejected' } }).end).toBe('restored');
	});
});

describe('a person whom the import created', () => {
	const sent: Values = {
		FirstName: [null, 'Ada'],
		Email: [null, 'ada@example.org'],
		CellPhone: [null, '907-555-0100'],
		City: [null, 'Nome'],
		ZipOrPostal: [null, '99762'],
		External_1ID: [null, 'M-1'],
		'ApplyContactCustomFields:CF5': [null, 'Blue'],
	};
	const phones = [{ phoneNumber: '9075550100', phoneType: 'C', phoneOptInStatus: 'U' }];
	const person: IDataObject = {
		firstName: 'Ada',
		emails: [email('ada@example.org', { isPreferred: true })],
		phones,
		addresses: [{ type: 'Home', city: 'NOME', zipOrPostalCode: '99762-0001', countryCode: 'US' }],
		identifiers: [{ externalId: 'm-1' }, { externalId: 'M-1' }],
		customFields: [{ customFieldId: 5, assignedValue: 'Blue' }],
		salutation: 'Dear Ada',
		codes: [{ codeId: 3 }],
		notes: [],
	};
	const fixed = { 'OriginSourceCode:CodeId': '3', 'ActivistCode:ActivistCodeID': '4' };
	const removed = (changes: IDataObject, activistCodeIds = [4]) =>
		plan(
			{ values: [sent], fixed, isNew: true },
			{ person: { ...person, ...changes }, activistCodeIds },
		);

	test('is removed if it holds what was sent and what the service forms of it', () => {
		expect(removed({})).toMatchObject({ end: 'removed', reason: '', write: { is: 'remove' } });
	});

	test('is removed where the service does not name the type or status of an email', () => {
		const emails = [email('ada@example.org', { type: null, subscriptionStatus: null })];
		expect(removed({ emails })).toMatchObject({ end: 'removed', write: { is: 'remove' } });
	});

	test('is removed if an email was sent without its type', () => {
		const values: Values[] = [{ 'Email:Email': [null, 'ada@example.org'] }];
		const emails = [email('ada@example.org', { type: 'W' })];
		expect(plan({ values, isNew: true }, { person: { emails } }).end).toBe('removed');
	});

	test.each<[string, IDataObject, string]>([
		['another name', { firstName: 'Eve' }, 'firstName: Eve'],
		['a value more', { occupation: 'Baker' }, 'occupation: Baker'],
		['a date of birth', { dateOfBirth: '1970-02-03T00:00:00Z' }, 'dateOfBirth: 1970-02-03'],
		['a salutation with other words', { salutation: 'Hello Ada' }, 'salutation: Hello Ada'],
		[
			'another email',
			{ emails: [email('ada@example.org'), email('eve@example.org')] },
			'emails: eve@example.org P N',
		],
		[
			'an email of another type',
			{ emails: [email('ada@example.org', { type: 'W' })] },
			'emails: ada@example.org W N',
		],
		[
			'an email that was subscribed',
			{ emails: [email('ada@example.org', { subscriptionStatus: 'S' })] },
			'emails: ada@example.org P S',
		],
		[
			'a phone that was opted in',
			{ phones: [{ ...phones[0], phoneOptInStatus: 'I' }] },
			'phones: 9075550100 C I',
		],
		['another address', { addresses: [{ type: 'Home', city: 'Juneau' }] }, 'addresses: Juneau'],
		['another country', { addresses: [{ type: 'Home', countryCode: 'CA' }] }, 'addresses: CA'],
		['another ID', { identifiers: [{ externalId: 'X-9' }] }, 'identifiers: X-9'],
		[
			'another custom value',
			{ customFields: [{ customFieldId: 5, assignedValue: 'Red' }] },
			'customFields: Red',
		],
		[
			'a custom value more',
			{ customFields: [{ customFieldId: 6, assignedValue: 'Blue' }] },
			'customFields: Blue',
		],
		['another code', { codes: [{ codeId: 3 }, { codeId: 8 }] }, 'codes: 8'],
		['a note', { notes: [{ noteId: 1 }] }, 'notes: 1'],
		['a contribution', { contributionHistory: [{ amount: 5 }] }, 'contributionHistory: 1'],
	])('is kept with %s', (_, changes, what) => {
		const back = removed(changes);
		expect(back).toMatchObject({ end: 'kept', write: undefined });
		expect(back.reason).toContain(`since the import (${what})`);
	});

	test('is kept with an activist code that was not sent', () => {
		expect(removed({}, [4, 9])).toMatchObject({ end: 'kept', write: undefined });
	});

	test('is kept if somebody emptied what was sent', () => {
		const back = removed({ customFields: [] });
		expect(back).toMatchObject({ end: 'kept', write: undefined });
		expect(back.reason).toContain('(ApplyContactCustomFields:CF5: blank)');
	});

	test.each<[string, IDataObject, RegExp]>([
		['no date', { emails: [email('ada@example.org', { dateCreated: null })] }, /^Nothing proves/],
		[
			'a date without a time zone',
			{ emails: [email('ada@example.org', { dateCreated: '2026-03-02T00:00:00' })] },
			/^Nothing proves/,
		],
		[
			'an older email',
			{ emails: [email('ada@example.org', { dateCreated: '2026-02-28T23:59:59+00:00' })] },
			/^This person was in the service before the import/,
		],
	])('is left to somebody with %s', (_, changes, reason) => {
		const back = removed(changes);
		expect(back).toMatchObject({ end: 'notPossible', write: undefined });
		expect(back.reason).toMatch(reason);
	});

	test('was removed already', () => {
		expect(plan({ values: [sent], fixed, isNew: true }, {})).toMatchObject({
			end: 'removed',
			write: undefined,
		});
	});
});

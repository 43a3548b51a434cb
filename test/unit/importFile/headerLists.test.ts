import { readFileSync } from 'node:fs';

import { matchHeaders } from '../../../nodes/shared/importFile/matchHeaders';
import { simplifyName } from '../../../nodes/shared/importFile/fileColumns';
import { columnsOf, contactFields as fields, mistakes } from './headerMistakes';
import { learnedLists } from './headerLists';
import { unseenLists } from './unseenHeaderLists';

test.each(Object.entries(learnedLists))('%s feeds the right fields', (_, list) => {
	expect(mistakes(columnsOf(list))).toEqual({ wrong: [], lost: [] });
});

test('a street in several columns is put together in the order in which it is written', () => {
	const joined = Object.entries({ ...learnedLists, ...unseenLists }).flatMap(([name, list]) => {
		const columns = columnsOf(list);
		const valueOf = (name: string) => columns.find(({ header }) => header === name)?.value;
		const headers = columns.map(({ header }) => header);
		const { mapped } = matchHeaders(headers, fields, {
			isComplete: true,
			valuesOf: (header) => [valueOf(header)],
		});
		const lines = mapped.filter(({ isJoined }) => isJoined);
		const texts = lines.map((line) => line.headers.map(valueOf).join(' ')).sort();
		return texts.length > 0 ? [`${name}: ${texts.join(', ')}`] : [];
	});
	expect(joined).toEqual([
		'VAN phone list: 1 1/2 N Elm St W, Apt 2',
		'Voter file of Colorado: 1 A N ELM ST W, APT 2',
		'Voter file of Georgia: 1 N ELM ST W',
		'Voter file of Michigan: W 1 A N ELM ST W',
		'Voter file of New Jersey: 1 A ELM ST',
		'Voter file of New York: 1 1/2 N ELM ST W, APT 2',
		'Voter file of Utah: 1 A N ELM ST W, APT 2',
		'Voter file of Washington: 1 1/2 N ELM ST W, APT 2',
		'Voter file of Arkansas: 1 N ELM ST, APT 2',
		'Voter file of New Hampshire: 1 ELM ST',
		'Voter file of the District of Columbia: 1 1/2 ELM ST NW',
		'Members in Quebec: 1 rue des Ormes',
		'Voter file of Massachusetts: 1 A ELM ST',
		'Voter file of Kansas: 1 ELM ST, APT 2',
		'Voter file of Tarrant County: 1 A N ELM ST W, APT 2',
	]);
});

test('at least three in ten lists are kept apart', () => {
	const [unseen, learned] = [unseenLists, learnedLists].map((lists) => Object.keys(lists).length);
	expect((unseen ?? 0) / ((unseen ?? 0) + (learned ?? 0))).toBeGreaterThanOrEqual(0.3);
});

test('no list that was kept apart is one of the others again', () => {
	const headersOf = (list: string): Set<string> =>
		new Set(columnsOf(list).map(({ header }) => simplifyName(header)));
	const learned = Object.values(learnedLists).map(headersOf);
	const isAgain = (unseen: Set<string>): boolean =>
		learned.some((known) => {
			const shared = [...unseen].filter((header) => known.has(header)).length;
			return shared / (unseen.size + known.size - shared) > 0.7;
		});
	expect(
		Object.keys(unseenLists).filter((name) => isAgain(headersOf(unseenLists[name] ?? ''))),
	).toEqual([]);
});

test('of lists that were kept apart, none feeds a wrong field, and 98 % of the obvious columns feed one', () => {
	const columns = Object.values(unseenLists).map(columnsOf);
	const all = columns.map(mistakes);
	const obvious = columns.flat().filter(({ field }) => field !== undefined).length;
	const lost = all.flatMap((list) => list.lost);
	expect(all.flatMap(({ wrong }) => wrong)).toEqual([]);
	expect({ lost, share: lost.length / obvious <= 0.02 }).toEqual({ lost, share: true });
	const page = readFileSync('docs/import/headers.md', 'utf8');
	expect(page).toContain(
		`${columns.length} lists that the table was not made from have ${obvious} columns that a person would map: none goes into a wrong field, ${lost.length} are not mapped.`,
	);
});

/** In exports of gifts, events, orders and schools: people and places other than the person of the row. */
const others =
	'Assistant, Buyer, Candidate, Card, Caller, Canvasser, Child, Committee, Contact Owner, Created By, Doctor, Emergency Contact, Event, Fundraiser, Guardian, Guest, Honoree, Host, Household, IP, Landlord, Manager, Organizer, Account Owner, Parent, Partner Contact, Plus One, Polling Place, Purchaser, Recipient, Recruiter, Referrer, School, Sender, Ship To, Shipping, Spouse, Staff, Team Captain, Treasurer, Venue';

test.each(others.split(', '))('columns of %s feed nothing', (owner) => {
	const columns =
		'First Name = Bob | Last Name = Example | Name = Bob Example | Title = Mr. | Gender = M | DOB = 1975-09-18 | Email = bob@example.org | Phone = 9075550100 | Address = 2 Oak Ave | City = Juneau | State = AK | Zip = 99801 | Country = US';
	expect(mistakes(columnsOf(columns.replace(/(^|\| )/g, `$1${owner} `))).wrong).toEqual([]);
});

test('exactly the columns of full names are split, in lists without the two halves', () => {
	const split = Object.values({ ...learnedLists, ...unseenLists }).flatMap((list) => {
		const columns = columnsOf(list);
		const headers = columns.map(({ header }) => header);
		const { mapped } = matchHeaders(headers, fields, {
			isComplete: true,
			cleansValues: true,
			valuesOf: (name) => [columns.find(({ header }) => header === name)?.value],
		});
		const [first, last] = ['FirstName', 'LastName'].map(
			(name) => mapped.find(({ field }) => field.name === name)?.headers[0],
		);
		return first !== undefined && first === last ? [first] : [];
	});
	expect(split.sort()).toEqual([
		'Contact Name',
		'Contributor_Name',
		'FullName',
		'Name',
		'Name',
		'Name',
		'Name',
		'Name',
		'Name',
		'Name',
		'Nombre',
		'Nombre Completo',
		'Supporter Name',
	]);
});

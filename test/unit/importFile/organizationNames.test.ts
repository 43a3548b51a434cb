import { isOrganizationName } from '../../../nodes/shared/importFile/organizationNames';

test.each([
	'Acme Inc',
	'ACME LLC',
	'acme corp.',
	'Example-Corporation',
	'(Foundation) Example',
	'Blue Café',
	'Cafe Luna',
	'Müller GmbH',
	'Łódź Institute',
	'City of Nome',
	'TOWN OF SITKA',
	'Friends of Ada',
	'Law Offices of Ada Example',
	'First Example Credit Union',
	'Example High School',
	'St. Mary Catholic Church',
	`${'A '.repeat(90)}University`,
])('%s is an organization', (name) => {
	expect(isOrganizationName(name)).toBe(true);
});

test.each([
	'',
	'A',
	'In',
	'Ada Example',
	'Corey Incaviglia',
	"Ada O'Inc",
	'Partnersen Churchill',
	'Hospitalet Federationist',
	'Zoë Foundationer',
	'Nome City',
	'Lincoln High',
	'Credit Example',
	`${'A '.repeat(120)}University`,
])('"%s" is not certainly one', (name) => {
	expect(isOrganizationName(name)).toBe(false);
});

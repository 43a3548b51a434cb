import { detectedDelimiter, findHeaderLine } from '../../../nodes/shared/importFile/headerLine';
import { processorTime } from '../../../hosts/processorTime';

const recordsOf = (text: string): string[][] =>
	text
		.trim()
		.split('\n')
		.map((line) => line.trim().split(','));

test.each<[string, string, unknown]>([
	['a header', 'First,Last,Email\nAnn,Sample,a@example.org', { at: 0 }],
	['unknown headers', 'Spalte A,Spalte B\nAnn,Home\nHome,Mobile', { at: 0 }],
	['a title', 'Members of March\nFirst,Last,Email\nAnn,Sample,a@example.org', { at: 1 }],
	[
		'a title with commas and notes',
		'Members, as of March,,\nDo not share,,,\nFirst,Last,Email,Zip\nAnn,Sample,a@example.org,99762',
		{ at: 2 },
	],
	[
		'a line of groups',
		'Name,,Address,,,Contact,\nFirst,Last,Street,City,Zip,Phone,Email\nAnn,Sample,1 Elm St,Nome,99762,9075550100,a@example.org',
		{ at: 1 },
	],
	['a line of groups nobody knows', 'Who,,Where,\nFirst,Last,Street,City', { at: 1 }],
	['what Excel reads', 'sep=,\nSpalte A,Spalte B\nAnn,Nome', { at: 1 }],
	['a title above unknown columns', 'Report\nSpalte A,Spalte B,Spalte C\nx,y,z', { at: 1 }],
	[
		'a header with blanks among its columns',
		',First,Last,Email\n1,Ann,Sample,a@example.org',
		{ at: 0 },
	],
	['years of elections', 'Name,2020,2022,2024\nAnn Sample,Y,N,Y', { at: 0 }],
	[
		'two headers below a title',
		'Report\nFirst,Last,Email\nAnn,Sample,a@example.org\nTitle,Company,City,Email\nx,y,z,w',
		{ rivals: [1, 3] },
	],
	[
		'a header that is repeated below a title',
		'Report\nFirst,Last,Email\nAnn,Sample,a@example.org\nFirst,Last,Email\nBob,Example,b@example.org',
		{ at: 1 },
	],
	[
		'people only',
		'Ann,Sample,a@example.org\nBob,Example,b@example.org',
		{ value: 'a@example.org' },
	],
	[
		'people with phones only',
		'Ann,(907) 555-0100\nBob,(907) 555-0101',
		{ value: '(907) 555-0100' },
	],
	[
		'people whose values are headers, too',
		'Ann,Sample,Home,MI,a@example.org\nBob,Example,Cell,MI,b@example.org',
		{ value: 'a@example.org' },
	],
	[
		'headers, one of which is an address',
		'First,Last,Phone,ask@example.org\nAnn,Sample',
		{ at: 0 },
	],
	['one column', 'Email\na@example.org', { at: 0 }],
])('the line that names the columns is found below or without %s', (_, text, found) => {
	expect(findHeaderLine(recordsOf(text))).toEqual(found);
});

test.each([
	['First;Last;Email\nAnn;Sample, Jr;a@example.org', ';'],
	['Members, as of March 2026\nFirst;Last;Email\nAnn;Sample;a@example.org', ';'],
	['"Name, first"\t"Name, last"\tEmail', '\t'],
	['sep=;\nx,y;z', ';'],
	['Spalte A|Spalte B, oder C, oder D', ','],
	['Report\nSpalte A|Spalte B', '|'],
	['Email', undefined],
])('the delimiter is the one that gives the columns: %j', (text, delimiter) => {
	expect(detectedDelimiter(text, [',', '\t', '|', ';'])).toBe(delimiter);
});

test('the widest beginning of a file takes no time', () => {
	const cells = Array.from({ length: 2000 }, (_, i) => `Column ${i} of (a) - b`);
	const text = Array.from({ length: 20 }, () => cells.join(','))
		.join('\n')
		.slice(0, 16_384);
	detectedDelimiter(text, [',']);
	expect(processorTime(() => detectedDelimiter(text, [',', '\t', '|', ';']))).toBeLessThan(200);
});

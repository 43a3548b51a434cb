import { DateColumn } from '../../../nodes/shared/importFile/dateColumn';
import { judgeValue, type ValueKind } from '../../../nodes/shared/importFile/valueKinds';
import { processorTime } from '../../../hosts/processorTime';

const verdictOf = (kind: ValueKind, value: string): string => {
	const { verdict, text } = judgeValue(kind, value);
	return verdict === 'cleaned' ? `cleaned to ${text}` : verdict;
};

test('a text of up to 200 characters is judged, and a longer one left as it is', () => {
	const encoded = (length: number) => `O&#39;${'n'.repeat(length - 'O&#39;'.length)}`;
	expect(verdictOf('words', encoded(200))).toBe(`cleaned to O'${'n'.repeat(194)}`);
	expect(verdictOf('words', encoded(201))).toBe('fits');
});

test.each<[ValueKind, string, string]>([
	['name', 'Ann', 'fits'],
	['name', 'Na', 'fits'],
	['name', 'Null', 'fits'],
	['name', 'Nan', 'fits'],
	['name', 'Nil', 'fits'],
	['name', 'X', 'fits'],
	['name', 'null', 'noValue'],
	['name', 'NULL', 'noValue'],
	['name', '&nbsp;', 'noValue'],
	['name', 'Ann&nbsp;', 'cleaned to Ann'],
	['name', 'N/A', 'noValue'],
	['name', '#REF!', 'noValue'],
	['name', 'JosÃ©', 'cleaned to José'],
	['name', 'Ã', 'fits'],
	['name', 'O&#39;Neil', "cleaned to O'Neil"],
	['name', 'nan', 'fits'],
	['name', 'Loading', 'fits'],
	['name', 'Blank', 'fits'],
	['name', '(blank)', 'noValue'],
	['name', '<NULL>', 'noValue'],
	['name', '\\N', 'noValue'],
	['name', 'Loading...', 'noValue'],
	['city', 'nan', 'noValue'],
	['city', 'Not Applicable', 'noValue'],
	['city', 'non renseigné', 'noValue'],
	['words', 'R&D', 'fits'],
	['words', '(null)', 'noValue'],
	['email', 'mailto:ann@example.org', 'cleaned to ann@example.org'],
	['email', 'Ann Lee <ann@example.org>', 'cleaned to ann@example.org'],
	['email', 'ann@example.org;', 'cleaned to ann@example.org'],
	['email', 'ann @example.org', 'cleaned to ann@example.org'],
	['email', 'ann lee@example.org', 'impossible'],
	['email', 'ann@example.org; bo@example.org', 'impossible'],
	['email', 'ann@example', 'impossible'],
	['email', 'no email', 'noValue'],
	['email', 'Sin correo', 'noValue'],
	['email', 'test@test.com', 'noValue'],
	['email', 'test@example.org', 'fits'],
	['email', 'bob@bob.com', 'fits'],
	['phone', 'No phone', 'noValue'],
	['phone', 'unlisted', 'noValue'],
	['street', 'No address', 'noValue'],
	['id', '(null)', 'impossible'],
	['name', 'Pe&ntilde;a', 'cleaned to Peña'],
	['name', 'Jos&#233;', 'cleaned to José'],
	['name', 'Zo&#xEB;', 'cleaned to Zoë'],
	['name', 'Ann &#8; Lee', 'fits'],
	['city', 'M&uuml;nchen', 'cleaned to München'],
	['words', 'R&D; Sales', 'fits'],
	['words', 'None', 'fits'],
	['words', 'AT&amp;T', 'cleaned to AT&T'],
	['words', '#N/A', 'noValue'],
	['email', 'none', 'noValue'],
	['email', 'nobody', 'impossible'],
	['email', '=""', 'noValue'],
	['email', 'none@none.com', 'noValue'],
	['email', 'NoEmail@example.org', 'noValue'],
	['email', 'no-email@gmail.example', 'noValue'],
	['email', 'no@example.org', 'fits'],
	['phone', '907-555-0100 x12', 'fits'],
	['phone', '907-555-0100', 'cleaned to 9075550100'],
	['phone', '9075550100.0', 'cleaned to 9075550100'],
	['phone', '="9075550100"', 'cleaned to 9075550100'],
	['phone', '9.07555E+09', 'impossible'],
	['phone', '9,07555E+09', 'impossible'],
	['phone', 'NaN', 'noValue'],
	['phone', '000-000-0000', 'noValue'],
	['phone', '(999) 999-9999', 'noValue'],
	['phone', '2222222222', 'noValue'],
	['phone', '1-111-111-1111', 'noValue'],
	['phone', '123-456-7890', 'noValue'],
	['phone', '222-222-2223', 'cleaned to 2222222223'],
	['phone', '88888888', 'fits'],
	['phone', '123', 'doubtful'],
	['phone', '555-0100', 'doubtful'],
	['phone', 'ask at the desk', 'doubtful'],
	['state', 'Massachusets', 'doubtful'],
	['gender', 'X', 'noValue'],
	['gender', 'H', 'fits'],
	['date', '45717', 'impossible'],
	['date', '0000-00-00', 'noValue'],
	['date', 'in May', 'doubtful'],
	['city', '99762', 'doubtful'],
	['street', 'Elm Street', 'doubtful'],
	['zip', '="07102"', 'cleaned to 07102'],
	['zip', '00000', 'noValue'],
	['zip', '2138', 'doubtful'],
	['state', 'Alaska', 'cleaned to AK'],
	['state', '-', 'noValue'],
	['country', 'NA', 'doubtful'],
	['country', 'unknown', 'noValue'],
	['birth', '1975-09-18', 'fits'],
	['birth', '00/00/0000', 'noValue'],
	['birth', '0000-00-00', 'noValue'],
	['birth', '1/0/1900', 'noValue'],
	['birth', '1900-01-01', 'noValue'],
	['birth', '01/01/1900', 'noValue'],
	['birth', '1753-01-01', 'noValue'],
	['birth', '1604-06-05', 'noValue'],
	['birth', '1901-01-01', 'fits'],
	['date', '1900-01-01', 'fits'],
	['birth', '28156', 'impossible'],
	['birth', '9999', 'impossible'],
	['birth', '99/99/1970', 'impossible'],
	['birth', '2/30/1980', 'impossible'],
	['birth', '31.4.1980', 'impossible'],
	['birth', '1980-13-01', 'impossible'],
	['date', '2025-02-29T08:00', 'impossible'],
	['date', '2024-02-29', 'fits'],
	['birth', '29/2/1980', 'fits'],
	['birth', '2003', 'doubtful'],
	['birth', '3/4/50', 'doubtful'],
	['birth', 'March 3', 'doubtful'],
	['birth', '1980/02/01', 'cleaned to 1980-02-01'],
	['birth', '1900/1/1', 'noValue'],
	['birth', '19000101', 'noValue'],
	['birth', '19800201', 'cleaned to 1980-02-01'],
	['birth', '19801301', 'impossible'],
	['birth', '1980/31/01', 'impossible'],
	['date', '2026.3.1 10:30', 'cleaned to 2026-03-01 10:30'],
	['date', '3.4.2026', 'fits'],
	['recordId', '100001', 'fits'],
	['recordId', 'EID12AB', 'fits'],
	['recordId', '12,345', 'cleaned to 12345'],
	['recordId', '12,34', 'impossible'],
	['recordId', '1.5', 'impossible'],
	['recordId', '#123', 'impossible'],
	['recordId', '1e5', 'impossible'],
	['recordId', '0', 'noValue'],
	['recordId', 'N/A', 'impossible'],
	['id', '1e5', 'fits'],
	['id', '12,345', 'fits'],
	['id', '100001', 'fits'],
	['id', '100001.0', 'cleaned to 100001'],
	['id', '#N/A', 'impossible'],
	['id', '1.00001E+05', 'impossible'],
	['id', '1.00001E5', 'impossible'],
	['id', '1E+05', 'impossible'],
	['id', '5E12', 'fits'],
	['id', '12E5', 'fits'],
	['id', '007', 'fits'],
	['id', '0', 'noValue'],
	['id', '000', 'noValue'],
	['id', '0.0', 'noValue'],
	['gender', 'Woman', 'cleaned to F'],
	['gender', 'U', 'noValue'],
	['gender', 'Unknown', 'noValue'],
])('a %s "%s" is judged: %s', (kind, value, verdict) => {
	expect(verdictOf(kind, value)).toBe(verdict);
});

const columnOf = (...texts: string[]): DateColumn => {
	const column = new DateColumn(true);
	texts.forEach((text, index) => column.add(text, index + 1));
	return column;
};

test.each([
	['21258', ['21258', '28956'], '1958-03-14'],
	['28156', ['28156', '28956', '', '3/4/1950'], '1977-01-31'],
	['21258.0', ['21258.0', '28956'], '1958-03-14'],
	['28956', ['28956', 'N/A', 'unknown', '-'], '1979-04-11'],
])('the day count %s in a column of %j is a date', (text, column, date) => {
	expect(judgeValue('birth', text, undefined, columnOf(...column))).toEqual({
		verdict: 'cleaned',
		text: date,
	});
});

test.each([
	['nothing else', ['28156']],
	['what may be month, day and year', ['21258', '41025', '30167']],
	['years, too', ['28956', '28957', '1']],
	['most dates in text', ['28956', '3/4/1950', '4/5/1960']],
	['a day of the future', ['28956', '99999']],
])('a column of %s proves no day count', (_, column) => {
	const [text = ''] = column;
	expect(judgeValue('birth', text, undefined, columnOf(...column)).verdict).toBe('impossible');
});

test.each([
	[
		'31/12/1980',
		['1/13/1970', '2/14/1970', '3/15/1970', '4/16/1970', '5/17/1970', '6/18/1970'],
		'impossible',
	],
	[
		'1/2/1980',
		['1/13/1970', '2/14/1970', '3/15/1970', '4/16/1970', '5/17/1970', '6/18/1970'],
		'fits',
	],
	['31/12/1980', ['1/13/1970', '2/14/1970'], 'fits'],
	['31/12/1980', ['30/11/1970'], 'fits'],
])('%s among %j is judged: %s', (text, others, verdict) => {
	expect(judgeValue('birth', text, undefined, columnOf(text, ...others)).verdict).toBe(verdict);
});

test.each(['0', '&amp;', 'Ã©', '1.', '-', ' ', '="'])(
	'a hostile text of "%s" takes no time',
	(piece) => {
		const work = () => {
			for (const kind of ['name', 'phone', 'birth', 'id', 'zip', 'email', 'state'] as const)
				judgeValue(kind, piece.repeat(100_000));
		};
		expect(processorTime(work)).toBeLessThan(200);
	},
);

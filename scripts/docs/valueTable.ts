import { DateColumn } from '../../nodes/shared/importFile/dateColumn';
import { headerSynonyms, valueKindOf } from '../../nodes/shared/importFile/headerSynonyms';
import {
	judgeValue,
	KINDS,
	type RowPlace,
	type ValueKind,
	type Verdict,
} from '../../nodes/shared/importFile/valueKinds';
import { code, prose, table } from './markdown';

interface Example {
	value: string;
	place?: Partial<RowPlace>;
	/** Values of the same column, which show what the value is. */
	column?: string[];
}

/** What the page shows of each kind; the code says how it is cleaned. */
const EXAMPLES: ReadonlyArray<readonly [kind: ValueKind, ...examples: Array<string | Example>]> = [
	['name', "O'Hara", ' Ann ', 'JosÃ©', 'null', 'N/A', 'Null', '4711'],
	['words', 'None', 'AT&amp;T', '#REF!'],
	['email', 'ann@example.org', 'mailto:ann@example.org', 'none', 'none@none.com', 'nobody'],
	[
		'phone',
		'9075550100',
		'(907) 555-0100',
		'9075550100.0',
		'+44 20 7946 0018',
		'000-000-0000',
		'999-999-9999',
		'555-0100',
		'ask at the desk',
		'9.07555E+09',
	],
	['street', '1 Elm St', 'PO Box 3', 'unknown', 'Elm Street'],
	['city', 'Nome', '-', '99762'],
	[
		'state',
		'AK',
		'Alaska',
		'N.Y.',
		'-',
		'Massachusets',
		{ value: 'Bayern', place: { country: 'DE' } },
	],
	[
		'zip',
		'99762',
		'="07102"',
		{ value: '7102', place: { state: 'NJ' } },
		'00000',
		'2138',
		'1.0E+05',
	],
	['country', 'US', 'Estados Unidos', 'unknown', 'Atlantis'],
	['gender', 'F', 'Woman', 'U', 'X'],
	[
		'birth',
		'1975-09-18',
		'9/18/1975',
		'1975/09/18',
		'19750918',
		{ value: '3.4.1981', column: ['3.4.1981', '18.9.1975', '31.12.1969'] },
		'00/00/0000',
		'1/0/1900',
		'01/01/1900',
		'3/4/50',
		'March 3',
		'28156',
		'2/30/1980',
		{ value: '28156', column: ['28156', '28956', '31048'] },
		{
			value: '31/12/1980',
			column: [
				'1/31/1980',
				'2/14/1971',
				'3/30/1966',
				'4/29/1958',
				'5/28/1949',
				'6/27/1990',
				'31/12/1980',
			],
		},
	],
	['date', '2026-03-01', '0000-00-00', '45717', 'in May'],
	['recordId', '100001', '100001.0', '12,345', '0', 'N/A', '1.5', '#123', '1e5'],
	['id', '100001', '100001.0', '0', 'N/A', '1.00001E+05'],
	['suffix', 'Jr', 'N/A', '1953'],
];

const COLUMNS: ReadonlyArray<readonly [Verdict, title: string]> = [
	['fits', 'sent as it is'],
	['cleaned', 'cleaned'],
	['noValue', 'sent as blank'],
	['doubtful', 'sent, and to check'],
	['impossible', 'row is invalid'],
];

function judgedExample(kind: ValueKind, example: string | Example) {
	const { value, place, column } = typeof example === 'string' ? { value: example } : example;
	const dates = column && new DateColumn(kind === 'birth');
	column?.forEach((text, index) => dates?.add(text, index + 1));
	const { verdict, text } = judgeValue(kind, value, { state: '', country: '', ...place }, dates);
	const beside = [
		...(place?.state ? [`state ${place.state}`] : []),
		...(place?.country ? [`country ${place.country}`] : []),
		...(column
			? [
					`in a column with ${column
						.filter((each) => each !== value)
						.slice(0, 2)
						.join(', ')}`,
				]
			: []),
	];
	const shown = code(value) + (verdict === 'cleaned' ? ` → ${code(text)}` : '');
	return { verdict, shown: beside.length > 0 ? `${shown} (${beside.join(', ')})` : shown };
}

/** Fields of a kind, as the table of headers calls them. */
function fieldsOf(kind: ValueKind): string {
	const fields = Object.keys(headerSynonyms).filter(
		(field) => !field.includes(' ') && valueKindOf(field) === kind,
	);
	return fields.length > 0 ? fields.map(prose).join(', ') : prose(KINDS[kind][0]);
}

/** One row per kind of values, with what examples are cleaned to. */
export function valueTable(): string {
	const rows = EXAMPLES.map(([kind, ...examples]) => {
		const judged = examples.map((example) => judgedExample(kind, example));
		return [
			fieldsOf(kind),
			...COLUMNS.map(([verdict]) =>
				judged
					.filter((each) => each.verdict === verdict)
					.map(({ shown }) => shown)
					.join(', '),
			),
		];
	});
	return table([['Fields', ...COLUMNS.map(([, title]) => title)], ...rows]);
}

import { matchHeaders } from '../../../nodes/shared/importFile/matchHeaders';

/** The fields of CreateOrUpdateContact. */
export const contactFields =
	'VanID FirstName MiddleName LastName Suffix Title ProfessionalSuffix DOB Sex AddressLine1 AddressLine2 AddressLine3 City StateOrProvince ZipOrPostal CountryCode Phone CellPhone WorkPhone Email OtherEmail WorkEmail EmployerName OccupationName Salutation EnvelopeName IsInFileMatchingEnabled Action DoNotUpdateBest SkipEmailSubscriptionUpdate'
		.split(' ')
		.map((name) => ({ name }));

interface ListedColumn {
	header: string;
	value: string;
	field: string | undefined;
}

/** The columns of a list in the form of `headerLists.ts`. */
export const columnsOf = (list: string): ListedColumn[] =>
	list
		.trim()
		.split(/\s*\|\s*/)
		.map((column) => {
			const [header = '', rest = ''] = column.split(' = ');
			const [value = '', field] = rest.replace(/ ✗$/, '').split(' → ');
			return { header, value, field };
		});

/** The columns that feed another field than they should, and those that should feed one and do not. */
export function mistakes(columns: ListedColumn[]): { wrong: string[]; lost: string[] } {
	const { mapped } = matchHeaders(
		columns.map(({ header }) => header),
		contactFields,
		{
			isComplete: true,
			valuesOf: (name) => [columns.find(({ header }) => header === name)?.value],
		},
	);
	const found = new Map(
		mapped.flatMap(({ headers, field }) => headers.map((header) => [header, field.name] as const)),
	);
	const describe = ({ header, field }: ListedColumn): string =>
		`${header} → ${found.get(header) ?? 'nothing'}, not ${field ?? 'nothing'}`;
	const isWrong = ({ header, field }: ListedColumn): boolean =>
		found.has(header) && found.get(header) !== field;
	return {
		wrong: columns.filter(isWrong).map(describe),
		lost: columns
			.filter(({ header, field }) => field !== undefined && !found.has(header))
			.map(describe),
	};
}

/** A list as a sign-up form or a CRM exports it; the service rejects every hundredth row. */
const SIGN_UP_HEADERS = [
	'First Name',
	'Last Name',
	'E-mail',
	'Cell phone',
	'Street',
	'City',
	'State',
	'Zip',
	'Member #',
	'Notes',
];

function signUp(index: number): string[] {
	return [
		`First${index}`,
		`Last${index}`,
		index % 100 === 7 ? `no..${index}@example.org` : `person${index}@example.org`,
		`907-555-01${String(index % 100).padStart(2, '0')}`,
		`${index + 1} Elm St`,
		'Nome',
		'AK',
		'99762',
		`M-${index}`,
		'met at the fair, likes "dogs"; call; later',
	];
}

export function signUps(rows: number, delimiter = ','): string {
	const lines = [SIGN_UP_HEADERS, ...Array.from({ length: rows }, (_, index) => signUp(index))];
	const cell = (value: string) =>
		/[",;]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
	return lines.map((cells) => cells.map(cell).join(delimiter)).join('\r\n');
}

/** The rows that are measured: plain JavaScript, because n8n loads it, too. */

const FIRST_NAMES = ['Ada', 'Bo', 'Cleo', 'Dana', 'Eli', 'Fay', 'Zoë'];
const CITIES = ['Anchorage', 'Juneau', 'Fairbanks', 'Sitka', 'Nome'];

/**
 * One made-up contact with ten columns.
 * @param {number} index
 */
function contactRow(index) {
	return {
		NativeId: String(100_000 + index),
		FirstName: FIRST_NAMES[index % 7] ?? '',
		LastName: `Example${(index * 7919) % 10_007}`,
		AddressLine1: `${(index * 31) % 9999} Main Street`,
		City: CITIES[index % 5] ?? '',
		StateOrProvince: 'AK',
		ZipOrPostal: String(99_500 + (index % 400)),
		Email: `person.${index}@example.org`,
		Phone: `907-555-01${String(index % 100).padStart(2, '0')}`,
		DOB: `19${40 + (index % 60)}-0${1 + (index % 9)}-1${index % 10}`,
	};
}

module.exports = { contactRow };

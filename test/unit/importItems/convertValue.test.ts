import { dateKind } from '../../../nodes/NativeBulkImport/importItems/mapping/importMapping';

test.each([
	['DOB', '', 'birth'],
	['dob', '', 'birth'],
	['BirthDate', '', 'birth'],
	['date_of_birth', '', 'birth'],
	['BirthPlace', '', undefined],
	['HireDate', '', 'date'],
	['UpdatedBy', '', undefined],
	['CF12', 'DOB of the member', 'birth'],
	['CF12', 'Join date', 'date'],
])('the field %s (%s) holds a date of kind %s', (name, description, kind) => {
	expect(dateKind(name, description)).toBe(kind);
});

import { dateKind } from '../../../nodes/NativeBulkImport/importItems/mapping/importMapping';

test.each([
	['DateCanvassed', 'date'],
	['datecanvassed', 'date'],
	['canvass_date', 'date'],
	['DOB', 'birth'],
	['dateofbirth', 'birth'],
	['DoNotUpdateBest', undefined],
	['candidateid', undefined],
	['AddressValidated', undefined],
])('the field %s holds a date, whatever its spelling: %s', (name, kind) => {
	expect(dateKind(name, '')).toBe(kind);
});

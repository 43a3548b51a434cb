import {
	type FieldSource,
	planMapping,
} from '../../../nodes/NativeBulkImport/importItems/mapping/importMapping';
import { vocabularyOf } from '../../../nodes/shared/service/vocabulary';

/** The columns that identify the record of a row, if each of these fields has its own property. */
function recordIds(fields: string[], prefix: string, resourceType = 'Contacts'): string[] {
	const sources = fields.map((field): [string, FieldSource] => [
		field === 'recordId' ? field : `Other:${field}`,
		{ kind: 'perItem', expression: `={{ $json.${field} }}` },
	]);
	const { columns } = planMapping(
		'k3f9x2',
		resourceType,
		[{ key: 'Other', name: 'Other' }],
		new Map(sources),
		vocabularyOf(prefix),
	);
	return columns.filter(({ isRecordId }) => isRecordId).map(({ label }) => label);
}

test.each([
	['NativeId', 'Native'],
	['nativeid', 'Native'],
	['NativeId', 'Van'],
	['VanId', 'Van'],
	['VanId', 'Native'],
	['AcmeId', 'Acme'],
	['ContributionId', 'Native'],
	['ExternalId', 'Native'],
])('the field %s identifies a record where the service says %s', (field, prefix) => {
	expect(recordIds([field, 'Email', 'ExternalIdTypeID'], prefix)).toEqual([field]);
});

test('the required first column identifies a record', () => {
	expect(recordIds(['recordId', 'Phone'], 'Native')).toEqual(['NativeId']);
});

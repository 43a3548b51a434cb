import { fieldLabel } from '../../../nodes/NativeBulkImport/mappingType/fieldLabels';
import {
	mappedFields,
	planMapping,
} from '../../../nodes/NativeBulkImport/importItems/mapping/importMapping';
import { requiredFirstColumn } from '../../../nodes/shared/service/mappingRules';
import { vocabularyOf } from '../../../nodes/shared/service/connection';

/** The columns that identify the record of a row, if each of these fields has its own property. */
function recordIds(fields: string[], prefix: string, resourceType = 'Contacts'): string[] {
	const values = fields.map((field): [string, string] => [
		field === 'recordId' ? field : `Other:${field}`,
		`={{ $json.${field} }}`,
	]);
	const vocabulary = vocabularyOf(prefix);
	const chosen = [{ key: 'Other', name: 'Other' }];
	const recordId = requiredFirstColumn(resourceType, ['Other'], vocabulary);
	const mapped = mappedFields(chosen, recordId, new Map(values));
	const { columns } = planMapping('k3f9x2', chosen, mapped, vocabulary);
	return columns.filter(({ isRecordId }) => isRecordId).map(({ source }) => source);
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

test('messages call a field what the resource mapper calls it', () => {
	const typeOf = (name: string, ...fields: string[]) => ({
		key: name,
		name,
		description: { name, fields: fields.map((field) => ({ name: field })) },
	});
	const chosen = [
		typeOf('CreateOrUpdateContact', 'DOB', 'Phone'),
		typeOf('Phones', 'Phone'),
		{ key: 'Secret', name: 'Secret' },
	];
	const ids = ['CreateOrUpdateContact:DOB', 'Phones:Phone', 'Secret:LevelID', 'recordId'];
	const values = new Map(ids.map((id) => [id, '={{ $json.value }}']));
	const { recordId, fields } = mappedFields(chosen, 'NativeId', values);
	expect(fields.map(({ label }) => label)).toEqual([
		'Date of Birth',
		// The first field of this name is that of the contact, even if nothing is mapped to it.
		'Phone – Phones',
		'Level ID – Secret',
	]);
	expect(recordId?.label).toBe('NativeId (Which Record)');
});

test('a field of any name has a label', () => {
	expect(fieldLabel({ name: 'constructor' })).toBe('constructor');
});

import { findPersonByIdentifier } from '../../store/matching';
import { mergePerson } from '../../store/people';
import { textsOf } from './contactRow';
import { PROCESSED, rejected, type PersonProcessor } from './rowProcessor';

export const applyExternalId: PersonProcessor = ({ store }, person, values) => {
	const typeId = Number(values.get('ExternalIdTypeID'));
	const type = store.setup.externalIdTypes.find((one) => one.externalIdTypeId === typeId);
	const externalId = values.get('ExternalId');
	if (!type || externalId === undefined) return rejected('Invalid value for ExternalIdTypeID');
	const holder = findPersonByIdentifier(store, type.name, externalId);
	if (holder && holder !== person) {
		return rejected('External ID already belongs to another contact');
	}
	mergePerson(store, person, { identifiers: [{ type: type.name, externalId }] });
	return PROCESSED;
};

export const applyContactCustomFields: PersonProcessor = ({ store }, person, values) => {
	const groupId = Number(values.get('CustomFieldGroupID'));
	const group = store.setup.customFieldGroups.find((one) => one.customFieldGroupId === groupId);
	mergePerson(store, person, {
		customFieldValues: (group?.fields ?? []).flatMap(({ customFieldId }) => {
			const assignedValue = values.get(`CF${customFieldId}`);
			return assignedValue === undefined
				? []
				: [{ customFieldId, customFieldGroupId: groupId, assignedValue }];
		}),
	});
	return PROCESSED;
};

export const suppressions: PersonProcessor = ({ store }, person, values) => {
	const suppressionCode = values.get('SuppressionID') ?? '';
	mergePerson(store, person, { suppressions: [{ suppressionCode }] });
	return PROCESSED;
};

export const originSourceCode: PersonProcessor = (_context, person, values) => {
	person.originSourceCodeId = Number(values.get('CodeId'));
	return PROCESSED;
};

export const salutations: PersonProcessor = ({ store }, person, values) => {
	mergePerson(store, person, textsOf(values));
	return PROCESSED;
};

export const applyRelationships: PersonProcessor = ({ store, vocabulary }, person, values) => {
	const secondaryNativeId = Number(values.get(vocabulary.secondaryPersonIdField));
	const relationship = store.setup.relationships[Number(values.get('Relationship')) - 1];
	if (relationship === undefined) return rejected('Invalid value for Relationship');
	if (!store.people.has(secondaryNativeId)) {
		return rejected(`No person found for ${vocabulary.secondaryPersonIdField}`);
	}
	if (secondaryNativeId === person.nativeId) {
		return rejected('A person cannot have a relationship with itself');
	}
	const overwrites = values.get('OverwriteExistingRelationship') === 'Y';
	person.relationships = [
		...person.relationships.filter(
			(held) =>
				held.secondaryNativeId !== secondaryNativeId ||
				(!overwrites && held.relationship !== relationship),
		),
		{ secondaryNativeId, relationship },
	];
	return PROCESSED;
};

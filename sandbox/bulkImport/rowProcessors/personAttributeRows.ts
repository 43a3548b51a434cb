import { mergePerson } from '../../store/people';
import type { PersonInput } from '../../store/personInput';
import { PROCESSED, rejected, type PersonProcessor } from './rowProcessor';

export const applyExternalId: PersonProcessor = {
	apply({ store, identifiers }, person, values) {
		const typeId = Number(values.get('ExternalIdTypeID'));
		const type = store.setup.externalIdTypes.find((one) => one.externalIdTypeId === typeId);
		const externalId = values.get('ExternalId');
		if (!type || externalId === undefined) return rejected('Invalid value for ExternalIdTypeID');
		const holder = identifiers.holder(type.name, externalId);
		if (holder && holder !== person) {
			return rejected('External ID already belongs to another contact');
		}
		mergePerson(store, person, { identifiers: [{ type: type.name, externalId }] });
		identifiers.add(person);
		return PROCESSED;
	},
};

export const applyContactCustomFields: PersonProcessor = {
	apply({ store }, person, values) {
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
	},
};

export const suppressions: PersonProcessor = {
	apply({ store }, person, values) {
		const suppressionCode = values.get('SuppressionID') ?? '';
		mergePerson(store, person, { suppressions: [{ suppressionCode }] });
		return PROCESSED;
	},
};

export const originSourceCode: PersonProcessor = {
	apply(_context, person, values) {
		person.originSourceCodeId = Number(values.get('CodeId'));
		return PROCESSED;
	},
};

const SALUTATION_FIELDS = {
	LastName: 'lastName',
	FirstName: 'firstName',
	MiddleName: 'middleName',
	Suffix: 'suffix',
	Salutation: 'salutation',
	FormalSalutation: 'formalSalutation',
	AdditionalSalutation: 'additionalSalutation',
	EnvelopeName: 'envelopeName',
	FormalEnvelopeName: 'formalEnvelopeName',
	AdditionalEnvelopeName: 'additionalEnvelopeName',
} as const;

export const salutations: PersonProcessor = {
	apply({ store }, person, values) {
		const input: PersonInput = {};
		for (const [field, property] of Object.entries(SALUTATION_FIELDS)) {
			const value = values.get(field);
			if (value !== undefined) input[property] = value;
		}
		mergePerson(store, person, input);
		return PROCESSED;
	},
};

export const applyRelationships: PersonProcessor = {
	apply({ store, vocabulary }, person, values) {
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
	},
};

import {
	isCustomField,
	isGroupAdded,
	type MappingField,
} from '../../../shared/service/mappingRules';
import { sameName } from '../../../shared/service/nearestName';
import type { ChosenMappingType, MappedField } from './importMapping';

/** Instead of a field: the column is not imported. */
export const NO_FIELD = { name: 'Do Not Import', value: 'none' };

/** Labels of fields whose names are abbreviated, negated or too long for n8n's editor. */
const LABELS: Readonly<Record<string, string>> = {
	DOB: 'Date of Birth',
	DoNotUpdateBest: 'Keep Best Contact Methods',
	IsInFileMatchingEnabled: 'Match Within This File',
	OrganizationContactCommonName: 'Organization Common Name',
	OrganizationContactOfficialName: 'Organization Official Name',
	OverwriteExistingRelationship: 'Overwrite Relationship',
	SkipEmailSubscriptionUpdate: 'Keep Email Subscription',
};

const SHORT_WORDS: Readonly<Record<string, string>> = {
	Id: 'ID',
	Zip: 'ZIP',
	Or: 'or',
	In: 'in',
	Authorization: 'Auth.',
	Membership: 'Member',
	Postal: 'Postal Code',
};

/** `ZipOrPostal` → `ZIP or Postal Code`. */
function words(name: string): string {
	return name
		.replace(/_/g, ' ')
		.replace(/([a-z])([A-Z\d])/g, '$1 $2')
		.replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
		.split(' ')
		.map((word) => SHORT_WORDS[word] ?? word)
		.join(' ');
}

/** The name of a field as people say it. A custom field is called by its description. */
export function fieldLabel({ name, description, hasPredefinedValues }: MappingField): string {
	if (isCustomField(name)) return description?.trim() || name;
	const label = LABELS[name] ?? words(name);
	// Values are chosen by name, so the label need not say that the service stores an ID.
	return hasPredefinedValues === true ? label.replace(/ ID$/, '') : label;
}

/** A field of a chosen mapping type, whatever goes into it. */
export type ChosenField = Pick<MappedField, 'mappingType' | 'field' | 'described'>;

export function chosenLabel({ described, field }: ChosenField): string {
	return fieldLabel(described ?? { name: field });
}

/** The fields of a mapping type that the user can map. */
export function fieldsOnScreen(mappingType: ChosenMappingType): ChosenField[] {
	const { description } = mappingType;
	return (description?.fields ?? []).flatMap((described) =>
		description && isGroupAdded(description, described.name)
			? []
			: { mappingType, field: described.name, described },
	);
}

/** Each label names its mapping type if an earlier one has a field of this label: `Phone – Phones`. */
export function distinctLabels<Field extends ChosenField>(
	fields: readonly Field[],
): ReadonlyMap<Field, string> {
	return new Map(
		fields.map((one, index) => {
			const { key, name, description } = one.mappingType;
			const label = chosenLabel(one);
			const isAmbiguous = fields
				.slice(0, index)
				.some((other) => other.mappingType.name !== name && chosenLabel(other) === label);
			const [number = ''] = / \(\d+\)$/.exec(key) ?? [];
			const group = isAmbiguous ? ` – ${description?.displayName || name}` : '';
			return [one, `${label}${number}${group}`];
		}),
	);
}

export function recordIdLabel(name: string): string {
	return `${name} (Which Record)`;
}

export type LabelOf = (mappingType: ChosenMappingType, field: string) => string;

/** What the resource mapper calls the fields of the chosen mapping types. */
export function screenLabels(chosen: readonly ChosenMappingType[]): LabelOf {
	const labels = [...distinctLabels(chosen.flatMap(fieldsOnScreen))];
	return (mappingType, name) => {
		const isField = ([one]: [ChosenField, string]): boolean =>
			one.mappingType === mappingType && sameName(one.field, name);
		// Of a mapping type that could not be read, the resource mapper shows no fields.
		return labels.find(isField)?.[1] ?? `${fieldLabel({ name })} – ${mappingType.key}`;
	};
}

import {
	isCustomField,
	isGroupAdded,
	type MappingField,
	type MappingTypeDescription,
} from '../../shared/service/mappingRules';
import { sameName } from '../../shared/service/nearestName';

/** Instead of a field: the column is not imported. */
export const NO_FIELD = { name: 'Do Not Import', value: 'none' };

/** Labels of fields whose names are abbreviated, negated or too long for n8n's editor. */
const LABELS: ReadonlyMap<string, string> = new Map(
	Object.entries({
		DOB: 'Date of Birth',
		DoNotUpdateBest: 'Keep Best Contact Methods',
		IsInFileMatchingEnabled: 'Match Within This File',
		OrganizationContactCommonName: 'Organization Common Name',
		OrganizationContactOfficialName: 'Organization Official Name',
		OverwriteExistingRelationship: 'Overwrite Relationship',
		SkipEmailSubscriptionUpdate: 'Keep Email Subscription',
	}),
);

const SHORT_WORDS: ReadonlyMap<string, string> = new Map(
	Object.entries({
		Id: 'ID',
		Zip: 'ZIP',
		Or: 'or',
		In: 'in',
		Authorization: 'Auth.',
		Membership: 'Member',
		Postal: 'Postal Code',
	}),
);

/** `ZipOrPostal` → `ZIP or Postal Code`. */
function words(name: string): string {
	return name
		.replace(/_/g, ' ')
		.replace(/([a-z])([A-Z\d])/g, '$1 $2')
		.replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
		.split(' ')
		.map((word) => SHORT_WORDS.get(word) ?? word)
		.join(' ');
}

/** The name of a field as people say it. A custom field is called by its description. */
export function fieldLabel({ name, description, hasPredefinedValues }: MappingField): string {
	if (isCustomField(name)) return description?.trim() || name;
	const label = LABELS.get(name) ?? words(name);
	// Values are chosen by name, so the label need not say that the service stores an ID.
	return hasPredefinedValues === true ? label.replace(/ ID$/, '') : label;
}

/** A chosen mapping type: its name, and which occurrence it is. */
export interface ChosenMappingType {
	/** The name stored in the node: `Phones`, or `ApplyExternalID (2)` for a second use. */
	key: string;
	name: string;
	/** Missing if it could not be read. */
	description?: MappingTypeDescription;
}

export function fieldId(mappingTypeKey: string, field: string): string {
	return `${mappingTypeKey}:${field}`;
}

/** `ApplyExternalID (2)` → `ApplyExternalID`. */
export function mappingTypeName(key: string): string {
	return key.replace(/ \(\d+\)$/, '');
}

/** Id in the resource mapper of the identifier some imports need (service.md 2.3). */
export const RECORD_ID_FIELD = 'recordId';

/** A field of a chosen mapping type, whatever goes into it. */
export interface ChosenField {
	mappingType: ChosenMappingType;
	field: string;
	/** Missing if the service does not describe it. */
	described: MappingField | undefined;
}

export function chosenLabel({ described, field }: ChosenField): string {
	return fieldLabel(described ?? { name: field });
}

/** The fields with their labels, which name the mapping type if an earlier one has such a field: `Phone – Phones`. */
export function distinctLabels(chosen: readonly ChosenMappingType[]): Map<ChosenField, string> {
	const fields = chosen.flatMap((mappingType): ChosenField[] => {
		const { description } = mappingType;
		return (description?.fields ?? [])
			.filter(({ name }) => description && !isGroupAdded(description, name))
			.map((described) => ({ mappingType, field: described.name, described }));
	});
	// For each label, the mapping types that have it: a database can have a thousand custom fields.
	const owners = new Map<string, Set<string>>();
	return new Map(
		fields.map((one) => {
			const { key, name, description } = one.mappingType;
			const label = chosenLabel(one);
			const others = owners.get(label) ?? new Set();
			const isAmbiguous = others.size > (others.has(name) ? 1 : 0);
			owners.set(label, others.add(name));
			const [number = ''] = / \(\d+\)$/.exec(key) ?? [];
			const group = isAmbiguous ? ` – ${description?.displayName || name}` : '';
			return [one, `${label}${number}${group}`];
		}),
	);
}

export const recordIdLabel = (name: string): string => `${name} (Which Record)`;

/** What the resource mapper calls a field; it does not show those of a mapping type that cannot be read. */
export function labelFinder(chosen: readonly ChosenMappingType[]) {
	const labels = [...distinctLabels(chosen)];
	return (mappingType: ChosenMappingType, name: string): string =>
		labels.find(([one]) => one.mappingType === mappingType && sameName(one.field, name))?.[1] ??
		`${fieldLabel({ name })} – ${mappingType.key}`;
}

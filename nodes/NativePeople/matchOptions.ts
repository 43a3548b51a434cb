import type { INodeProperties } from 'n8n-workflow';

import { inTitleCase } from '../shared/service/bodyField';
import { readOnlyPersonSections } from '../shared/service/personSchema';
import { InvalidInput } from '../shared/service/invalidInput';
import { isMatchable, missingForMatch, type Person } from '../shared/service/person';

/** Sections of a person, as the service lists them: service.md 4.7. */
const sections = [
	...readOnlyPersonSections,
	'addresses',
	'emails',
	'externalIds',
	'phones',
	'suppressions',
].sort();

export const expandField: INodeProperties = {
	displayName: 'Sections to Include',
	name: 'expand',
	type: 'multiOptions',
	options: sections.map((value) => ({ name: inTitleCase(value), value })),
	default: [],
	description:
		'Additional sections to return. Others are null. Some are not available to every key.',
};

export const fullRecordOption: INodeProperties = {
	displayName: 'Return Full Record',
	name: 'fullRecord',
	type: 'boolean',
	default: false,
	description:
		'Whether to read the person afterwards and return the record, with the sections chosen in Sections to Include. This takes a second request per person.',
};

const requireMatchable: INodeProperties = {
	displayName: 'Require Matchable Person',
	name: 'requireMatchable',
	type: 'boolean',
	default: true,
	description:
		'Whether to reject a person with too little data to match: an email, a phone, or first and last name with ZIP code and date of birth or street',
};

export const requireMatchableToFindOption: INodeProperties = {
	...requireMatchable,
	description: `${requireMatchable.description ?? ''}. Otherwise such a person is notFound.`,
};

export const requireMatchableToStoreOption: INodeProperties = {
	...requireMatchable,
	description: `${requireMatchable.description ?? ''}. Otherwise each is stored as new.`,
};

/** Throws InvalidInput naming what the service needs to match the person. */
export function throwIfUnmatchable(person: Person): void {
	if (isMatchable(person)) return;
	throw new InvalidInput([
		{
			field: 'Person',
			text: `does not have enough data to match. Add ${missingForMatch(person)}. Or turn off the option "Require Matchable Person".`,
		},
	]);
}

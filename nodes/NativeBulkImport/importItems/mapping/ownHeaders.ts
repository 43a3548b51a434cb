import type { INodeProperties } from 'n8n-workflow';

import type { GivenHeader, HeaderField } from '../../../shared/importFile/matchHeaders';
import { simplifyName } from '../../../shared/importFile/fileColumns';
import type { ItemParameters } from '../../../shared/parameters/itemParameters';
import { type Problem, throwIfAny } from '../../../shared/service/invalidInput';
import { suggestion } from '../../../shared/service/nearestName';

/** A field by its id in the resource mapper. */
export interface MappableField extends HeaderField {
	id: string;
	/** As the editor calls it. */
	label: string;
}

/** Instead of a field: the column is not imported. */
export const NO_FIELD = { name: 'Do Not Import', value: 'none' };

/** Headers that nobody can know, remembered in the node. */
export const ownHeadersOption: INodeProperties = {
	displayName: 'Own Headers',
	name: 'ownHeaders',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Header',
	default: {},
	description:
		'Headers that Map Automatically does not know, or should take for another field. A list need not have all of them.',
	options: [
		{
			displayName: 'Header',
			name: 'header',
			values: [
				{
					displayName: 'Header',
					name: 'header',
					type: 'string',
					default: '',
					placeholder: 'e.g. Best Number',
					description: 'Case, blanks and punctuation make no difference',
				},
				{
					displayName: 'Field Name or ID',
					name: 'field',
					type: 'options',
					typeOptions: {
						loadOptionsMethod: 'getImportFieldNames',
						loadOptionsDependsOn: ['resourceType', 'mappingTypes'],
					},
					default: '',
					description:
						'Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
				},
			],
		},
	],
};

interface OwnHeaders {
	given: Array<GivenHeader<MappableField>>;
	/** Headers that no column has. */
	unused: string[];
}

/** What the user said of the headers of this list. Throws InvalidInput if that is not clear. */
export function ownHeaders(
	parameters: ItemParameters,
	properties: readonly string[],
	fields: readonly MappableField[],
): OwnHeaders {
	const present = new Set(properties.map(simplifyName));
	const problems: Problem[] = [];
	const found: OwnHeaders = { given: [], unused: [] };
	const columns = new Map<string, string>();
	for (const entry of parameters.in('options').entries('ownHeaders', 'header')) {
		const [header = '', name = ''] = [entry.header, entry.field].map((value) =>
			typeof value === 'string' ? value.trim() : '',
		);
		const places = name === NO_FIELD.value ? [] : fieldsNamed(name, fields);
		if (simplifyName(header) === '')
			problems.push({
				field: 'Own Headers',
				text: 'has an entry without a header. Enter one, or remove the entry.',
			});
		else if (places.length === 0 && name !== NO_FIELD.value)
			problems.push({
				field: `Own Headers → ${header}`,
				text: `"${name}" is not a field of the chosen mapping types.${suggestion(
					name,
					fields.map(({ label }) => label),
				)}`,
			});
		else if (!present.has(simplifyName(header))) found.unused.push(header);
		else found.given.push({ header, fields: places });
	}
	for (const { header, fields: places } of found.given) {
		for (const { id, label } of places) {
			const other = columns.get(id);
			if (other !== undefined)
				problems.push({
					field: 'Own Headers',
					text: `Both ${other} and ${header} are columns for ${label}. Remove one of them.`,
				});
			columns.set(id, header);
		}
	}
	throwIfAny(problems);
	return found;
}

/** By its ID or label, one field; by its name, all of that name. */
function fieldsNamed(name: string, fields: readonly MappableField[]): MappableField[] {
	const byId = fields.filter(({ id }) => id === name);
	const simple = simplifyName(name);
	return byId.length > 0
		? byId
		: fields.filter((field) =>
				[field.name, field.label].some((one) => simplifyName(one) === simple),
			);
}

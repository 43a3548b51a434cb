import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { shownHeader, simplifyName } from '../../../shared/importFile/fileColumns';
import type { GivenHeader } from '../../../shared/importFile/matchHeaders';
import type { ItemParameters } from '../../../shared/parameters/itemParameters';
import type { Problem } from '../../../shared/service/invalidInput';
import { suggestion } from '../../../shared/service/nearestName';
import { NO_FIELD } from '../../mappingType/fieldLabels';
import type { ImportFeature } from '../feature';
import type { HeaderHelp, MappableField } from '../mapping/headerMapping';
import type { FoundRows, ImportPlan, LeftBehind } from '../model';

const LABEL = 'Headers the Node Does Not Know';

/** Headers that nobody can know, remembered in the node. */
const option: INodeProperties = {
	displayName: LABEL,
	name: 'ownHeaders',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Header',
	default: {},
	description:
		'The field for each header that is not recognized, or should go into another field. A list does not need to have all of them.',
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

/** An ID or label names one field; a name, all fields with that name. */
function fieldsNamed(name: string, fields: readonly MappableField[]): MappableField[] {
	const byId = fields.filter(({ id }) => id === name);
	if (byId.length > 0) return byId;
	const simple = simplifyName(name);
	return fields.filter((field) => [field.name, field.label].map(simplifyName).includes(simple));
}

/** What the user said of the headers of this list. */
function ownHeadersOf(
	parameters: ItemParameters,
	properties: readonly string[],
	fields: readonly MappableField[],
): HeaderHelp {
	const present = new Set(properties.map(simplifyName));
	const problems: Problem[] = [];
	const given: Array<GivenHeader<MappableField>> = [];
	const unused: string[] = [];
	const headers = new Map<string, string>();
	for (const entry of parameters.in('options').entries('ownHeaders', 'header')) {
		const [header = '', name = ''] = [entry.header, entry.field].map((value) =>
			typeof value === 'string' ? value.trim() : '',
		);
		const isLeftOut = name === NO_FIELD.value;
		const places = isLeftOut ? [] : fieldsNamed(name, fields);
		if (simplifyName(header) === '') {
			const text = 'has an entry without a header. Enter one, or remove the entry.';
			problems.push({ field: LABEL, text });
		} else if (places.length === 0 && !isLeftOut) {
			const labels = fields.map(({ label }) => label);
			const text = `"${name}" is not a field of the chosen mapping types.${suggestion(name, labels)}`;
			problems.push({ field: `${LABEL} → ${header}`, text });
		} else if (present.has(simplifyName(header))) given.push({ header, fields: places });
		else unused.push(header);
	}
	for (const { header, fields: places } of given) {
		for (const { id, label } of places) {
			const other = headers.get(id);
			const text = `Both ${other} and ${header} are columns for ${label}. Remove one of them.`;
			if (other !== undefined) problems.push({ field: LABEL, text });
			headers.set(id, header);
		}
	}
	const notes = unused.length > 0 ? [`${LABEL} without a column: ${unused.join(', ')}.`] : [];
	return { given, notes, problems, where: `the option ${LABEL}` };
}

const leftBehindSchema = z.object({ doubts: z.array(z.string()), columns: z.array(z.string()) });

/** The columns that are not imported. */
class LeftColumns implements FoundRows {
	constructor(readonly leftBehind: LeftBehind) {}

	static of({ doubts, leftOut }: ImportPlan): LeftColumns | undefined {
		const columns = leftOut.map(({ column }) => shownHeader(column));
		return columns.length > 0 ? new LeftColumns({ doubts, columns }) : undefined;
	}

	static restore(stored: unknown): LeftColumns | undefined {
		const { data } = leftBehindSchema.safeParse(stored);
		return data && new LeftColumns(data);
	}

	reasonAt(): undefined {
		return undefined;
	}

	store(): IDataObject {
		const { doubts, columns } = this.leftBehind;
		return { leftBehind: { doubts: [...doubts], columns: [...columns] } };
	}
}

export const ownHeaders: ImportFeature = {
	options: { group: 'list', place: 10, fields: [option] },
	of: ({ parameters, sends }) =>
		sends
			? {
					headers: (properties, fields) => ownHeadersOf(parameters, properties, fields),
					find: (plan) => LeftColumns.of(plan),
				}
			: undefined,
	restore: async (firstFile) => await Promise.resolve(LeftColumns.restore(firstFile.leftBehind)),
};

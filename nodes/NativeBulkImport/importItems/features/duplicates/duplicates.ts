import type { INodeProperties } from 'n8n-workflow';

import { InvalidRow } from '../../../../shared/importFile/delimitedRows';
import { PersonSearch } from '../../../../shared/importFile/samePerson';
import { InvalidInput, type Problem } from '../../../../shared/service/invalidInput';
import { rowName } from '../../../rows/importRows';
import type { ImportFeature } from '../../feature';
import type { ImportPlan } from '../../model';
import { DUPLICATE_CHOICES, DuplicateRows } from './duplicateRows';
import { PersonKeys } from './personKeys';

const LABEL = 'Duplicates in the List';

const option: INodeProperties = {
	displayName: LABEL,
	name: 'duplicates',
	type: 'options',
	options: [
		{
			name: 'Keep First',
			value: 'first',
			description: 'Send the first row of each person; the others are not sent',
		},
		{
			name: 'Keep Last',
			value: 'last',
			description: 'Send the last row of each person; the others are not sent',
		},
		{
			name: 'Report',
			value: 'report',
			description: 'Send all rows and say which are the same person as an earlier one',
		},
		{ name: 'Stop', value: 'stop', description: 'Send nothing if two rows are the same person' },
	],
	default: 'report',
	description:
		'What to do with rows of the same person: the same record ID or external ID, or the same name and the same email address, phone number, date of birth or ZIP code. For imports of contacts.',
};

/** Rows that the message lists. */
const NAMED_ROWS = 10;

/** Names the rows. */
function problemOf(found: DuplicateRows, rowCount: number, { rows }: ImportPlan): Problem {
	const named = found.people(rowCount, rowName(rows), NAMED_ROWS)?.rows ?? [];
	const more = found.count > named.length ? `, and ${found.count - named.length} more` : '';
	const text = `is set to Stop, and rows are the same person. ${named.join('; ')}${more}. Remove these rows, or choose another setting.`;
	return { field: LABEL, text };
}

/** Undefined where people cannot be compared: a person can have several contributions, or activist codes. */
function personKeys({ resourceType, mapping, service }: ImportPlan): PersonKeys | undefined {
	if (resourceType !== 'Contacts') return undefined;
	const keys = new PersonKeys(mapping, service.vocabulary.personIdColumn);
	return keys.hasAny ? keys : undefined;
}

export const duplicates: ImportFeature = {
	options: { group: 'list', place: 30, fields: [option] },
	guards: ['duplicates'],
	setting: {
		label: LABEL,
		of: (parameters) => parameters.in('options').choice('duplicates', DUPLICATE_CHOICES),
	},
	of({ parameters, sends }) {
		if (!sends) return undefined;
		const choice = parameters.in('options').choice('duplicates', DUPLICATE_CHOICES);
		const search = new PersonSearch();
		let rowCount = 0;
		return {
			visit(plan) {
				const keys = personKeys(plan);
				if (!keys && choice !== 'report') {
					const text =
						'needs contacts with a record ID, an email address, a phone number, or a name with a ZIP code or date of birth. Map one of these fields, or choose Report.';
					throw new InvalidInput([{ field: LABEL, text }]);
				}
				return {
					visit(row, position) {
						// A row that cannot be written must not replace one that can.
						if (keys && !(row instanceof InvalidRow)) search.add(position, keys.read(row));
						rowCount = position + 1;
					},
				};
			},
			find(plan) {
				const { links, sharing, examples } = search;
				const found = new DuplicateRows(choice, links, sharing, examples);
				if (choice === 'stop' && found.count > 0)
					plan.stops.add([problemOf(found, rowCount, plan)]);
				return found;
			},
		};
	},
	restore: async (firstFile, slice) => await DuplicateRows.restore(firstFile.duplicates, slice),
};

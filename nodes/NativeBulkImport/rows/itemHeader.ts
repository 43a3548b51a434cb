import { isEqual, uniq } from 'lodash';
import type { INodeExecutionData } from 'n8n-workflow';

import { pieceText } from '../../shared/importFile/columnValues';
import { findHeaderLine, READ_RECORDS } from '../../shared/importFile/headerLine';
import type { Problem } from '../../shared/service/invalidInput';

/** What Extract from File calls columns without a name. */
const UNNAMED = /^(__EMPTY(_\d+)?)?$/;

const SHOWN_HEADERS = 3;
const LONGEST_SHOWN = 40;

const quoted = (text: string): string => `"${text.slice(0, LONGEST_SHOWN)}"`;

/**
 * Why the properties of items are not the names of columns: Extract from File takes the first row of a sheet
 * for them, whatever it is. Undefined if they may be.
 */
export function itemHeaderProblem(items: readonly INodeExecutionData[]): Problem | undefined {
	const rows = items.slice(0, READ_RECORDS - 1).map(({ json }) => json);
	if (rows.length === 0) return undefined;
	if (rows.every((json) => isEqual(Object.keys(json), ['row']) && Array.isArray(json.row)))
		return {
			field: 'Items',
			text: 'hold rows without the names of their columns. Turn on the option Header Row in "Extract from File".',
		};
	const names = uniq(rows.flatMap((json) => Object.keys(json)));
	const isUnnamed = names.some((name) => UNNAMED.test(name));
	const records = isUnnamed ? rows.map((json) => names.map((name) => pieceText(json[name]))) : [];
	const found = findHeaderLine([names.map((name) => (UNNAMED.test(name) ? '' : name)), ...records]);
	if ('value' in found)
		return {
			field: 'Items',
			text: `have no names of columns: what should name them looks like a person, with ${quoted(found.value)}. Add a first row to the sheet, e.g. First Name, Last Name, Email.`,
		};
	const at = 'at' in found ? found.at : found.rivals[0];
	if (at === 0) return undefined;
	const headers = (records[at - 1] ?? []).filter((name) => name !== '').slice(0, SHOWN_HEADERS);
	return {
		field: `Item ${at}`,
		text: `names the columns (${headers.map(quoted).join(', ')}), because the first row of the sheet is something else, such as a title. Add the option Range in "Extract from File", and enter how many rows of the sheet are above the one that names the columns. A CSV file needs no "Extract from File": connect the file itself to this node.`,
	};
}

import { upperFirst } from 'lodash';

import { visibleName } from '../../../../shared/importFile/fileColumns';
import type { RowStatus } from '../../../../shared/importFile/importReport';
import { namedProperties } from '../../../rows/columnExpressions';
import { rowName, visitRows } from '../../../rows/importRows';
import type { ReadyImport } from '../../feature';
import { leftOutBy, type ShownKind } from '../../model';

/** Rows to which the same would happen, with the first of them. */
export interface RowKind {
	title: string;
	count: number;
	rows: Array<{ name: string; values: string; text: string }>;
}

/** Rows that are shown of each kind. */
const SHOWN_ROWS = 3;

const TITLES: Partial<Record<RowStatus, string>> = {
	invalid: 'Cannot be sent',
	duplicate: 'Duplicates, not sent',
	unchanged: 'Unchanged, not sent',
	unknown: 'Possibly sent before, not sent',
};

/** The status of a row that is not sent; undefined for the others. */
export function unsentStatus(
	{ started }: Pick<ReadyImport, 'started'>,
	position: number,
): RowStatus | undefined {
	if (started.invalid.has(position)) return 'invalid';
	return leftOutBy(started.found, position)?.leftOut?.status;
}

function reasonAt({ plan, started }: ReadyImport, position: number): string {
	const invalid = started.invalid.get(position);
	if (invalid) return `${invalid.field}: ${invalid.reason}`;
	const finder = leftOutBy(started.found, position);
	return finder?.reasonAt(position, rowName(plan.rows)) ?? '';
}

const SHOWN_VALUES = 8;
const LONGEST_VALUE = 60;

function valuesText(row: Record<string, unknown>, names: ReadonlySet<string>): string {
	return Object.entries(row)
		.filter(([name, value]) => names.has(name) && (value ?? '') !== '')
		.slice(0, SHOWN_VALUES)
		.map(([name, value]) => {
			const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
			const cut = text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
			return `${visibleName(name)}: ${cut}`;
		})
		.join(', ');
}

/** Those that need a decision come first. */
export async function rowKinds(run: ReadyImport, shown: readonly ShownKind[]): Promise<RowKind[]> {
	const { plan, started, sentRows } = run;
	const unsent = new Map<RowStatus, ShownKind>();
	const sent: ShownKind = { title: 'To import', count: sentRows, rows: [] };
	for (let position = 0; position < started.totalRows; position++) {
		const status = unsentStatus(run, position);
		const title = TITLES[status ?? 'imported'] ?? 'Not sent';
		const kind = status ? (unsent.get(status) ?? { title, count: 0, rows: [] }) : sent;
		if (status) {
			unsent.set(status, kind);
			kind.count++;
		}
		if (kind.rows.length < SHOWN_ROWS)
			kind.rows.push({ position, text: status ? reasonAt(run, position) : '' });
	}
	const ofSent = shown.length > 0 ? shown : [sent];
	const kinds = [...unsent.values(), ...ofSent].filter(({ count }) => count > 0);
	const wanted = new Set(kinds.flatMap(({ rows }) => rows.map(({ position }) => position)));
	const values = new Map<number, string>();
	const { columns } = plan.mapping;
	const names = new Set(columns.flatMap(({ expression = '' }) => namedProperties(expression)));
	await visitRows(plan.rows.readGiven(), (read, position) => {
		if (wanted.has(position)) values.set(position, valuesText(read() ?? {}, names));
	});
	const nameOf = rowName(plan.rows);
	return kinds.map(({ rows, ...kind }) => ({
		...kind,
		rows: rows.slice(0, SHOWN_ROWS).map(({ position, text }) => ({
			name: upperFirst(nameOf(position)),
			values: values.get(position) ?? '',
			text,
		})),
	}));
}

import type { INodeExecutionData } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { repetitions, seed } from '../support/randomCases';
import { seededRandom } from '../support/seededRandom';
import { fileOf, itemImport, messagesOf, property } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

/*
 * Lists that come again as people change them. Nobody in them can be found in the service, so that each row that is
 * sent a second time is stored a second time.
 */

const service = useSandbox();
const node = new NativeBulkImport();

const random = seededRandom(seed);
const HEADER = ['First', 'Last', 'City'];
const map = Object.fromEntries(
	['FirstName', 'LastName', 'City'].map((field, index) => [
		`CreateOrUpdateContact:${field}`,
		property(HEADER[index] ?? ''),
	]),
);

type Row = readonly string[];
interface List {
	header: readonly string[];
	rows: readonly Row[];
	delimiter: string;
	lineEnd: string;
	isUtf16: boolean;
}

const shuffled = (rows: readonly Row[]): Row[] =>
	rows
		.map((row) => ({ row, place: random.below(1_000_000) }))
		.sort((a, b) => a.place - b.place)
		.map(({ row }) => row);
const place = ({ rows }: List): number => random.below(rows.length);
let number = 0;
const newRow = (): Row => [`Zoë ${++number}`, `O'Hara, ${number}`, 'Nome'];

const CHANGES: Readonly<Record<string, (list: List) => List>> = {
	'same rows': (list) => list,
	sorted: (list) => ({ ...list, rows: shuffled(list.rows) }),
	'a row deleted': (list) => {
		const at = place(list);
		return { ...list, rows: list.rows.filter((_, index) => index !== at) };
	},
	'a row added': (list) => ({ ...list, rows: [...list.rows, newRow()] }),
	'a cell changed': (list) => {
		const at = place(list);
		const changed = list.rows.map((row, index) =>
			index === at ? [...row.slice(0, 2), 'Juneau'] : row,
		);
		return { ...list, rows: changed };
	},
	'a column added': (list) => ({
		...list,
		header: [...list.header, 'Checked'],
		rows: list.rows.map((row) => [...row, 'x']),
	}),
	'another delimiter': (list) => ({ ...list, delimiter: ';' }),
	'another encoding': (list) => ({ ...list, isUtf16: !list.isUtf16 }),
	'another line end': (list) => ({ ...list, lineEnd: '\r\n' }),
	'another half': (list) => ({
		...list,
		rows: list.rows.map((row, index) => (index % 2 === 0 ? row : newRow())),
	}),
	'other rows': (list) => ({ ...list, rows: list.rows.map(newRow) }),
};

async function fileItem({ header, rows, delimiter, lineEnd, isUtf16 }: List) {
	const text = [header, ...rows]
		.map((row) => row.map((cell) => `"${cell}"`).join(delimiter) + lineEnd)
		.join('');
	return await fileOf(isUtf16 ? Buffer.from(`\ufeff${text}`, 'utf16le') : text);
}

const importOf = async (item: INodeExecutionData, ifImportedBefore: string, workflowId: string) =>
	await service.run(
		node,
		itemImport(service, map, {
			source: 'binary',
			options: { pollInterval: 0.05, allowUnfindable: true, ifImportedBefore },
		}),
		{ items: [item], workflowId },
	);

const keyOf = (row: Row): string => row.slice(0, 3).join('|');
const storedRows = (): string[] =>
	service.people().map(({ fields }) => `${String(fields.firstName)}|${String(fields.lastName)}`);

const names = Object.keys(CHANGES);
const settings = ['say', 'stop', 'continue'] as const;

it.each(
	Array.from({ length: repetitions(66) }, (_, index) => ({
		change: names[index % names.length] ?? '',
		second: names[random.below(names.length)] ?? '',
		setting: settings[random.below(3)] ?? 'say',
		isListed: random.below(2) === 0,
		size: [1, 2, 7, 40, 64, 65, 150, 400][random.below(8)] ?? 1,
		turn: index,
	})),
)(
	'$turn: $size rows, $change, $second, $setting, listed: $isListed: no row is stored twice without a word',
	async ({ change, second, setting, isListed, size, turn }) => {
		service.change({ styles: { jobDescriptions: isListed || setting === 'continue' } });
		const rows = Array.from({ length: size }, newRow);
		const list: List = { header: HEADER, rows, delimiter: ',', lineEnd: '\n', isUtf16: false };
		const next = [change, second].reduce((made, name) => CHANGES[name]?.(made) ?? made, list);
		const workflowId = `list ${turn}`;
		expect(messagesOf(await importOf(await fileItem(list), setting, workflowId))).not.toContain(
			'imported before',
		);
		const before = storedRows();
		const starts = service.starts().length;
		const again = await importOf(await fileItem(next), setting, workflowId);
		const stored = storedRows().length - before.length;
		const known = new Set(rows.map(keyOf));
		const share = next.rows.filter((row) => known.has(keyOf(row))).length / next.rows.length;
		const isSame =
			next.rows.length === rows.length &&
			next.rows.every((row, index) => keyOf(row) === keyOf(rows[index] ?? []));
		if (next.rows.length === 0) return;
		if (setting === 'continue' && isSame) {
			expect(service.starts()).toHaveLength(starts);
			return;
		}
		if (setting === 'stop' && share >= 0.7) {
			expect(again.error?.message).toContain('imported before');
			expect(stored).toBe(0);
			return;
		}
		const words = again.error?.message ?? messagesOf(again);
		if (share > 0.1) expect(words).toContain('imported before');
		if (share === 0) expect(words).not.toContain('imported before');
		if (!again.error) expect(stored).toBe(next.rows.length);
	},
);

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { pageText } from '../support/pageText';
import { readBinary } from './support/engine';
import { itemImport, itemsOf, people, reportOf } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

const run = async (
	rows: readonly IDataObject[],
	options: INodeParameters = {},
	setup: { settings?: { timezone: string } } = {},
) =>
	await service.run(
		node,
		itemImport(
			service,
			{},
			{
				fieldMap: { mappingMode: 'autoMapInputData', value: null },
				options: { report: true, rejectedRows: true, ...options },
			},
		),
		{ items: itemsOf(rows), ...setup },
	);

/** What is read without opening anything. */
const unfolded = (html: string): string => pageText(html, ['style', 'details']);

it('says first what to do, with the rows to correct to download, and folds what was done', async () => {
	const rows = people(6, {
		1: { Mail: 'no..one@example.org' },
		3: { Phone: '(907) 555-0100' },
	});
	const result = await run([...rows, { ...rows[0] }]);
	const html = await reportOf(result);
	const text = unfolded(html);
	expect(text).toMatch(
		/imported .*What to do next .*Download the rows to correct .*Rows that were/,
	);
	expect(text).not.toMatch(/Mapped:|Cleaned|household/);
	expect(html).toMatch(/<details>[^]*Mapped:/);
	const [, name, data = ''] =
		/download="(.*?)" href="data:text\/csv;base64,(.*?)"/.exec(html) ?? [];
	const file = await readBinary(result.outputs.flat()[0], 'rejected');
	expect(Buffer.from(data, 'base64').toString()).toBe(file.toString());
	expect(name).toBe(`rejected-rows-${service.jobs()[0]?.id}.csv`);
});

it('says the time in the zone of the workflow', async () => {
	const result = await run(people(1), {}, { settings: { timezone: 'Asia/Kathmandu' } });
	const text = unfolded(await reportOf(result));
	const time = /· (\d{4}-\d\d-\d\d \d\d:\d\d) Asia\/Kathmandu /.exec(text)?.[1] ?? '';
	const ago = Date.now() - Date.parse(`${time.replace(' ', 'T')}:00+05:45`);
	expect(ago).toBeGreaterThanOrEqual(0);
	expect(ago).toBeLessThan(300_000);
});

it('has nothing to do only if all columns were imported', async () => {
	const next = async (more: IDataObject) => {
		const rows = people(3).map((row) => ({ ...row, ...more }));
		const text = unfolded(await reportOf(await run(rows)));
		return /What to do next (.*?) (About|Reasons)/.exec(text)?.[1];
	};
	expect(await next({})).toBe('Nothing: every row was imported.');
	expect(await next({ Notes: 'tall' })).toBe(
		'Nothing, unless you need a column that was not imported: Notes. Otherwise, every row was imported.',
	);
	expect(await next({ Kontakt: '907-555-0123' })).toMatch(
		/^To check: &quot;Kontakt&quot; holds phone numbers .* but is not imported\./,
	);
});

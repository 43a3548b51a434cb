import type { INodeParameters } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { inputOf, itemImport, people, personMap } from './support/itemImports';
import { useSandbox } from './support/sandboxed';

const service = useSandbox();
const node = new NativeBulkImport();

/** Lists as people have them, and how they are imported: nobody has to decide anything about them. */
const LISTS = {
	clean: people(6),
	'with a column that is not imported': people(6).map((row) => ({ ...row, Note: 'by the door' })),
	'with values to clean': people(6, { 2: { Mail: ' p2@example.org ' } }),
	'with an invalid row': people(6, { 3: { Mail: 'nobody' } }),
	'with a row that the service rejects': people(6, { 4: { Mail: 'no..one@example.org' } }),
};
const WAYS: Record<string, INodeParameters> = {
	'as items': {},
	'as a file': { source: 'binary' },
	'as items with a report': { options: { report: true, rejectedRows: true } },
	'as a file with all rows': { source: 'binary', options: { outputRows: 'all' } },
};

describe.each(Object.entries(LISTS))('a list %s', (_, rows) => {
	it.each(Object.entries(WAYS))(
		'%s: says first what came of it, without a warning',
		async (__, way) => {
			const { error, hints } = await service.run(node, itemImport(service, personMap, way), {
				items: await inputOf(rows, way.source),
			});
			expect(error).toBeUndefined();
			expect(hints[0]?.message).toMatch(/^6 (items|rows): /);
			expect(hints.filter(({ type }) => type === 'warning')).toEqual([]);
			expect(hints.map(({ message }) => message).join(' ')).not.toMatch(/requests? sent/);
		},
	);
});

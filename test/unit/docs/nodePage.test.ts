import { NativeBulkImportTrigger } from '../../../nodes/NativeBulkImportTrigger/NativeBulkImportTrigger.node';
import { NativeRecord, resources } from '../../../nodes/NativeRecord/NativeRecord.node';
import { NodeReference, operationsOf } from '../../../scripts/docs/nodePage';

const recordCalls = new Map(
	resources.flatMap(({ value: resource, operations }) =>
		operations.map(({ value, calls }) => [`${resource}.${value}`, calls] as const),
	),
);

test('a node whose only resource is hidden has a part for each operation', () => {
	const { description } = new NativeRecord();
	const { text } = new NodeReference(description, recordCalls);
	for (const heading of ['### Record: Create', '### Record: Get Many', '### Record: Update'])
		expect(text).toContain(heading);
	expect(text).toContain('Sends any `POST` [request]');
	expect(text).not.toContain('Sends no request');
});

test('a trigger has no operations', () => {
	expect(operationsOf(new NativeBulkImportTrigger().description)).toEqual([]);
});

import Ajv from 'ajv';
import fc from 'fast-check';

import { schemaOf } from '../../scripts/schemas/outputSchema';

test('every value that a schema was made of fits it', () => {
	fc.assert(
		fc.property(fc.array(fc.jsonValue(), { minLength: 1, maxLength: 6 }), (values) => {
			const validate = new Ajv({ ownProperties: true }).compile(schemaOf(values));
			for (const value of values) expect(validate(value)).toBe(true);
		}),
		// A name that every object inherits.
		{ examples: [[[{}, { toString: 0 }]]] },
	);
});

test('properties that only some values have are in the schema, in the order they came', () => {
	expect(schemaOf([{ id: 1 }, { id: 2.5, tags: ['a'] }, { id: null, tags: [] }])).toEqual({
		type: 'object',
		properties: {
			id: { type: ['number', 'null'] },
			tags: { type: 'array', items: { type: 'string' } },
		},
	});
});

test('what the data of the user names is left out', () => {
	const values = [{ outcomes: { Phones_17: 'Processed' }, nativeId: 7, row: 1 }];
	expect(schemaOf(values, { open: ['outcomes'], leftOut: ['nativeId'] })).toEqual({
		type: 'object',
		properties: { outcomes: { type: 'object' }, row: { type: 'integer' } },
	});
});

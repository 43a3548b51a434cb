import fc from 'fast-check';

import { codeTypeProblems, codeUpdateInput } from '../../../nodes/NativeCode/code/codeInput';
import {
	codeBody,
	codeChangesBody,
	codeRecordSchema,
	createdCodeId,
	hidesSupportedEntities,
	mergedCode,
	metadataIds,
} from '../../../nodes/shared/service/code';
import { readBody } from '../../../nodes/shared/service/requestBody';
import { itemOf } from '../parameters/nodeParameters';
import { scriptedService } from './scriptedService';

const checkCode = (input: unknown) => readBody(input, codeBody);
const checkCodeChanges = (input: unknown, clear: string[]) =>
	readBody(input, codeChangesBody(clear));

const id = fc.integer({ min: 1, max: 2_147_483_647 });
const name = fc
	.string({ minLength: 1, maxLength: 50 })
	.map((text) => text.replace(/[/\\]/g, '-').trim())
	.filter((text) => text !== '');
const description = fc
	.string({ maxLength: 200 })
	.map((text) => text.trim())
	.filter((text) => text !== '');
const entities = fc.uniqueArray(
	fc.record({ name, isSearchable: fc.boolean(), isApplicable: fc.boolean() }),
	{ minLength: 1, maxLength: 4, selector: (entity) => entity.name.toLowerCase() },
);
const metadata = {
	campaign: fc.record({ campaignId: id }),
	contactType: fc.record({ contactTypeId: id }),
	generalLedgerFund: fc.record({ generalLedgerFundId: id }),
	costCenter: fc.record({ costCenterId: id }),
	revenueStream: fc.record({ revenueStreamId: id }),
	mailMergeTemplate: fc.record({ mailMergeTemplateId: id }),
};
const changes = fc.record(
	{
		name,
		description,
		parentCodeId: id,
		supportedEntities: entities,
		isSourceCodeApplicable: fc.boolean(),
		...metadata,
	},
	{ requiredKeys: [] },
);
const tag = changes.chain((code) => name.map((text) => ({ ...code, name: text, codeType: 'Tag' })));

describe('a new code', () => {
	test('that keeps the rules is sent as it is', () => {
		fc.assert(
			fc.property(tag, (code) => {
				expect(checkCode(code)).toEqual({ body: code, dropped: [] });
			}),
		);
	});

	test('is rejected for whatever else is given, and never throws', () => {
		fc.assert(
			fc.property(fc.anything(), (input) => {
				const checked = checkCode(input);
				if ('problems' in checked) {
					expect(checked.problems.length).toBeGreaterThan(0);
					expect(checked.problems.every(({ text }) => /[.?]$/.test(text))).toBe(true);
				} else {
					expect(input).toHaveProperty('name');
				}
			}),
		);
	});
});

const entity = { name: 'Events', isSearchable: true, isApplicable: true };

test.each<[unknown, string, RegExp]>([
	[{}, 'name', /^is missing/],
	[{ name: 'x'.repeat(51) }, 'name', /^is too long.*50/],
	[{ name: 'a/b' }, 'name', /^must not contain/],
	[{ name: 'a\\b' }, 'name', /^must not contain/],
	[{ name: 'a', description: 'x'.repeat(201) }, 'description', /^is too long.*200/],
	[{ name: 'a', parentCodeId: 'top' }, 'parentCodeId', /must be a whole number/],
	[{ name: 'a', parentcodeID: 1 }, 'parentcodeID', /Did you mean "parentCodeId"/],
	[
		{ name: 'a', codeType: 'Tag', supportedEntities: [{ ...entity, name: '' }] },
		'supportedEntities.0.name',
		/^is empty/,
	],
	[
		{ name: 'a', codeType: 'Tag', supportedEntities: [entity, { ...entity, name: 'events' }] },
		'supportedEntities.1.name',
		/appears twice/,
	],
])('the code %j is rejected', (input, path, text) => {
	const checked = checkCode(input);
	const problems = 'problems' in checked ? checked.problems : [];
	expect(problems.map((problem) => ({ ...problem, path: problem.path.join('.') }))).toEqual([
		expect.objectContaining({ path, text: expect.stringMatching(text) as string }),
	]);
});

describe('the changes of an update', () => {
	test('that keep the rules are taken as they are', () => {
		fc.assert(
			fc.property(changes, (given) => {
				const checked = checkCodeChanges(given, []);
				if (Object.keys(given).length === 0) expect(checked).toHaveProperty('problems');
				else expect(checked).toEqual({ body: given, dropped: [] });
			}),
		);
	});

	test('may not also be cleared', () => {
		fc.assert(
			fc.property(fc.constantFrom(...Object.entries(metadataIds)), id, ([key, field], value) => {
				expect(checkCodeChanges({ [key]: { [field]: value } }, [field])).toMatchObject({
					problems: [{ path: [key] }],
				});
			}),
		);
	});
});

describe('the body of an update', () => {
	const bodyOf = (response: unknown, given: object, clear: string[]) => {
		const checked = checkCodeChanges(given, clear);
		if (!('body' in checked)) throw new Error('The changes are not valid.');
		return mergedCode(codeRecordSchema.parse(response), checked.body, clear);
	};

	test('carries over properties this package does not know', () => {
		expect(bodyOf({ name: 'a', codeType: 'Tag', colour: 'red' }, { name: 'b' }, [])).toEqual({
			name: 'b',
			codeType: 'Tag',
			colour: 'red',
		});
	});

	test('is not made where the service hides the entities of a tag', () => {
		const hidden = codeRecordSchema.parse({ name: 'a', codeType: 'Tag', supportedEntities: null });
		expect(hidesSupportedEntities(hidden, { name: 'b' }, [])).toBe(true);
		expect(hidesSupportedEntities(hidden, { supportedEntities: [] }, [])).toBe(false);
		expect(hidesSupportedEntities(hidden, {}, ['supportedEntities'])).toBe(false);
		expect(hidesSupportedEntities({ ...hidden, codeType: 'SourceCode' }, {}, [])).toBe(false);
	});

	test('is not made of a response whose metadata has no ID', () => {
		expect(codeRecordSchema.safeParse({ name: 'a', campaign: { name: 'Spring' } }).success).toBe(
			false,
		);
	});
});

describe('the ID of a new code', () => {
	test.each<[string, unknown, Record<string, string>, number | undefined]>([
		['a number', 1004960, {}, 1004960],
		['the code', { codeId: 7, name: 'a' }, {}, 7],
		['a Location', undefined, { location: 'https://api.example.org:443/v2/codes/7' }, 7],
		['a code without ID, and a Location', { name: 'a' }, { location: '/v2/codes/7' }, 7],
		['nothing', undefined, {}, undefined],
		['zero', 0, {}, undefined],
		['a list', [7], {}, undefined],
		['an object with an id', { id: 7 }, {}, 7],
		['a list with the code', [{ codeId: 7 }], {}, 7],
		['a relative Location', undefined, { location: 'codes/7' }, 7],
		['another Location', undefined, { location: '/v2/people/7' }, undefined],
		['a Location that goes on', undefined, { location: '/v2/codes/7/notes' }, undefined],
	])('is found in %s', (_, body, headers, expected) => {
		expect(createdCodeId({ body, headers })).toBe(expected);
	});
});

test.each([[[]], [[{ codeTypeName: 'Tag' }]], [[{ name: 'SourceCode' }]]])(
	'code types in another shape than is known stop nothing: %j',
	async (body) => {
		const { service } = scriptedService(() => ({ status: 200, body }));
		expect(await codeTypeProblems(service)).toEqual([]);
	},
);

test('the default code type must be one that the key may use, too', async () => {
	const { service } = scriptedService(() => ({ status: 200, body: ['Tag'] }));
	expect(await codeTypeProblems(service)).toEqual([
		{
			path: ['codeType'],
			text: '"SourceCode" is not one of the code types this key may use: Tag.',
		},
	]);
});

test('flags that an expression leaves out of an entity are not made up', () => {
	const updateFields = { supportedEntities: { entity: [{ name: 'Events' }] } };
	expect(() => codeUpdateInput(itemOf({ updateFields }))).toThrow(
		/Supported Entity 1 → .* missing/,
	);
});

import * as fc from 'fast-check';
import { DateTime } from 'luxon';

import { byId } from '../../../hosts/locators';
import { canvassResponseInput } from '../../../nodes/NativeCanvassResponse/canvassResponse/create.operation';
import { codeInput, codeUpdateInput } from '../../../nodes/NativeCode/code/codeInput';
import { personInput } from '../../../nodes/NativePeople/personForm';
import { metadataIds } from '../../../nodes/shared/service/code';
import { itemOf, parametersOf } from './nodeParameters';

/** The same input, as fields and as JSON, gives the same body or is rejected both ways. */

type Values = Record<string, unknown>;
type Read = (parameters: Values) => unknown;

function outcome(read: Read, parameters: Values): unknown {
	try {
		return read(parameters);
	} catch (error) {
		return (error as Error).name;
	}
}

let bodies = 0;
beforeEach(() => (bodies = 0));
/** A comparison of rejections alone would show nothing. */
afterEach(() => expect(bodies).toBeGreaterThan(10));

function expectSame(read: Read, fields: Values, json: Values): void {
	const body = outcome(read, fields);
	expect(body).toEqual(outcome(read, json));
	if (typeof body === 'object') bodies++;
}

const nothing = fc.constantFrom('', '  ', null, undefined);
const digits = fc.integer({ min: 1, max: 99_999 });
const id = fc.oneof(nothing, digits, digits.map(String), fc.constant('x'));
const word = fc.oneof(
	{ weight: 3, arbitrary: fc.stringMatching(/^ ?[A-Za-z ]{1,8}$/) },
	nothing,
	digits,
);
const flag = fc.oneof(nothing, fc.constantFrom(true, 'True', 'true', ' TRUE'));
const anyFlag = fc.oneof(flag, fc.constantFrom(false, 'False', 'maybe'));
const phoneNumber = fc.oneof(
	nothing,
	fc.constantFrom(9075550100, '907-555-0100', '(907) 555 0100', '12'),
);
const email = fc.oneof(nothing, fc.constantFrom('ann@example.org', 'bob@example.org', 'ann'));
const day = fc
	.date({ min: new Date('1950-01-01'), max: new Date('2020-01-01'), noInvalidDate: true })
	.chain((date) =>
		fc.constantFrom<unknown>(
			date,
			date.toISOString(),
			date.toISOString().slice(0, 10),
			DateTime.fromJSDate(date),
			'soon',
			null,
		),
	);
const optional = { requiredKeys: [] };
const entriesOf = (fields: Record<string, fc.Arbitrary<unknown>>) =>
	fc.array(fc.record(fields, optional), { maxLength: 3 });

test('of a person', () => {
	const lists = {
		emails: {
			kind: 'email',
			entries: entriesOf({
				email,
				type: fc.constantFrom('P', 'Work', '', null),
				isPreferred: flag,
			}),
		},
		phones: {
			kind: 'phone',
			entries: entriesOf({
				phoneNumber,
				phoneType: fc.constantFrom('C', 'cell', '', null),
				ext: word,
				dialingPrefix: fc.constantFrom(1, '1', '', null),
				isPreferred: flag,
			}),
		},
		addresses: {
			kind: 'address',
			entries: entriesOf({
				addressLine1: word,
				city: word,
				zipOrPostalCode: word,
				isPreferred: flag,
			}),
		},
		identifiers: { kind: 'identifier', entries: entriesOf({ type: word, externalId: word }) },
		customFieldValues: {
			kind: 'customFieldValue',
			entries: entriesOf({ customFieldId: id, customFieldGroupId: id, assignedValue: word }),
		},
		suppressions: {
			kind: 'suppression',
			entries: entriesOf({ suppressionCode: fc.constantFrom('NC', 'no', '', null) }),
		},
	};
	const simple = {
		middleName: word,
		sex: fc.constantFrom('F', 'male', '', null),
		dateOfBirth: day,
		cycle: id,
		party: fc.constantFrom('D', 1, '', null),
	};
	const person = fc.record(
		{
			...simple,
			firstName: word,
			lastName: word,
			personId: id,
			selfReportedRaces: fc.uniqueArray(digits, { maxLength: 2 }),
			...Object.fromEntries(Object.entries(lists).map(([name, { entries }]) => [name, entries])),
		},
		optional,
	);
	const read: Read = (parameters) => personInput(itemOf(parameters));
	fc.assert(
		fc.property(person, ({ firstName, lastName, personId, selfReportedRaces: races, ...rest }) => {
			const additionalFields = Object.fromEntries(
				Object.entries(rest).map(([name, value]) =>
					name in lists
						? [name, { [lists[name as keyof typeof lists].kind]: value }]
						: [name, value],
				),
			);
			const raceIds = races?.join(', ');
			expectSame(
				read,
				{
					firstName,
					lastName,
					additionalFields: { ...additionalFields, personId, selfReportedRaces: raceIds },
				},
				{
					definePerson: 'json',
					personJson: {
						...rest,
						firstName,
						lastName,
						nativeId: personId,
						selfReportedRaces: races?.map((reportedRaceId) => ({ reportedRaceId })),
					},
				},
			);
		}),
		{ numRuns: 500 },
	);
});

describe('of a code', () => {
	const entities = entriesOf({
		name: fc.constantFrom('Events', 'Contacts', '', null),
		isSearchable: anyFlag,
		isApplicable: anyFlag,
	});
	const metadata = fc.record(
		Object.fromEntries(Object.values(metadataIds).map((idName) => [idName, id])),
		optional,
	);
	const nested = (ids: Values) =>
		Object.fromEntries(
			Object.entries(metadataIds).map(([name, idName]) => [name, { [idName]: ids[idName] }]),
		);

	test('that is new', () => {
		const read: Read = (parameters) => codeInput(itemOf(parameters));
		fc.assert(
			fc.property(word, word, fc.boolean(), id, entities, metadata, anyFlag, (...values) => {
				const [name, description, isTag, parentCodeId, entity, ids, isApplicable] = values;
				const codeType = isTag ? 'Tag' : 'SourceCode';
				const ofTag = { parentCodeId, supportedEntities: entity };
				const ofSource = { ...nested(ids), isSourceCodeApplicable: isApplicable };
				expectSame(
					read,
					{
						name,
						description,
						codeType,
						parentCodeId: byId(parentCodeId),
						supportedEntities: { entity },
						sourceCodeMetadata: { ...ids, isSourceCodeApplicable: isApplicable },
					},
					{
						defineCode: 'json',
						codeJson: { name, description, codeType, ...(isTag ? ofTag : ofSource) },
					},
				);
			}),
			{ numRuns: 300 },
		);
	});

	test('that changes', () => {
		const read: Read = (parameters) => codeUpdateInput(itemOf(parameters));
		fc.assert(
			fc.property(word, word, id, entities, metadata, anyFlag, (...values) => {
				const [name, description, parentCodeId, entity, ids, isSourceCodeApplicable] = values;
				expectSame(
					read,
					{
						updateFields: {
							name,
							description,
							parentCodeId: byId(parentCodeId),
							supportedEntities: { entity },
							...ids,
							isSourceCodeApplicable,
						},
					},
					{
						defineCode: 'json',
						codeJson: {
							name,
							description,
							parentCodeId,
							supportedEntities: entity,
							...nested(ids),
							isSourceCodeApplicable,
						},
					},
				);
			}),
			{ numRuns: 300 },
		);
	});
});

test('of a canvass response', () => {
	const read: Read = (parameters) => canvassResponseInput(parametersOf(parameters));
	const context = fc.record(
		{
			contactTypeId: id,
			inputTypeId: id,
			dateCanvassed: day,
			phoneId: id,
			skipMatching: anyFlag,
			campaignId: id,
		},
		optional,
	);
	const phone = fc.record(
		{ dialingPrefix: fc.constantFrom(1, '44', '', null), phoneNumber },
		optional,
	);
	const action = fc.constantFrom('Apply', 'remove', '', null);
	const activistCodes = entriesOf({ activistCodeId: id, action });
	const surveyResponses = entriesOf({ surveyQuestionId: id, surveyResponseId: id });
	fc.assert(
		fc.property(
			...([context, phone, fc.boolean(), id, activistCodes, surveyResponses, anyFlag] as const),
			(given, number, hasResult, resultCodeId, codes, answers, adds) => {
				const negated = { true: false, false: true }[String(adds).trim().toLowerCase()] ?? adds;
				expectSame(
					read,
					{
						canvassContext: {
							...given,
							contactTypeId: byId(given.contactTypeId),
							phone: { number },
							addActivistCodesToContactHistory: adds,
						},
						outcome: hasResult ? 'resultCode' : 'responses',
						resultCodeId: byId(resultCodeId),
						responses: { activistCodes: codes, surveyResponses: answers },
					},
					{
						defineResponse: 'json',
						canvassResponseJson: {
							canvassContext: { ...given, phone: number, omitActivistCodeContactHistory: negated },
							...(hasResult
								? { resultCodeId }
								: {
										responses: [
											...codes.map((code) => ({ ...code, type: 'ActivistCode' })),
											...answers.map((response) => ({ ...response, type: 'SurveyResponse' })),
										],
									}),
						},
					},
				);
			},
		),
		{ numRuns: 500 },
	);
});

import { canvassResponseBody, sentResponse } from '../../../nodes/shared/service/canvassResponse';
import { importJobBody } from '../../../nodes/shared/service/importJob';
import { personBody } from '../../../nodes/shared/service/personSchema';
import { readBody } from '../../../nodes/shared/service/requestBody';
import { vocabularyOf } from '../../../nodes/shared/service/connection';

function checkCanvassResponse(input: unknown) {
	const read = readBody(input, canvassResponseBody);
	return 'problems' in read ? read : { response: sentResponse(read.body) };
}

/** Bodies as public clients of the service build them, with made-up values. */

const van = vocabularyOf('Van');

test('an activist code of Parsons: null for what is not given, camel case, its own flag', () => {
	expect(
		checkCanvassResponse({
			canvassContext: {
				contactTypeId: null,
				inputTypeId: null,
				dateCanvassed: null,
				omitActivistCodeContactHistory: true,
				campaignId: null,
			},
			resultCodeId: null,
			responses: [
				{
					activistCodeId: 7001,
					action: 'Apply',
					type: 'activistCode',
					omitActivistCodeContactHistory: true,
				},
			],
		}),
	).toEqual({
		response: {
			canvassContext: { omitActivistCodeContactHistory: true },
			responses: [{ type: 'ActivistCode', activistCodeId: 7001, action: 'Apply' }],
		},
	});
});

test('a survey response of a sign-up form: with an action, which the service ignores', () => {
	const surveyResponse = { type: 'SurveyResponse', surveyQuestionId: 81, surveyResponseId: 812 };
	const canvassContext = { inputTypeId: 11, contactTypeId: 75, skipMatching: true };
	expect(
		checkCanvassResponse({ canvassContext, responses: [{ action: 'Apply', ...surveyResponse }] }),
	).toEqual({ response: { canvassContext, responses: [surveyResponse] } });
});

test('a contact of a data pipeline: null everywhere, a line without a phone', () => {
	const checked = readBody(
		{
			firstName: 'Ann',
			lastName: 'Lee',
			middleName: null,
			jobTitle: null,
			dateOfBirth: null,
			vanId: null,
			emails: [{ email: 'ann@example.org' }],
			addresses: [
				{ addressLine1: '1 Elm St', addressLine2: null, city: 'Nome', zipOrPostalCode: 99762 },
				{ addressLine1: null, city: null, countryCode: null },
			],
			phones: [
				{ phoneNumber: 9075550100, phoneType: 'Cell' },
				{ phoneNumber: null, phoneType: null },
			],
		},
		personBody(van),
	);
	expect(checked).toMatchObject({
		body: {
			firstName: 'Ann',
			lastName: 'Lee',
			emails: [{ email: 'ann@example.org' }],
			addresses: [{ addressLine1: '1 Elm St', city: 'Nome', zipOrPostalCode: '99762' }],
			phones: [{ phoneNumber: '9075550100', phoneType: 'C' }],
		},
	});
});

test('an import of Parsons: "True" for true, and a number as a static value', () => {
	const checked = readBody(
		{
			description: 'Activist Code Upload',
			file: {
				columnDelimiter: 'csv',
				columns: [{ name: 'vanid' }, { name: 'CF12' }],
				fileName: '6f0e.csv',
				hasHeader: 'True',
				hasQuotes: 'False',
				sourceUrl: 'https://files.example.org/6f0e.zip',
			},
			actions: [
				{
					resultFileSizeKbLimit: 5000,
					resourceType: 'Contacts',
					actionType: 'loadMappedFile',
					mappingTypes: [
						{
							name: 'ApplyContactCustomFields',
							fieldValueMappings: [
								{ fieldName: 'CustomFieldGroupID', staticValue: 31 },
								{ fieldName: 'CF12', columnName: 'CF12' },
							],
						},
					],
				},
			],
		},
		importJobBody(van),
	);
	expect(checked).toMatchObject({
		body: {
			file: { hasHeader: true, hasQuotes: false },
			actions: [
				{ mappingTypes: [{ fieldValueMappings: [{ staticValue: '31' }, { fieldName: 'CF12' }] }] },
			],
		},
	});
});

describe('what no client may expect', () => {
	const problemsOf = (responses: unknown[], canvassContext?: unknown) => {
		const checked = checkCanvassResponse({ canvassContext, responses });
		return 'problems' in checked ? checked.problems.map(({ text }) => text) : [];
	};

	test('is to remove a survey response', () => {
		expect(
			problemsOf([
				{ type: 'SurveyResponse', surveyQuestionId: 1, surveyResponseId: 2, action: 'Remove' },
			]),
		).toEqual(['can only be Apply, because the service cannot remove a survey response.']);
	});

	test('is contact history for one activist code and not for another', () => {
		const code = (omits: boolean) => ({
			type: 'ActivistCode',
			activistCodeId: 1,
			omitActivistCodeContactHistory: omits,
		});
		expect(problemsOf([code(true), code(false)])).toEqual([
			'is false here and true before. It applies to all responses: set it once, in canvassContext.',
		]);
	});
});

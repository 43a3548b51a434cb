import { longestTurnOf } from '../support/eventLoop';
import { LONGEST_TURN_MS, responseTexts, slowTexts } from '../engine/support/hostileTexts';
import { parseReference } from '../../nodes/NativeBulkImport/importItems/start/startedImport';
import {
	hasCutMark,
	readMarks,
	withoutMark,
} from '../../nodes/NativeBulkImport/job/descriptionMark';
import {
	expressionPath,
	namedProperties,
} from '../../nodes/NativeBulkImport/rows/columnExpressions';
import { parseRowKey } from '../../nodes/NativeBulkImport/rows/importRows';
import { readBirth } from '../../nodes/shared/importFile/birthDate';
import { columnTexts, misfitReason, joinTexts } from '../../nodes/shared/importFile/columnValues';
import { columnName, simplifyName, visibleName } from '../../nodes/shared/importFile/fileColumns';
import { readHeader } from '../../nodes/shared/importFile/headerSynonyms';
import { matchHeaders } from '../../nodes/shared/importFile/matchHeaders';
import { countryCode, stateCode } from '../../nodes/shared/importFile/placeCodes';
import { splitName } from '../../nodes/shared/importFile/splitName';
import { judgeValue, KINDS, type ValueKind } from '../../nodes/shared/importFile/valueKinds';
import { readDate, readDateFormat } from '../../nodes/shared/parameters/dateFormat';
import { isEmail, lacksId, tidyText, wholeId } from '../../nodes/shared/service/bodySchema';
import { dayText, isoDate } from '../../nodes/shared/service/dateText';
import { parseJson } from '../../nodes/shared/service/jsonText';
import { nearestName } from '../../nodes/shared/service/nearestName';
import { isPlaceholder } from '../../nodes/shared/service/noValue';
import { checkPhone, nationalDigits } from '../../nodes/shared/service/phoneNumber';
import { redactUrls, Redactor } from '../../nodes/shared/transport/redaction';

/** What reads texts of users and of the service takes no longer than their length explains. */

const kinds = Object.keys(KINDS) as ValueKind[];
const FIELDS = ['FirstName', 'LastName', 'Email', 'Phone', 'DOB'].map((name) => ({
	name,
	label: name,
}));

/** One of the texts begins like it at each character. */
const KEY = '11111111-1111-4111-8111-111111111111';
const ofKey = new Redactor([KEY, `${KEY}|0`, KEY.replaceAll('-', '')]);

/** Keyed by what is read. A header is read once for each row. */
const readers: Record<string, (text: string) => unknown> = {
	header: (text) => [readHeader(text), columnName(text), simplifyName(text), visibleName(text)],
	'header of a full name': (text) => splitName('Ann Lee', text),
	'headers of a list': (text) =>
		matchHeaders(['Email', text, `Email${text}`], FIELDS, { valuesOf: () => [text] }),
	'full name': (text) => splitName(text, 'Name'),
	value: (text) => [
		isPlaceholder(text),
		joinTexts([text, text]),
		columnTexts([text]),
		tidyText(text),
	],
	...Object.fromEntries(
		kinds.map((kind) => [
			kind,
			(text: string) => [judgeValue(kind, text), misfitReason(columnTexts([text]), kind)],
		]),
	),
	'phone number': (text) => {
		checkPhone('country')({ phoneNumber: text }, { path: [], addIssue: () => undefined });
		return nationalDigits(text);
	},
	ID: (text) => [lacksId(text), wholeId(text), isEmail(text)],
	place: (text) => [countryCode(text), stateCode(text)],
	day: (text) => [isoDate(text), dayText(text), readBirth(text)],
	'day in a format': (text) => readDate(text, readDateFormat('d/M/yyyy')),
	expression: (text) => [
		expressionPath(`={{ $json.${text} }}`),
		namedProperties(`={{ ${text} }}`),
		namedProperties(`={{ ${text.replaceAll(/.{6}/gs, '$json.')} }}`),
	],
	description: (text) => [readMarks(text), withoutMark(text), hasCutMark(text)],
	'row key': (text) => [parseRowKey(text), parseReference(text)],
	'name in a list': (text) => nearestName(text, ['Home', 'Main', 'Mobile']),
	URL: (text) => redactUrls(text),
	'record beside a key': (text) =>
		ofKey.value(Array.from({ length: 25 }, () => text.slice(0, 20_000))),
	response: (text) => parseJson(text),
};

test.each(Object.entries(readers))('no text as %s stops n8n', async (_, read) => {
	const work = async (text: string) => await Promise.resolve(read(text));
	const all = async () => {
		for (const text of responseTexts) {
			read(text);
			await new Promise(setImmediate);
		}
	};
	if ((await longestTurnOf(all, LONGEST_TURN_MS)) <= LONGEST_TURN_MS) return;
	expect(await slowTexts(responseTexts, work)).toEqual([]);
});

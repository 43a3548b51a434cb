import { ServiceList } from '../../../nodes/shared/execution/serviceList';
import { recordLists } from '../../../nodes/shared/service/serviceLists';
import { longestTurnOf } from '../../support/eventLoop';
import { scriptedService } from '../service/scriptedService';

const read = async (entries: object[], source = recordLists.resultCodeId) =>
	await ServiceList.read(scriptedService(() => ({ status: 200, body: entries })).service, source);
const named = (...names: unknown[]) =>
	names.map((name, index) => ({ resultCodeId: index + 1, name }));

describe('an entry of a list of the service', () => {
	test('is found by its name in any case, with any blanks and invisible characters', async () => {
		const list = await read(named('Not Home', 'Busy'));
		const names = ['nothome', ' BUSY ', 'Not\u00a0\u200bHo\u00adme\u200e'];
		expect(names.map((name) => list.idsOf(name))).toEqual([[1], [2], [1]]);
	});

	test.each(['', ' ', '\u200b', '\ufeff\u2060', '\u3164', '\u202e\u00ad'])(
		'without a name is not found by %j',
		async (name) => {
			const list = await read(named(null, undefined, '', ' ', '\u200b'));
			expect(list.idsOf(name)).toEqual([]);
			expect(list.idOf(name)).toBeUndefined();
		},
	);

	test('that the list has twice is no doubt', async () => {
		const twice = { resultCodeId: 7, name: 'Busy' };
		const list = await read([twice, { ...twice, resultCodeId: '7' }]);
		expect(list.idsOf('busy')).toEqual(['7']);
	});

	test('is found among those of its own record', async () => {
		const question = (surveyQuestionId: number) => ({
			surveyQuestionId,
			responses: [{ surveyResponseId: 10 * surveyQuestionId, name: 'Yes' }],
		});
		const list = await read([question(1), question(2)], recordLists.surveyResponseId);
		expect(list.idsOf('yes', 2)).toEqual([20]);
		expect(list.idsOf('yes')).toEqual([10, 20]);
		expect(await list.describeProblem('yse', '', '3')).toContain(
			'has no entry for the ID 3 next to it',
		);
	});
});

test('of a part of a list, only IDs can be used: another entry may have the same name', async () => {
	const body = { items: named('Busy'), nextPageLink: null, count: 2 };
	const { service } = scriptedService(() => ({ status: 200, body }));
	const list = await ServiceList.read(service, recordLists.resultCodeId);
	expect([list.idOf('Busy'), list.idOfName('busy'), list.idOf('1')]).toEqual([
		undefined,
		undefined,
		1,
	]);
	expect(['Busy', 'Away', '1', ''].map((text) => list.accepts(text))).toEqual([
		false,
		false,
		true,
		true,
	]);
	for (const name of ['Busy', 'Away'])
		expect(await list.describeProblem(name, ' (row 3)')).toBe(
			`"${name}" cannot be looked up (row 3), because the list is incomplete. The service says that the list has 2 entries, but it returned 1. Use the ID.`,
		);
});

test('a list is read once per session', async () => {
	const { service, requests } = scriptedService(() => ({ status: 200, body: named('Busy') }));
	const lists = await Promise.all(
		[recordLists.codeId, recordLists.codeId].map(
			async (source) => await ServiceList.read(service, source),
		),
	);
	expect(lists[0]).toBe(lists[1]);
	expect(requests).toHaveLength(1);
});

test('unknown names do not stop n8n, however many and however long the list', async () => {
	const list = await read(
		named(...Array.from({ length: 20_000 }, (_, index) => `Volunteer shift, week ${index}`)),
	);
	const problems: string[] = [];
	const describeProblems = async () => {
		const names = Array.from({ length: 8 }, (_, index) => `Voluntear shfit ${index}, wek`);
		problems.push(
			...(await Promise.all(names.map(async (name) => await list.describeProblem(name)))),
		);
	};
	expect(await longestTurnOf(describeProblems, 50)).toBeLessThanOrEqual(50);
	expect(problems[0]).toMatch(
		/^"Voluntear shfit 0, wek" is not in the service's list\. .* "Volunteer shift, /,
	);
});

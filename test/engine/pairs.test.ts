import { once } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';

import { Chance } from '../../e2e/pairs/chance';
import { allPairs, coveringArray, pairsOf, randomRow } from '../../e2e/pairs/coveringArray';
import { goTogether, OPTIONS } from '../../e2e/pairs/options';
import type { StoryRun } from '../../e2e/pairs/options/storyOption';
import { runStory, withStage } from '../../e2e/pairs/runStory';
import { IMPOSSIBLE_PAIRS, PAIR_STORIES, storyOf } from '../../e2e/pairs/story';
import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import { fieldsByPath } from '../../nodes/shared/parameters/itemParameters';
import { systemClock } from '../../nodes/shared/transport/clock';
import { speedUpClock } from '../../e2e/faults/fastClock';

const usual = { ...systemClock };
beforeAll(speedUpClock);
afterAll(() => void Object.assign(systemClock, usual));

/** `npm run e2e -- pairs` tells those of all pairs, and replays each by its number: `--seed 17`. */
const tellFirst = async () => await withStage(async (stage) => await runStory(stage, 1));
const first = once(tellFirst);

it('comes to what the list and the service say in the first story', async () => {
	expect((await first()).problems).toEqual([]);
});

const isOfImportItems = ({ displayOptions }: INodeProperties): boolean =>
	displayOptions?.show?.operation?.includes('createFromItems') ?? false;

/** What Import Items asks, also in its groups. */
const fields = fieldsByPath(
	new NativeBulkImport().description.properties.filter(isOfImportItems),
).map(([, field]) => field);

/** Fields that every story fills in alike, that say nothing, that depend on another field, or have others inside. */
const NOT_CHOSEN = [
	'description',
	'mappingTypes',
	'fieldMap',
	'otherDateFormat',
	'maxWaitToAsk',
	'uploadUrl',
	'downloadUrl',
	'formFields',
	...['listOptions', 'rowsFrom', 'safetyOptions', 'importedBefore', 'fewRows', 'contactConsent'],
	...['resultOptions', 'wait', 'page'],
];

it('knows every field and option of Import Items', () => {
	const known = [...OPTIONS.map(({ name }) => name), ...NOT_CHOSEN];
	const names = fields.filter(({ type }) => type !== 'notice').map(({ name }) => name);
	expect(names.filter((name) => !known.includes(name))).toEqual([]);
	const limits = [
		'maxRowsPerFile',
		'maxZipSizeMb',
		'resultFileSizeKbLimit',
		'pollInterval',
		'timeout',
	];
	const named = OPTIONS.filter(({ where }) => where === 'option').map(({ name }) => name);
	expect(named.filter((name) => ![...names, ...limits].includes(name))).toEqual([]);
});

it('knows every choice of the lists of Import Items', () => {
	// The link to this n8n needs an n8n that serves it: e2e has that. Each story shows its list before the
	// import. Opt-outs are sent only by fields of other mapping types: the tests of opt-outs have them. Whether
	// the same rows came before depends on all files of earlier runs: the tests of the option have it.
	const leftOut = ['n8n', 'show', 'send'];
	const leftOutOfOne = ['ifImportedBefore: stop'];
	const run = { addresses: { upload: '', download: '' }, kind: {}, chosen: {} } as StoryRun;
	const unknown = fields
		.filter(({ type }) => type === 'options')
		.flatMap(({ name, options = [] }) => {
			const option = OPTIONS.find((each) => each.name === name);
			const text = JSON.stringify(option?.choices ?? []);
			const asValues = JSON.stringify(
				option?.choices.map((choice) => option.parameters?.(choice, run)[name] ?? choice),
			);
			return options
				.map((entry) => String((entry as { value: unknown }).value))
				.filter((value) => !leftOut.includes(value))
				.filter((value) => !`${text}${asValues}`.includes(`"${value}"`))
				.map((value) => `${name}: ${value}`)
				.filter((choice) => !leftOutOfOne.includes(choice));
		});
	expect(unknown).toEqual([]);
});

it('names only options that there are as what an option needs', () => {
	const choices = new Map(OPTIONS.map((option) => [option.name, option.choices]));
	for (const { needs = {}, choices: own } of OPTIONS)
		for (const [choice, others] of Object.entries(needs)) {
			expect(own).toContain(choice);
			for (const [name, allowed] of Object.entries(others))
				expect(choices.get(name)).toEqual(expect.arrayContaining([...allowed]));
		}
});

it('holds every pair of choices that go together in a story', () => {
	const told = new Set(
		Array.from({ length: PAIR_STORIES }, (_, index) => pairsOf(storyOf(index + 1).chosen)).flat(),
	);
	const impossible = new Set(IMPOSSIBLE_PAIRS);
	const missing = [...allPairs(OPTIONS, goTogether).keys()].filter(
		(pair) => !told.has(pair) && !impossible.has(pair),
	);
	expect(missing).toEqual([]);
	expect(PAIR_STORIES).toBeGreaterThan(20);
});

it('covers the pairs of any factors, and chooses only what goes together', () => {
	const factors = [
		{ name: 'a', choices: ['1', '2', '3'] },
		{ name: 'b', choices: ['1', '2'] },
		{ name: 'c', choices: ['1', '2'] },
	];
	const apart = (one: [string, string], other: [string, string]): boolean =>
		![one, other].every(([name, choice]) => name !== 'c' && choice === '2');
	const { rows, impossible } = coveringArray(factors, apart, new Chance(3));
	const held = new Set(rows.flatMap(pairsOf));
	expect([...allPairs(factors, apart).keys()].filter((pair) => !held.has(pair))).toEqual([]);
	expect(impossible).toEqual([]);
	expect(rows.length).toBeLessThanOrEqual(8);
	for (let seed = 0; seed < 50; seed++)
		expect(randomRow(factors, apart, new Chance(seed))).not.toMatchObject({ a: '2', b: '2' });
});

it('tells the same story for the same seed', async () => {
	const { events } = await first();
	const withoutNumbers = (lines: string[]) =>
		lines.map((line) => line.replace(/127\.0\.0\.1:\d+/g, ''));
	expect(withoutNumbers((await tellFirst()).events)).toEqual(withoutNumbers(events));
	expect(events.length).toBeGreaterThan(5);
});

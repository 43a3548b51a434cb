import type { INodeParameters, INodeType } from 'n8n-workflow';

import { NativeBulkImport } from '../../nodes/NativeBulkImport/NativeBulkImport.node';
import {
	type KnownRow,
	RowMemory,
} from '../../nodes/NativeBulkImport/importItems/features/skipUnchanged/rowMemory';
import { repetitions, seed as firstSeed } from '../support/randomCases';
import { seededRandom } from '../support/seededRandom';
import { givenItems, type NodeRun, runNode } from './support/engine';
import { itemImport, itemsOf, property } from './support/itemImports';
import { useProcessedData } from './support/processedData';
import { useSandbox } from './support/sandboxed';

/**
 * Five nights of a list, in which anything can happen, against what the service did: no values are imported
 * twice in a row, and no row is called unchanged or imported that the service does not have so. With
 * `MEMORY_SEED=7` only that sequence.
 */

const SEQUENCES = repetitions(300, 12);
const ONLY = process.env.MEMORY_SEED;
/**
 * In 134, n8n ended between two steps of a changed row, which was then called imported. In 60, a row had its
 * old values again after an import in doubt, and was unknown although nothing of that was stored. In 2095859507,
 * a row was rejected, corrected, and left out of its second result; it was sent a third time, because its first
 * result said that it was rejected.
 */
const FAILED_ONCE = [134, 60, 2_095_859_507];
const NIGHTS = 5;
const ROWS = 5;

const service = useSandbox();
const processed = useProcessedData();
const node = new NativeBulkImport();

// Without an email address, the service stores a person for each row that it imports.
const map = {
	'CreateOrUpdateContact:FirstName': property('First Name'),
	'CreateOrUpdateContact:LastName': property('Last Name'),
	'CreateOrUpdateContact:Email': property('Mail'),
};
const REJECTED = 'no..one@example.org';
const VALUES = ['Alpha', 'Beta, B', 'Gam"ma', 'Delta'];

type Random = ReturnType<typeof seededRandom>;
type Row = { ID: string; 'First Name': string; 'Last Name': string; Mail: unknown };

/** What the service imported of a row, in order. */
const storedOf = (key: string): string[] =>
	service
		.people()
		.filter(({ fields }) => fields.firstName === key)
		.sort((a, b) => a.nativeId - b.nativeId)
		.map(({ fields }) => String(fields.lastName));

/** What goes wrong in a night; undefined if nothing does. */
const TROUBLES = [
	...Array.from({ length: 6 }, () => 'none'),
	'lostResponse',
	'refusedJob',
	'refusedUpload',
	'failedJob',
	'omittedRow',
	'lostResults',
	'unwritableRow',
	'end',
	'end',
	'endAndLostResponse',
] as const;

function addTrouble(trouble: (typeof TROUBLES)[number], random: Random): Array<() => void> {
	const jobs = 'POST /bulkImportJobs';
	const end = () => {
		processed().endsAfter = processed().writes + 2 + random.below(10);
	};
	if (trouble === 'end' || trouble === 'endAndLostResponse') end();
	switch (trouble) {
		case 'lostResponse':
		case 'endAndLostResponse':
			return [service.addFault({ kind: 'resetAfter' }, jobs)];
		case 'refusedJob':
			return [service.addFault({ kind: 'status', status: 403 }, jobs)];
		case 'refusedUpload':
			return [service.addFault({ kind: 'status', status: 403 }, 'PUT /drop', { count: 10 })];
		case 'failedJob':
			return [service.addJobFault({ kind: 'fail', text: 'No.' })];
		case 'omittedRow':
			return [service.addJobFault({ kind: 'results', omitRows: [1] })];
		case 'lostResults':
			return [service.addFault({ kind: 'status', status: 404 }, 'GET /results', { count: 50 })];
		default:
			return [];
	}
}

async function night(list: Row[], options: INodeParameters): Promise<NodeRun> {
	const settings = {
		pollInterval: 0.02,
		maxWait: 0.05,
		skipUnchangedBy: 'ID',
		allowUnfindable: true,
		...options,
	};
	const parameters = itemImport(service, map, { options: settings });
	return await service.run(node, parameters, {
		items: itemsOf(list),
		onError: 'continueRegularOutput',
	});
}

function check(list: Row[], { outputs }: NodeRun): string[] {
	return (outputs[0] ?? []).flatMap(({ json }, index) => {
		const row = list[index];
		const { status } = json;
		if (!row || (status !== 'unchanged' && status !== 'imported')) return [];
		const last = storedOf(row.ID).at(-1);
		return last === row['Last Name'] ? [] : [`${row.ID} is ${status}, and the service has ${last}`];
	});
}

const applied = (rows: Row[]): string[] =>
	rows.flatMap(({ ID }) => {
		const all = storedOf(ID);
		const again = all.some((value, index) => value === all[index - 1]);
		return again ? [`${ID} was imported twice: ${all.join(', ')}`] : [];
	});

async function runSequence(seed: number): Promise<{ problems: string[]; statuses: unknown[] }> {
	const random = seededRandom(seed);
	let isReadable = random.below(4) > 0;
	service.change({ styles: { jobDescriptions: isReadable } });
	const rows: Row[] = Array.from({ length: ROWS }, (_, index) => ({
		ID: `S${seed}K${index}`,
		'First Name': `S${seed}K${index}`,
		'Last Name': VALUES[0] ?? '',
		Mail: '',
	}));
	const story: string[] = [];
	const statuses: unknown[] = [];
	for (let number = 0; number < NIGHTS; number++) {
		for (const row of rows) {
			if (random.below(3) > 0) continue;
			row['Last Name'] = VALUES[random.below(VALUES.length)] ?? '';
			row.Mail = random.below(4) === 0 ? REJECTED : '';
		}
		const list = random.below(4) === 0 ? rows.slice(0, 2) : rows;
		const given = list.map((row) => ({ ...row }));
		const options: INodeParameters = {
			...(random.below(4) === 0 && { tryFirst: 1, stopAbove: 99 }),
		};
		const trouble = TROUBLES[random.below(TROUBLES.length)] ?? 'none';
		// Even on a slow machine, a row is unknown only if its outcome cannot be read.
		if (trouble === 'none') options.maxWait = 1;
		const isDry = random.below(5) === 0;
		const first = given[0];
		if (trouble === 'unwritableRow' && first) first.Mail = { a: 1 };
		const undo = addTrouble(trouble, random);
		const run = await night(given, { ...options, dryRun: isDry });
		for (const each of undo) each();
		processed().endsAfter = Number.POSITIVE_INFINITY;
		await service.settle();
		const found = isDry ? [] : (run.outputs[0] ?? []).map(({ json }) => json.status);
		statuses.push(...found);
		story.push(
			`${isDry ? 'dry, ' : ''}${trouble}: ${given.map((row) => `${row['Last Name']}${row.Mail === '' ? '' : '!'}`).join(' ')} → ${found.join(' ')} ${run.error?.message ?? ''}`,
		);
		if (trouble === 'omittedRow') isReadable = false;
		// The service says how every row ended.
		const isAsked = isReadable && trouble === 'none' && found.includes('unknown');
		const problems = [
			...(isDry ? [] : check(given, run)),
			...applied(rows),
			...(isAsked ? ['a row is unknown that the service could be asked for'] : []),
		];
		if (problems.length > 0) return { problems: [`seed ${seed}`, ...story, ...problems], statuses };
	}
	return { problems: [], statuses };
}

it(
	'imports nothing twice and calls nothing unchanged that is not stored',
	async () => {
		const seeds = ONLY
			? [Number(ONLY)]
			: [
					...new Set([
						...FAILED_ONCE,
						...Array.from({ length: SEQUENCES }, (_, index) => firstSeed + index),
					]),
				];
		const statuses: unknown[] = [];
		for (const seed of seeds) {
			processed().clear();
			service.sandbox.control.reset();
			const sequence = await runSequence(seed);
			expect(sequence.problems).toEqual([]);
			statuses.push(...sequence.statuses);
		}
		if (ONLY) return;
		// A node that sends nothing, or forgets everything, is right as well.
		const share = (status: string): number =>
			statuses.filter((each) => each === status).length / statuses.length;
		expect(share('imported')).toBeGreaterThan(0.15);
		expect(share('unchanged')).toBeGreaterThan(0.15);
	},
	SEQUENCES * 20_000,
);

it('forgets nothing of other rows where refused rows are taken back twice', async () => {
	const rowsOf = (...keys: string[]) =>
		keys.map((key): KnownRow => ({ key, value: `value of ${key}`, is: 'open', attempt: 0 }));
	const refused = rowsOf('A', 'B');
	const sent = rowsOf('C');
	const states: unknown[] = [];
	const remembering: INodeType = {
		description: { ...givenItems([]).description, name: 'remembering' },
		async execute() {
			const memory = new RowMemory(this, 'Rows');
			await memory.begin('first', refused);
			await memory.takeBack(refused);
			await memory.begin('second', sent);
			// n8n can run the end of an import twice.
			await memory.takeBack(refused);
			const read = await memory.read([...refused, ...sent]);
			states.push(...(Array.isArray(read) ? read.map(({ is }) => is) : [read]));
			return [[]];
		},
	};
	expect((await runNode({ node: remembering })).error).toBeUndefined();
	expect(states).toEqual(['open', 'open', 'inDoubt']);
});

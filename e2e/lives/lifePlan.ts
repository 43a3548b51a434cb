import type { IDataObject, INodeExecutionData, INodeParameters, OnError } from 'n8n-workflow';

import { shownImport } from '../../hosts/importScreen';
import { fromList, mapFields } from '../../hosts/locators';
import { storeBinary } from '../../test/engine/support/engine';
import { personMap } from '../../test/engine/support/itemImports';
import type { VirtualWorkflow } from './virtualN8n';
import type { VirtualWorld } from './virtualWorld';

const MINUTE = 60_000;

/** A row of the user, and what the service makes of it if nothing goes wrong. */
export interface PlannedRow {
	name: string;
	expected: 'imported' | 'failed' | 'invalid';
	json: IDataObject;
}

/** What a seed decides about an import. */
export interface LifePlan {
	source: 'items' | 'binary';
	way: 'memory' | 'database' | 'none';
	/** Empty for none. */
	runKey: string;
	onError: OnError;
	maxTries?: number;
	rows: PlannedRow[];
	maxRowsPerFile: number;
	maxWaitMinutes: number;
	outputRows: 'all' | 'failed';
	wakeByService: boolean;
	/** Nothing fails, and every job goes as it should. */
	isCalm: boolean;
	/** What somebody does who is asked first; undefined if nobody is asked. */
	answer: 'import' | 'cancel' | 'none' | undefined;
}

const ANSWERS = ['import', 'cancel', 'import', 'none'] as const;

/** Without a random number: the lives that ask nobody stay what they were. */
function answerOf({ way, rows, maxRowsPerFile }: Omit<LifePlan, 'answer'>): LifePlan['answer'] {
	return way === 'database' && rows.length % 3 === 0 ? ANSWERS[maxRowsPerFile % 4] : undefined;
}

function planRow(world: VirtualWorld, index: number, mayBeInvalid: boolean): PlannedRow {
	const name = `Person${index}`;
	const row = { 'First Name': name, 'Last Name': 'Example' };
	if (mayBeInvalid && world.chance(0.15))
		return { name, expected: 'invalid', json: { ...row, Mail: { a: 1 } } };
	const isAccepted = world.chance(0.8);
	const Mail = isAccepted ? `person${index}@example.org` : `no..${index}@example.org`;
	return { name, expected: isAccepted ? 'imported' : 'failed', json: { ...row, Mail } };
}

export function planLife(world: VirtualWorld): LifePlan {
	const source = world.pick<LifePlan['source']>(['items', 'items', 'binary']);
	const mayBeInvalid = source === 'items' && world.chance(0.4);
	const plan: Omit<LifePlan, 'answer'> = {
		source,
		way: world.pick(['database', 'database', 'memory', 'none']),
		runKey: world.chance(0.5) ? 'spring list' : '',
		onError: world.pick(['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput']),
		...(world.chance(0.4) && { maxTries: world.whole(2, 3) }),
		rows: Array.from({ length: world.whole(1, 9) }, (_, index) =>
			planRow(world, index, mayBeInvalid),
		),
		maxRowsPerFile: world.whole(2, 5),
		maxWaitMinutes: world.pick([10, 30, 120]),
		outputRows: world.pick(['all', 'failed']),
		wakeByService: world.chance(0.5),
		isCalm: world.chance(0.2),
	};
	return { ...plan, answer: answerOf(plan) };
}

export function longestJobMs(plan: LifePlan): number {
	// Waits in memory are simulated in quarters of a second.
	return plan.way === 'memory' ? 3 * MINUTE : 90 * MINUTE;
}

export async function givenItems({ source, rows }: LifePlan): Promise<INodeExecutionData[]> {
	if (source === 'items') return rows.map(({ json }) => ({ json }));
	const lines = rows.map(({ json }) => Object.values(json).join(','));
	const text = ['First Name,Last Name,Mail', ...lines].join('\n');
	const file = { fileName: 'people.csv', mimeType: 'text/csv' };
	return [{ json: {}, binary: { data: await storeBinary(Buffer.from(text), file) } }];
}

export function importWorkflow(plan: LifePlan, items: INodeExecutionData[]): VirtualWorkflow {
	const { source, way, runKey, onError, maxTries, answer } = plan;
	const parameters = shownImport({
		resource: 'job',
		operation: 'createFromItems',
		source,
		resourceType: fromList('Contacts'),
		mappingTypes: ['CreateOrUpdateContact'],
		fieldMap: mapFields(personMap),
		description: 'Spring list',
		hosting: 'put',
		uploadUrl: 'https://storage.example.org/{file}?signature=1',
		options: {
			waitForOutcome: way,
			pollInterval: 15,
			maxWait: plan.maxWaitMinutes,
			maxRowsPerFile: plan.maxRowsPerFile,
			outputRows: plan.outputRows,
			...(runKey !== '' && { runKey }),
			...(way === 'database' && { wakeByService: plan.wakeByService }),
			...(answer !== undefined && { askFirst: true, maxWaitToAsk: 90 }),
		},
	});
	const asked = answer === 'import' || answer === 'cancel' ? { answer } : {};
	return { parameters, items, onError, ...(maxTries !== undefined && { maxTries }), ...asked };
}

export function outcomesWorkflow(
	{ source, onError, outputRows }: LifePlan,
	items: INodeExecutionData[],
	startedJobs: unknown[],
): VirtualWorkflow {
	const parameters = {
		resource: 'job',
		operation: 'getItemOutcomes',
		startedJobs: startedJobs.every((job) => typeof job === 'string')
			? startedJobs.join(', ')
			: `={{ ${JSON.stringify(startedJobs).replaceAll('}}', '} }').replaceAll('}}', '} }')} }}`,
		source,
		options: { outputRows },
	} as unknown as INodeParameters;
	return { parameters, items, onError };
}

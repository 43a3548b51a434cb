import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import type { NodeContext, ServiceContext } from '../../../shared/execution/operation';
import type { Target } from '../../../shared/service/connection';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { targetText } from '../../../shared/service/target';
import { fileSettings } from '../../file/fileFields';
import { DUPLICATE_CHOICES } from '../rows/duplicateRows';
import { textChecksum } from '../rows/rowChecksums';
import type { ImportPlan } from './importPlan';
import { WrittenRows } from './runKey';

const LABEL = 'Approved Plan';

export const approvedPlanOption: INodeProperties = {
	displayName: LABEL,
	name: 'approvedPlan',
	type: 'string',
	default: '',
	placeholder: 'e.g. 300-1a2b3c4d-5e6f7a8b-9c0d1e2f',
	description:
		'The plan code of a dry run, or all its items. Nothing is sent if the rows, the fields, their settings or the database differ from what that dry run showed. An AI agent cannot fill it in.',
};

const itemSchema = z.object({ json: z.record(z.unknown()) });

/** The items of the dry run, if they were given in place of the code. */
export function plannedItems({ parameters }: NodeContext): Array<Record<string, unknown>> {
	const given = parameters.in('options').value('approvedPlan');
	const items = z.array(itemSchema).safeParse(given);
	return items.success ? items.data.map(({ json }) => json) : [];
}

/** What a plan code covers, in parts that tell what differs. */
interface Plan {
	rowCount: number;
	rows: string;
	mapping: string;
	database: string;
}

const CODE = /^(\d{1,9})-([0-9a-f]{8})-([0-9a-f]{8})-([0-9a-f]{8})$/;

function parsePlan(code: string): Plan | undefined {
	const [, rowCount, rows, mapping, database] = CODE.exec(code.trim().toLowerCase()) ?? [];
	if (!rowCount || !rows || !mapping || !database) return undefined;
	return { rowCount: Number(rowCount), rows, mapping, database };
}

export function planCode({ rowCount, rows, mapping, database }: Plan): string {
	return [rowCount, rows, mapping, database].join('-');
}

function databaseMark({ place, keyEnd }: Target): string {
	return textChecksum(`${place} ${keyEnd}`);
}

function reject(text: string): InvalidInput {
	return new InvalidInput([{ field: LABEL, text }]);
}

function differs(parts: string[]): InvalidInput {
	return reject(
		`is not the plan of this import. Different: ${parts.join('; ')}. Nothing was sent. Make a new dry run and have its plan approved.`,
	);
}

function databasePart(target: Target): string {
	return `the database (now ${targetText(target)})`;
}

/**
 * The plan that a person has approved; undefined if none is needed. Throws InvalidInput if it is none, or
 * of another database, which needs no request to see.
 */
export function readApprovedPlan(context: ServiceContext): Plan | undefined {
	const { parameters, service } = context;
	const entered = String(parameters.unevaluated('options.approvedPlan') ?? '');
	if (entered === '') return undefined;
	if (/\$fromAI\b/i.test(entered))
		throw reject('cannot be filled in by an AI agent. Enter the plan that a person has approved.');
	const ofItems = plannedItems(context).find(({ plan }) => typeof plan === 'string')?.plan;
	const code = String(ofItems ?? parameters.in('options').value('approvedPlan') ?? '');
	const plan = parsePlan(code);
	if (!plan) {
		const what = code === '' ? 'is an expression without a value' : 'is not a plan code';
		throw reject(`${what}. Give the "plan" of a dry run. Nothing was sent.`);
	}
	if (plan.database !== databaseMark(service.target)) throw differs([databasePart(service.target)]);
	return plan;
}

/** Reads all rows once for the plan of this import. */
export async function makePlan(
	{ parameters }: NodeContext,
	target: Target,
	{ rows, resourceType, mapping }: Pick<ImportPlan, 'rows' | 'resourceType' | 'mapping'>,
): Promise<Plan> {
	const written = new WrittenRows(resourceType, mapping, fileSettings(parameters).format);
	for await (const batch of rows.read(mapping.columns)) for (const row of batch) written.add(row);
	const options = parameters.in('options');
	const settings = JSON.stringify([
		written.mapping,
		mapping.columns.map(({ label, expression = '' }) => `${label}=${expression}`).sort(),
		options.flag('cleanValues', true),
		options.choice('duplicates', DUPLICATE_CHOICES),
		parameters.unevaluated('options.skipUnchangedBy') ?? null,
	]);
	return {
		rowCount: written.count,
		rows: written.values(),
		mapping: textChecksum(settings),
		database: databaseMark(target),
	};
}

/** Throws InvalidInput naming what differs from the approved plan. */
export function checkApproved(approved: Plan, plan: Plan): void {
	const counts = `the plan had ${approved.rowCount}, now there are ${plan.rowCount}`;
	const parts = [
		...(approved.rowCount === plan.rowCount ? [] : [`the number of rows (${counts})`]),
		...(approved.mapping === plan.mapping
			? []
			: [
					'the fields, or what is done with the rows (Clean Values, Duplicates in the List, Skip Unchanged Rows By)',
				]),
	];
	// Other fields write other values.
	if (parts.length === 0 && approved.rows !== plan.rows) parts.push('the values of the rows');
	if (parts.length > 0) throw differs(parts);
}

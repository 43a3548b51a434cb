import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import type { NodeContext, ServiceContext } from '../../../shared/execution/operation';
import type { Target } from '../../../shared/service/connection';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { textChecksum } from '../rows/importRows';
import { DUPLICATE_CHOICES } from '../rows/leftOutRows';
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

const itemsSchema = z.array(z.object({ json: z.record(z.unknown()) }));

/** The items of the dry run, if they were given in place of the code. */
export function plannedItems({ parameters }: NodeContext): Array<Record<string, unknown>> {
	const given = parameters.in('options').value('approvedPlan');
	const items = itemsSchema.safeParse(given).data ?? [];
	return items.map(({ json }) => json);
}

/** Number of rows, their values, what is done with them, and the database. */
const CODE = /^\d{1,9}(-[0-9a-f]{8}){3}$/;

function databaseMark(target: Target): string {
	return textChecksum(target.identity);
}

function reject(text: string): InvalidInput {
	return new InvalidInput([{ field: LABEL, text }]);
}

function differs(parts: string[]): InvalidInput {
	return reject(
		`is not the plan of this import. Different: ${parts.join('; ')}. Nothing was sent. Make a new dry run and have its plan approved.`,
	);
}

/**
 * The code of the plan that a person has approved; undefined if none is needed. Throws InvalidInput if it
 * is none, or of another database, which needs no request to see.
 */
export function readApprovedPlan(context: ServiceContext): string | undefined {
	const { parameters, service } = context;
	const entered = String(parameters.unevaluated('options.approvedPlan') ?? '');
	if (entered === '') return undefined;
	if (/\$fromAI\b/i.test(entered))
		throw reject('cannot be filled in by an AI agent. Enter the plan that a person has approved.');
	const ofItems = plannedItems(context).find(({ plan }) => typeof plan === 'string')?.plan;
	const given = String(ofItems ?? parameters.in('options').value('approvedPlan') ?? '');
	const code = given.trim().toLowerCase();
	if (!CODE.test(code)) {
		const what = given === '' ? 'is an expression without a value' : 'is not a plan code';
		throw reject(`${what}. Give the "plan" of a dry run. Nothing was sent.`);
	}
	if (!code.endsWith(databaseMark(service.target)))
		throw differs([`the database (now ${service.target.text})`]);
	return code;
}

/** What is done with the rows, whatever they hold. */
export function importSettings({ parameters, mapping }: ImportPlan, written: WrittenRows): string {
	const options = parameters.in('options');
	return JSON.stringify([
		written.mapping,
		mapping.columns.map(({ label, expression = '' }) => `${label}=${expression}`).sort(),
		options.flag('cleanValues', true),
		options.choice('duplicates', DUPLICATE_CHOICES),
		parameters.unevaluated('options.skipUnchangedBy') ?? null,
	]);
}

/** Reads all rows once for the plan code of this import. */
export async function planCode(plan: ImportPlan): Promise<string> {
	const { service, rows, mapping } = plan;
	const written = new WrittenRows(plan);
	for await (const batch of rows.read(mapping.columns)) for (const row of batch) written.add(row);
	const settings = importSettings(plan, written);
	const values = written.of(0, written.count);
	const marks = [values, textChecksum(settings), databaseMark(service.target)];
	return [written.count, ...marks].join('-');
}

/** Throws InvalidInput naming what differs from the approved plan. */
export function checkApproved(approved: string, planned: string): void {
	const [rowCount, rows, mapping] = approved.split('-');
	const [nowCount, nowRows, nowMapping] = planned.split('-');
	const parts: string[] = [];
	if (rowCount !== nowCount)
		parts.push(`the number of rows (the plan had ${rowCount}, now there are ${nowCount})`);
	if (mapping !== nowMapping)
		parts.push(
			'the fields, or what is done with the rows (Clean Values, Duplicates in the List, Skip Unchanged Rows By)',
		);
	// Other fields write other values.
	if (parts.length === 0 && rows !== nowRows) parts.push('the values of the rows');
	if (parts.length > 0) throw differs(parts);
}

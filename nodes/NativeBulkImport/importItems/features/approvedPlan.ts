import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { type NodeContext, type ServiceContext } from '../../../shared/execution/operation';
import { showHint } from '../../../shared/execution/showHint';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import type { ItemParameters } from '../../../shared/parameters/itemParameters';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { textChecksum } from '../../rows/importRows';
import type { ImportFeature, OutcomeView } from '../feature';
import type { ImportPlan, RowResult } from '../model';
import { RowIdentity } from '../start/rowIdentity';
import { isOnlyShown } from '../whatShouldHappen';

const LABEL = 'Approved Plan';

const option: INodeProperties = {
	displayName: LABEL,
	name: 'approvedPlan',
	type: 'string',
	default: '',
	placeholder: 'e.g. 300-1a2b3c4d-5e6f7a8b-9c0d1e2f',
	description:
		'The plan code of a dry run, or all its items. Nothing is sent if the rows, the fields, their settings or the database differ from what that dry run showed. An AI agent cannot fill it in.',
};

const itemsSchema = z.array(z.object({ json: z.record(z.unknown()) })).catch([]);

/** The items of the dry run, if they were given in place of the code. */
function plannedItems({ parameters }: NodeContext): Array<Record<string, unknown>> {
	const items = itemsSchema.parse(parameters.in('options').value('approvedPlan'));
	return items.map(({ json }) => json);
}

/** Number of rows, their values, what is done with them, and the database. */
const CODE = /^\d{1,9}(-[0-9a-f]{8}){3}$/;

function rejectPlan(text: string): InvalidInput {
	return new InvalidInput([{ field: LABEL, text }]);
}

function differs(parts: string[]): InvalidInput {
	return rejectPlan(
		`is not the plan of this import. Different: ${parts.join('; ')}. Nothing was sent. Make a new dry run and have its plan approved.`,
	);
}

/** As entered: an expression can give the items of a dry run. */
function enteredPlan(parameters: ItemParameters): string {
	return String(parameters.unevaluated('options.approvedPlan') ?? '');
}

/**
 * The code of the plan that a person has approved; undefined if none is needed. Throws InvalidInput if it
 * is none, or of another database, which needs no request to see.
 */
function readApprovedPlan(context: ServiceContext): string | undefined {
	const { parameters, service } = context;
	const entered = enteredPlan(parameters);
	if (entered === '') return undefined;
	if (/\$fromAI\b/i.test(entered))
		throw rejectPlan(
			'cannot be filled in by an AI agent. Enter the plan that a person has approved.',
		);
	const ofItems = plannedItems(context).find(({ plan }) => typeof plan === 'string')?.plan;
	const given = String(ofItems ?? parameters.in('options').value('approvedPlan') ?? '');
	const code = given.trim().toLowerCase();
	if (!CODE.test(code)) {
		const what = given === '' ? 'is an expression without a value' : 'is not a plan code';
		throw rejectPlan(`${what}. Give the "plan" of a dry run. Nothing was sent.`);
	}
	if (!code.endsWith(textChecksum(service.target.identity)))
		throw differs([`the database (now ${service.target.text})`]);
	return code;
}

/** What is done with the rows, whatever they hold. */
function importSettings(
	{ parameters, mapping }: ImportPlan,
	identity: RowIdentity,
	features: readonly ImportFeature[],
): string {
	return JSON.stringify([
		identity.mapping,
		mapping.columns.map(({ source, expression = '' }) => `${source}=${expression}`).sort(),
		...features.flatMap(({ setting }) => (setting ? [setting.of(parameters)] : [])),
	]);
}

function planCode(
	plan: ImportPlan,
	identity: RowIdentity,
	features: readonly ImportFeature[],
): string {
	const values = identity.of(0, identity.count);
	const settings = textChecksum(importSettings(plan, identity, features));
	const target = textChecksum(plan.service.target.identity);
	return [identity.count, values, settings, target].join('-');
}

/** Throws InvalidInput naming what differs from the approved plan. */
function checkApproved(approved: string, planned: string, settings: readonly string[]): void {
	const [rowCount, rows, mapping] = approved.split('-');
	const [nowCount, nowRows, nowMapping] = planned.split('-');
	const parts: string[] = [];
	if (rowCount !== nowCount)
		parts.push(`the number of rows (the plan had ${rowCount}, now there are ${nowCount})`);
	if (mapping !== nowMapping)
		parts.push(`the fields, or what is done with the rows (${settings.join(', ')})`);
	// Other fields write other values.
	if (parts.length === 0 && rows !== nowRows) parts.push('the values of the rows');
	if (parts.length > 0) throw differs(parts);
}

/** An item of a dry run that looked up matches. */
const plannedSchema = z
	.object({
		item: z.number().optional(),
		row: z.number().optional(),
		match: z.enum(['new', 'update', 'notEnough', 'rejected']),
		personId: z.number().nullable(),
	})
	.refine(({ match, personId }) => personId === null || match === 'update')
	.transform(({ item, row, ...planned }) => ({ number: row ?? item ?? 0, ...planned }))
	.refine(({ number }) => number > 0);

type PlannedRow = z.output<typeof plannedSchema>;

/** Rows that a text names; it only counts the others. */
const NAMED_ROWS = 20;

function resultText({ status, primaryKey, reason = '' }: RowResult): string {
	if (status === 'imported') return `imported as ${primaryKey ?? 'a record without ID'}`;
	return `${status}${reason && `: ${reason.replace(/\.$/, '')}`}`;
}

function planText({ match, personId }: PlannedRow): string {
	if (match === 'update') return personId === null ? 'an update' : `an update of ${personId}`;
	return match === 'rejected' ? 'rejected' : 'new';
}

/** What an approved plan said about the rows, by number; empty without a plan or looked up rows. */
function readPlannedRows(context: ServiceContext): ReadonlyMap<number, PlannedRow> {
	const rows = plannedItems(context).flatMap((json) => plannedSchema.safeParse(json).data ?? []);
	return new Map(rows.map((row) => [row.number, row]));
}

/** `As planned: 294 of 297 rows that were looked up. Different: 3. Line 17: …`. */
async function comparePlan(
	rows: ReadonlyMap<number, PlannedRow>,
	outcome: OutcomeView,
	slice: TimeSlice,
): Promise<string> {
	const known = new Set([...rows.values()].map(({ personId }) => String(personId)));
	const texts: string[] = [];
	let different = 0;
	for (let position = 0; position < outcome.started.totalRows; position++) {
		if (slice.isOver) await slice.yield();
		const planned = rows.get(position + 1);
		const result = outcome.resultAt(position);
		if (!result) continue;
		const isOk = !planned || isAsPlanned(planned, result, known);
		// A later row with the key of a new one is an update.
		if (result.status === 'imported') known.add(String(result.primaryKey));
		if (isOk) continue;
		different++;
		const name = outcome.nameOf(position);
		if (texts.length < NAMED_ROWS)
			texts.push(`${name} (planned: ${planText(planned)}; ${resultText(result)})`);
	}
	const start = `As planned: ${rows.size - different} of ${rows.size} ${rows.size === 1 ? 'row that was' : 'rows that were'} looked up`;
	if (different === 0) return `${start}.`;
	const more = different - texts.length;
	return `${start}. Different: ${different}: ${texts.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
}

/** @param known records that were there before the row was imported */
function isAsPlanned(
	{ match, personId }: PlannedRow,
	{ status, primaryKey }: RowResult,
	known: ReadonlySet<string>,
): boolean {
	if (match === 'rejected') return status === 'failed' || status === 'missing';
	if (status !== 'imported') return false;
	// Some deployments do not name the record.
	if (primaryKey === null) return true;
	if (match !== 'update') return !known.has(String(primaryKey));
	return personId === null
		? known.has(String(primaryKey))
		: String(primaryKey) === String(personId);
}

export const approvedPlan: ImportFeature = {
	options: { group: 'safety', place: 70, fields: [option] },
	refusesOtherValues: (parameters) =>
		enteredPlan(parameters) === ''
			? undefined
			: `an ${LABEL}: corrected rows are not those of the plan.`,
	of(context) {
		const { functions, service, features, sends, wait } = context;
		if (!wait) return undefined;
		const approved = sends ? readApprovedPlan(context) : undefined;
		const labels = features.flatMap(({ setting }) => setting?.label ?? []).sort();
		const planned = readPlannedRows(context);
		const isNeeded = sends && (approved !== undefined || isOnlyShown(context));
		if (!isNeeded && planned.size === 0) return undefined;
		let code = '';
		return {
			needsImported: planned.size > 0,
			visit(plan) {
				const identity = new RowIdentity(plan);
				return {
					visit: (row) => identity.add(row),
					end() {
						code = planCode(plan, identity, features);
						if (approved !== undefined) checkApproved(approved, code, labels);
					},
				};
			},
			shown: () => ({ summary: { plan: code } }),
			async notes(outcome) {
				if (planned.size === 0) return [];
				const message = await comparePlan(planned, outcome, new TimeSlice(service.signal));
				showHint(functions, message);
				return [message];
			},
		};
	},
};

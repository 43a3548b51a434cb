import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { LifePlan } from './lifePlan';
import type { VirtualExecution } from './virtualN8n';

export interface ReportedRow {
	status: string;
	jobId: number | null;
	reason: string;
}

/** What a user learns from an execution that ended. */
export interface Report {
	/** By position. */
	rows: Map<number, ReportedRow>;
	/** Errors that concern more than a row. */
	errors: string[];
	/** Items of the started jobs. */
	started: IDataObject[];
	/** What is wrong with the output itself. */
	problems: string[];
}

const asObject = (value: unknown): IDataObject =>
	typeof value === 'object' && value !== null ? (value as IDataObject) : {};

/** The outcome of a row in an item, in either of its places. */
function resultIn({ json }: INodeExecutionData): IDataObject | undefined {
	const result = json.importResult ?? asObject(json.error).importResult;
	return result === undefined ? undefined : asObject(result);
}

function positionOf(plan: LifePlan, item: INodeExecutionData, result: IDataObject): number {
	if (plan.source === 'binary') return Number(result.row) - 1;
	return typeof item.pairedItem === 'object' && 'item' in item.pairedItem
		? item.pairedItem.item
		: -1;
}

/** Adds the rows that the summary of a file counts but does not list. */
function addSummary(report: Report, plan: LifePlan, summary: IDataObject): void {
	const counted = Number(summary.imported);
	const listed = [...report.rows.values()].filter(({ status }) => status === 'imported').length;
	for (const status of ['failed', 'missing', 'invalid', 'notSent', 'unknown']) {
		const count = [...report.rows.values()].filter((row) => row.status === status).length;
		if (count !== summary[status])
			report.problems.push(`the summary has ${String(summary[status])} ${status}, not ${count}`);
	}
	if (plan.outputRows === 'all' && counted !== listed)
		report.problems.push(`the summary has ${counted} imported, not ${listed}`);
	if (plan.outputRows === 'all') return;
	let added = 0;
	for (const position of plan.rows.keys()) {
		if (report.rows.has(position)) continue;
		report.rows.set(position, { status: 'imported', jobId: null, reason: '' });
		added++;
	}
	if (added !== counted)
		report.problems.push(`the summary has ${counted} imported, but ${added} rows are not listed`);
}

export function readReport(
	plan: LifePlan,
	{ outputs, error }: Extract<VirtualExecution, { end: 'finished' }>,
): Report {
	const report: Report = { rows: new Map(), errors: [], started: [], problems: [] };
	if (error !== undefined) report.errors.push(error);
	let summary: IDataObject | undefined;
	const isErrorOutput = plan.onError === 'continueErrorOutput';
	for (const [index, output] of outputs.entries()) {
		for (const item of output) {
			const result = resultIn(item);
			const { json } = item;
			if (json.importSummary !== undefined) summary = asObject(json.importSummary);
			else if (json.fileNumber !== undefined) report.started.push(json);
			else if (result) {
				const position = positionOf(plan, item, result);
				const row = plan.rows[position];
				const name = json['First Name'] ?? asObject(asObject(json.error).values)['First Name'];
				if (!row || row.name !== name)
					report.problems.push(`row ${position} comes out as ${String(name)}`);
				if (report.rows.has(position)) report.problems.push(`row ${position} comes out twice`);
				const status = String(result.status);
				if (isErrorOutput && (status !== 'imported') !== (index === 1))
					report.problems.push(`row ${position} with ${status} is in output ${index}`);
				const jobId = typeof result.jobId === 'number' ? result.jobId : null;
				report.rows.set(position, { status, jobId, reason: String(result.reason ?? '') });
			} else if (json.error !== undefined) {
				const { message, description } = asObject(json.error);
				report.errors.push(`${String(message ?? json.error)} ${String(description ?? '')}`);
			} else report.problems.push(`an item is neither row nor error: ${JSON.stringify(json)}`);
		}
	}
	if (summary) addSummary(report, plan, summary);
	return report;
}

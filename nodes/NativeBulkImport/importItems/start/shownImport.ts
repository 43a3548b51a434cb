import type { IDataObject } from 'n8n-workflow';

import { asItems, type ItemOutput } from '../../../shared/execution/operation';
import { visibleName } from '../../../shared/importFile/fileColumns';
import { endpoints, prepareCall } from '../../../shared/service/endpoints';
import { type Problem, problemSentence } from '../../../shared/service/invalidInput';
import { describeTarget } from '../../../shared/service/target';
import { checkHosting } from '../../file/hosting';
import { namedProperties } from '../../rows/columnExpressions';
import { rowName } from '../../rows/importRows';
import type { FeatureHooks } from '../feature';
import type { ShownField } from '../mapping/columnCounts';
import type { Preview, ShownKind } from '../model';
import { jobOf } from './importPlan';
import type { ItemImport } from './itemImport';
import { partsOf } from './startedImport';

/** Does everything but send: also builds the files and checks the hosting. */
export async function previewImport(
	run: ItemImport,
	hooks: readonly FeatureHooks[],
): Promise<Preview> {
	const { plan } = run;
	const { service, rows, stops } = plan;
	const { columns, fixed } = plan.mapping;
	const parts = await partsOf(run.files());
	stops.add(run.counts.problems());
	await stops.at(async () => await run.findJobsToContinue());
	await stops.at(async () => await checkHosting(plan, parts.length > 1));
	const { started, sentRows, counts } = run;
	const properties = await rows.properties();
	const read = new Set(
		columns.flatMap(({ expression = '' }) => namedProperties(expression)).map(visibleName),
	);
	const summary: IDataObject = {};
	for (const found of started.found)
		Object.assign(summary, found.shown?.(started.totalRows, sentRows, rowName(rows)));
	const items: IDataObject[] = [];
	const kinds: ShownKind[] = [];
	const warnings = run.notes.map(({ text }) => text);
	for (const { shown } of hooks) {
		const given = await stops.at(
			async () => await shown?.({ plan, parts, started, sentRows, readSent: () => run.readSent() }),
		);
		Object.assign(summary, given?.summary);
		items.push(...(given?.items ?? []));
		kinds.push(...(given?.kinds ?? []));
		warnings.push(...(given?.warnings ?? []));
	}
	const doubts = new Map(hooks.flatMap((hook) => [...(hook.doubts?.() ?? [])]));
	const body = await stops.at(() => jobOf(plan));
	const request =
		body && service.describe(prepareCall(endpoints.createBulkImportJob, { path: {}, body }));
	return {
		stops: stops.shown,
		decisions: run.notes.flatMap(({ text, needsDecision }) => (needsDecision ? text : [])),
		fields: [
			...counts.shownFields(doubts, plan.settings.format),
			...fixed.map((target) => ({
				column: null,
				field: target.label,
				firstValues: [target.value],
				blanks: 0,
				problem: null,
			})),
			...plan.leftOut.map(({ column, ...shown }) => ({ column, field: null, ...shown })),
		],
		summary: {
			rows: counts.rows,
			...(stops.shown.length > 0 && { wouldStop: stops.shown.map(problemSentence) }),
			...(run.invalid.size > 0 && { invalidRows: run.invalid.size }),
			...summary,
			files: parts.length,
			target: await describeTarget(service),
			notImported: properties.filter((property) => !read.has(visibleName(property))),
			...(warnings.length > 0 && { warnings }),
		},
		described: plan.described,
		request,
		items,
		kinds,
	};
}

/** What would stop an import, among the fields of a dry run. */
function shownStop(problem: Problem): ShownField {
	return {
		column: null,
		field: problem.field,
		problem: `Would stop the import: ${problemSentence(problem)}`,
		firstValues: [],
	};
}

/** The output of a dry run: what is not about one field is one object, which n8n's Schema view tells apart. */
export async function showImport(
	run: ItemImport,
	hooks: readonly FeatureHooks[],
): Promise<ItemOutput> {
	const { stops, fields, summary, request, items } = await previewImport(run, hooks);
	return asItems(
		[
			...stops.map(shownStop),
			...fields,
			{ totals: summary },
			...(request ? [{ request: { ...request } }] : []),
			...items,
		].map((json) => ({ ...json, dryRun: true })),
	);
}

import type { IDataObject } from 'n8n-workflow';

import { asItems, type ItemOutput } from '../../../shared/execution/operation';
import { visibleName } from '../../../shared/importFile/fileColumns';
import { endpoints, prepareCall } from '../../../shared/service/endpoints';
import { throwIfAny } from '../../../shared/service/invalidInput';
import { describeTarget } from '../../../shared/service/target';
import { checkHosting } from '../../file/hosting';
import { namedProperties } from '../../rows/columnExpressions';
import { rowName } from '../../rows/importRows';
import type { FeatureHooks } from '../feature';
import { jobOf } from './importPlan';
import type { ItemImport } from './itemImport';

/** Does everything but send: also builds the files and checks the hosting. */
export async function showImport(
	run: ItemImport,
	hooks: readonly FeatureHooks[],
): Promise<ItemOutput> {
	const { plan } = run;
	const { service, rows } = plan;
	const { columns, fixed } = plan.mapping;
	let files = 0;
	const built = run.files();
	while (!(await built.next()).done) files++;
	throwIfAny(run.counts.problems());
	await run.findJobsToContinue();
	await checkHosting(plan, files > 1);
	const { started, sentRows, counts } = run;
	const properties = await rows.properties();
	const read = new Set(
		columns.flatMap(({ expression = '' }) => namedProperties(expression)).map(visibleName),
	);
	const summary: IDataObject = {};
	for (const found of started.found)
		Object.assign(summary, found.shown?.(started.totalRows, sentRows, rowName(rows)));
	const items: IDataObject[] = [];
	for (const { shown } of hooks) {
		const parts = await shown?.({ plan, started, sentRows, readSent: () => run.readSent() });
		Object.assign(summary, parts?.summary);
		items.push(...(parts?.items ?? []));
	}
	const doubts = new Map(hooks.flatMap((hook) => [...(hook.doubts?.() ?? [])]));
	const body = jobOf(plan);
	const request = service.describe(prepareCall(endpoints.createBulkImportJob, { path: {}, body }));
	return asItems(
		[
			...counts.shownFields(doubts, plan.settings.format),
			...fixed.map((target) => ({
				column: null,
				field: target.label,
				firstValues: [target.value],
				blanks: 0,
				problem: null,
			})),
			...plan.leftOut.map(({ column, ...shown }) => ({ column, field: null, ...shown })),
			{
				rows: counts.rows,
				...(run.invalid.size > 0 && { invalidRows: run.invalid.size }),
				...summary,
				files,
				target: await describeTarget(service),
				notImported: properties.filter((property) => !read.has(visibleName(property))),
				...(run.warnings.length > 0 && { warnings: run.warnings }),
			},
			{ request: { ...request } },
			...items,
		].map((json) => ({ ...json, dryRun: true })),
	);
}

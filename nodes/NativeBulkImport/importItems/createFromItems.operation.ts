import type { NodeOperation } from '../../shared/execution/operation';
import { screenFields } from '../../shared/service/bodyField';
import { endpoints } from '../../shared/service/endpoints';
import { importJobFields } from '../../shared/service/importJob';
import { hostingFields } from '../file/hosting';
import { WaitChoice } from '../job/jobWait';
import { rowsFromOption } from '../rows/rowSource';
import { withWaits } from '../wait/waitingNode';
import { CONTACT_OPTION } from './feature';
import { features } from './features/features';
import { ImportLife } from './importLife';
import { ImportScreen } from './importScreen';
import { planFields } from './start/importPlan';
import { whatShouldHappenField } from './whatShouldHappen';

const importWait = new WaitChoice(
	{
		displayName: 'Wait for the Outcome',
		name: 'waitForOutcome',
		description:
			'Where to wait for the end of the import, to return one outcome per row. Not at All returns one item per started file; read the outcome later with "Get Item Outcomes".',
	},
	['memory', 'database', 'none'],
	true,
);

const screen = new ImportScreen(features);
screen.add('list', 0, rowsFromOption);
screen.addAsOne('safety', 60, 'contact', CONTACT_OPTION);
screen.add('results', 0, importWait.asOption());
screen.add('results', 10, importWait.pageOption(screen.fields('page')));
screen.add('results', 20, ...screenFields({ listeners: importJobFields.listeners }));

/** What the page of an import that waits can ask. */
export const importQuestions = features.flatMap(({ questionForms = [] }) => questionForms);

export const createFromItemsOperation: NodeOperation = {
	value: 'createFromItems',
	name: 'Import Items',
	action: 'Import rows or a CSV file',
	description:
		'Import all input items or the rows of a file, wait for the end, and return one outcome for each',
	calls: [
		endpoints.getBulkImportMappingType,
		endpoints.listBulkImportMappingTypes,
		endpoints.listBulkImportFieldValues,
		endpoints.listBulkImportJobs,
		endpoints.createBulkImportJob,
		endpoints.getBulkImportJob,
		endpoints.listApiKeyProfiles,
		endpoints.findPerson,
		endpoints.getPerson,
	],
	properties: [
		whatShouldHappenField(features.flatMap(({ way }) => way ?? [])),
		...screen.fields('top'),
		...planFields,
		...hostingFields,
	],
	optionGroups: screen.groups,
	runAll: withWaits(
		{
			read: (context) => {
				const isPageNeeded = features.some(({ needsPage }) => needsPage?.(context.parameters));
				return importWait.read(context, isPageNeeded);
			},
		},
		async (context, wait) => {
			const life = new ImportLife({ ...context, wait, features });
			return await context.history.keepAll(
				async () => await life.live(),
				() => life.mayBeImported,
			);
		},
	),
};

import { z } from 'zod';

import { reportContent } from '../../../../shared/importFile/importReport';
import type { IDataObject } from 'n8n-workflow';
import { newRunId } from '../../../job/descriptionMark';
import { type ChosenWait, newProgress } from '../../../job/jobWait';
import type { ImportRows } from '../../../rows/importRows';
import { DatabaseWait } from '../../../wait/databaseWait';
import type { QuestionForm } from '../../../wait/progressLink';
import type { FeatureContext, OutcomeView } from '../../feature';
import { collectReport } from '../../outcome/outcomeReport';
import { importName, jobIdsOf } from '../../start/startedImport';

const FORM = 'report';
const READ = 'read';

/** The report, until its reader has read it: n8n answers the link itself when the execution has ended. */
const readingSchema = z.object({
	form: z.literal(FORM),
	id: z.string(),
	until: z.number(),
	content: z.array(z.string()),
	reply: z.boolean().optional(),
});

/** Whoever released the import looks at its page, or comes back soon. */
const READING_MS = 15 * 60_000;

/** Throws DatabaseWait to show the report on the page. */
export async function showReport(
	context: FeatureContext,
	wait: ChosenWait,
	outcome: OutcomeView,
	rows: ImportRows,
	notes: readonly string[],
	work: IDataObject,
): Promise<void> {
	const { functions, resumed } = context;
	if (resumed?.didNotSleep) return;
	const [head, tally] = await collectReport(context, outcome, rows, notes);
	const now = Date.now();
	const until = now + READING_MS;
	const content = reportContent(head, tally);
	const question: z.input<typeof readingSchema> = { form: FORM, id: newRunId(), until, content };
	const jobIds = jobIdsOf(outcome.started.parts);
	const name = importName(outcome.started.parts);
	const progress = resumed?.progress ?? newProgress(functions, wait.pageSecret, jobIds, { name });
	const sleep = { since: now, begunAt: now, until, sleepMs: READING_MS };
	throw new DatabaseWait(sleep, work, { ...progress, question });
}

export const reportForm: QuestionForm = {
	name: FORM,
	title: 'Import report',
	stays: true,
	build(question, until) {
		const { id, content } = readingSchema.parse(question);
		return [
			...content,
			`<form method="post"><input type="hidden" name="${READ}" value="${id}"><p class="buttons"><button>Done</button> The link shows this until ${until} or <b>Done</b>; this page stays as it is. Then the workflow continues.</p></form>`,
		];
	},
	read(question, sent) {
		const { id } = readingSchema.parse(question);
		if (sent.get(READ) !== id) return 'This page was out of date.';
		return { reply: true, received: 'Thank you. The workflow continues.' };
	},
};

import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import type { ResumedRun } from '../../wait/databaseWait';

/** What n8n's database keeps of an import that waits. */
const lifeSchema = z.object({
	/**
	 * `ask`: nothing was sent, and people are asked whether to. `firstRows`: the first file was started, and its outcome decides on the others. `allRows`: all files were
	 * started. `offer`: they have ended, and people can do something about their outcome.
	 */
	phase: z.enum(['ask', 'firstRows', 'allRows', 'offer']),
	/** Names the run before it has files. */
	run: z.string().optional(),
	/** As returned by {@link startedItems}. */
	files: z.array(z.record(z.unknown())),
	/** The files of rows that were imported again after an offer. */
	again: z.array(z.record(z.unknown())).optional(),
	/** The offer, where the page shows something else since. */
	offered: z.unknown(),
	/** Whether people could read the outcome, which only has to be returned. */
	isRead: z.boolean().optional(),
	/** What features need to know again. */
	kept: z.record(z.unknown()).default({}),
});

export type StoredLife = z.output<typeof lifeSchema>;

/** The life in the form of a DatabaseWait's work. */
export function lifeWork(life: z.input<typeof lifeSchema>): IDataObject {
	return { ...life } as IDataObject;
}

/** Undefined for an import that has not begun yet. */
export function lifeOf(resumed: ResumedRun | undefined): StoredLife | undefined {
	return resumed && lifeSchema.parse(resumed.work);
}

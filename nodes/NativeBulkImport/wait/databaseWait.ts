import { createHash, randomBytes } from 'crypto';
import {
	type EngineRequest,
	type IDataObject,
	type IExecuteData,
	type IExecuteFunctions,
	type IRunExecutionData,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { z } from 'zod';

import { type Sleep, sleepSchema } from '../../shared/service/importJobWait';
import { recordSchema } from '../../shared/service/requestBody';
import { InvalidInput } from '../../shared/service/invalidInput';
import type { NativeService } from '../../shared/service/nativeService';
import { ServiceError } from '../../shared/service/serviceErrors';
import { executeDataOf } from '../../shared/execution/executeData';
import { customDataOf, recordedJobs } from '../../shared/execution/importJobOutput';
import { isTool } from '../../shared/execution/nodeErrors';
import { firstExecution } from '../../shared/execution/runClaims';
import {
	changedValuesSchema,
	findChangedValues,
	markStoredItems,
	restoreItems,
} from './storedItems';
import { TimeSlice } from '../../shared/execution/timeSlice';

/*
 * A node waits in n8n's database by asking n8n's engine to run the node itself again, in between (an
 * EngineRequest, which n8n's AI Agent uses for its tools). This nested run only puts the execution to wait.
 * After it, the engine runs the node again, with its own items and the state that the request carried.
 */

/** In the nested run's item and in the request's state. */
const FIELD = 'nativeDatabaseWait';

const FORM = { type: 'n8n-nodes-base.form', typeVersion: 1 };

/** States of this process; n8n loads a stored one as another object. */
const unstored = new WeakSet<object>();

/** What a node that waits asks the reader of its page, as whoever asks it has stored it. */
const questionSchema = z
	.object({
		/** The name of the form that asks it. */
		form: z.string(),
		id: z.string(),
		/** Milliseconds since 1970. */
		until: z.number(),
		/** What the reader sent. */
		reply: z.unknown(),
	})
	.passthrough();
export type Question = z.infer<typeof questionSchema>;

/** What the page of a waiting node shows, and who may see it. Stored with the execution. */
const progressSchema = z.object({
	secret: z.string(),
	name: z.string(),
	/** Whether n8n's form brought its user here: the link shows the form's last page later. */
	isFromForm: z.boolean(),
	jobs: z.array(
		z.object({
			jobId: z.number(),
			rows: z.number().optional(),
			status: z.string().optional(),
		}),
	),
	question: questionSchema.optional(),
});
export type Progress = z.infer<typeof progressSchema>;

/**
 * What an operation throws to wait in n8n's database, which stores its work: no rows but those that the
 * reader of its page is asked about, no addresses with a signature, no key.
 */
export class DatabaseWait extends Error {
	constructor(
		readonly sleep: Sleep,
		readonly work: IDataObject,
		/** For the page that its user wants. */
		readonly progress?: Progress,
	) {
		super("The execution waits in n8n's database.");
		this.name = 'DatabaseWait';
	}
}

const nestedSchema = z.object({
	token: z.string(),
	until: z.number(),
	isFromForm: z.boolean().default(false),
});
const stateSchema = z.object({
	/** Names this wait. */
	token: z.string(),
	/** The execution that began the work. */
	begunBy: z.string().optional(),
	/** In the link by which the service wakes the node; without one, no call wakes it. */
	wakeSecret: z.string().optional(),
	sleep: sleepSchema,
	work: recordSchema,
	hasWritten: z.boolean(),
	/** The database of the credential. */
	target: z.string(),
	/** How the user wants to wait: an expression can fail later, or give something else. */
	wait: z.object({ pollIntervalMs: z.number(), maxWaitMs: z.number(), isWoken: z.boolean() }),
	progress: progressSchema.optional(),
	/** In the items of the node. */
	changed: z.array(changedValuesSchema),
	source: z.unknown(),
});

type StoredWait = z.infer<typeof stateSchema>;

export interface ResumedRun
	extends Pick<
		StoredWait,
		'begunBy' | 'sleep' | 'work' | 'hasWritten' | 'target' | 'progress' | 'wait'
	> {
	/** Whether n8n came back without storing the execution: it cannot wait in its database. */
	didNotSleep: boolean;
}

/**
 * Refuses a wait in the database where the engine could not come back to the node.
 * @param field on the screen
 */
export function checkDatabaseWait(
	functions: IExecuteFunctions,
	field: string,
	maxWaitMs: number,
): void {
	const refuse = (text: string, advice = 'Choose In Memory.'): never => {
		throw new InvalidInput([{ field, text: `${text} ${advice}` }]);
	};
	const { executionOrder, executionTimeout = 0 } = functions.getWorkflowSettings();
	// n8n counts from the start of the execution, and ends it without a word when it wakes.
	if (executionTimeout > 0 && executionTimeout * 1000 <= maxWaitMs)
		refuse(
			`The workflow times out after ${executionTimeout} seconds, also while it waits, and would not return an outcome.`,
			`Turn off Timeout Workflow in the settings of the workflow, or set it to more than ${Math.ceil(maxWaitMs / 60_000)} minutes.`,
		);
	// The old order runs this node again before the nested run: the execution would sleep after its end.
	if (executionOrder !== 'v1')
		refuse('"In the Database" needs the execution order v1 in the settings of the workflow.');
	// n8n resumes saved workflows only: the execution would wait for ever.
	if (!functions.getWorkflow().id)
		refuse(
			'"In the Database" needs a saved workflow.',
			'Save it; if Execute Sub-workflow passes it as JSON, choose Source "Database" there.',
		);
	if (isTool(functions.getNode())) refuse('"In the Database" cannot be used in a tool.');
	const previous = executeDataOf(functions)?.source?.[NodeConnectionTypes.Main]?.[0]?.previousNode;
	if (previous === undefined)
		refuse('"In the Database" needs a node before this one, e.g. a trigger or Edit Fields.');
}

/** @param hasWritten whether something was stored at the service */
export async function requestDatabaseWait(
	functions: IExecuteFunctions,
	{ sleep, work, progress }: DatabaseWait,
	{ hasWritten, target, wait }: Pick<StoredWait, 'hasWritten' | 'target' | 'wait'>,
): Promise<EngineRequest> {
	const token = `${FIELD}-${sleep.begunAt}-${randomBytes(16).toString('hex')}`;
	const source = executeDataOf(functions)?.source;
	const changed = await findChangedValues(functions.getInputData(), new TimeSlice(undefined));
	markStoredItems(functions.getInputData());
	const wakeSecret = wakeSecrets.get(runOf(functions));
	const begunBy = firstExecution(functions);
	const optional = {
		...(progress && { progress }),
		...(wakeSecret && { wakeSecret }),
		...(begunBy && { begunBy }),
	};
	const state = { token, sleep, work, target, hasWritten, wait, ...optional, changed, source };
	const isFromForm = progress?.isFromForm === true;
	unstored.add(state);
	return {
		actions: [
			{
				actionType: 'ExecutionNodeAction',
				nodeName: functions.getNode().name,
				input: { [FIELD]: { token, until: sleep.until, isFromForm } },
				type: NodeConnectionTypes.Main,
				id: token,
				metadata: {},
			},
		],
		metadata: { [FIELD]: state },
	};
}

/** Puts the execution to wait if this is the nested run, and returns whether it is. */
export async function sleepIfNested(functions: IExecuteFunctions): Promise<boolean> {
	const entry = executeDataOf(functions);
	// Only the engine sets this, so a row of a user cannot look like the nested run.
	if (entry?.metadata?.preserveSourceOverwrite !== true) return false;
	const [item, second] = functions.getInputData();
	if (!item || second) return false;
	const nested = nestedSchema.safeParse(item.json[FIELD]);
	if (!nested.success || item.json.toolCallId !== nested.data.token) return false;
	// When the execution continues, n8n disables the node of this entry: it must not be that of the import.
	// n8n's form shows its page only if this entry is a form.
	const type = nested.data.isFromForm && FORM;
	entry.node = { ...entry.node, alwaysOutputData: false, ...type };
	entry.data.main = [[]];
	await functions.putExecutionToWait(new Date(nested.data.until));
	return true;
}

/**
 * Removes the run that only slept: `$('Import Items').all()` reads the last run of a node. n8n's contexts
 * have the data of the execution, but its types for nodes leave it out.
 */
function dropNestedRun(functions: IExecuteFunctions, { metadata }: IExecuteData): void {
	const { runExecutionData } = functions as { runExecutionData?: IRunExecutionData };
	const runs = runExecutionData?.resultData.runData[functions.getNode().name];
	const nested = metadata?.subNodeExecutionData?.actions.at(-1)?.runIndex;
	const last = runs?.at(-1);
	if (runs && nested === runs.length - 1 && !last?.data?.main?.[0]?.length) runs.pop();
}

/**
 * The engine gives the first output of the node before and its last run; pairing needs those that were
 * connected.
 */
function restoreSource(entry: IExecuteData, connected: IExecuteData['source']): void {
	const given = entry.source?.main;
	// The engine has put this array into the data of the run already.
	if (given && connected?.main) given.splice(0, given.length, ...connected.main);
	else entry.source = connected;
}

// Not from the response: with Retry On Fail the engine can leave it out.
function stateOf(entry: IExecuteData | undefined): unknown {
	const metadata = entry?.metadata?.subNodeExecutionData?.metadata as IDataObject | undefined;
	return metadata?.[FIELD];
}

export function storedWait(
	{ executionData }: IRunExecutionData,
	nodeName: string,
): { state: StoredWait; answer: (progress: Progress) => void } | undefined {
	for (const entry of executionData?.nodeExecutionStack ?? []) {
		const stored = entry.node.name === nodeName ? stateOf(entry) : undefined;
		const state = stateSchema.safeParse(stored).data;
		// n8n stores the data of the call in one step with the end of the wait, and only the first call ends it.
		const answer = (progress: Progress) => {
			// What follows the answer waits anew.
			const sleep = { ...state?.sleep, since: Date.now() };
			Object.assign(stored as object, { progress, sleep });
		};
		if (state) return { state, answer };
	}
	return undefined;
}

/** The state of a run that waited; undefined for a new one. Throws ServiceError for a state it cannot read. */
export async function resumedRun(functions: IExecuteFunctions): Promise<ResumedRun | undefined> {
	const entry = executeDataOf(functions);
	const stored = stateOf(entry);
	if (!entry || stored === undefined) return undefined;
	const state = stateSchema.safeParse(stored);
	// Not a new run, which would send everything again.
	if (!state.success) {
		throw new ServiceError({
			message: 'The saved state of this execution cannot be read',
			description:
				'Another version of this package may have saved it. Check the outcome of its import jobs in the service before you import the rows again.',
			outcomeUnknown: true,
		});
	}
	const { changed, source, token, wakeSecret, ...resumed } = state.data;
	refuseCalls(token);
	if (wakeSecret !== undefined) wakeSecrets.set(entry, wakeSecret);
	restoreSource(entry, source as IExecuteData['source']);
	dropNestedRun(functions, entry);
	const slice = new TimeSlice(functions.getExecutionCancelSignal());
	await restoreItems(functions.getInputData(), changed, slice);
	return { ...resumed, didNotSleep: unstored.has(stored as object) };
}

/** Use a separate path: the resume link without one also wakes a Wait node that follows. */
export const WAKE_PATH = 'import-ended';
export const WAKE_QUERY = 'wake';

/** Keyed by an object that n8n keeps for all tries of a run. */
const wakeSecrets = new WeakMap<object, string>();

function runOf(functions: IExecuteFunctions): object {
	return executeDataOf(functions) ?? functions;
}

/** The link by which the service wakes the node: the same in all tries and waits of a run. */
export function wakeLink(functions: IExecuteFunctions): string {
	const run = runOf(functions);
	const secret = wakeSecrets.get(run) ?? randomBytes(16).toString('hex');
	wakeSecrets.set(run, secret);
	const link = new URL(String(functions.evaluateExpression('{{ $execution.resumeUrl }}', 0)));
	// n8n finds the webhook by the path after the execution; its signature stays in the query.
	link.pathname += `/${WAKE_PATH}`;
	link.searchParams.set(WAKE_QUERY, secret);
	return link.toString();
}

/** Node's server gives a request five minutes to arrive. */
const LONGEST_CALL_MS = 10 * 60_000;

/** Waits that this process has left, and until when calls to them can still come. */
const refused = new Map<string, number>();

/** Refuses calls that n8n loaded this wait for, while they can still come. */
export function refuseCalls(token: string, forMs = LONGEST_CALL_MS): void {
	const now = Date.now();
	for (const [old, until] of refused) if (until < now) refused.delete(old);
	refused.set(token, now + forMs);
}

export function isRefused(token: string): boolean {
	return (refused.get(token) ?? 0) >= Date.now();
}

export const PAGE_QUERY = 'page';

/** The link of the page. */
export function progressLink(functions: IExecuteFunctions, secret: string): string {
	const link = new URL(String(functions.evaluateExpression('{{ $execution.resumeFormUrl }}', 0)));
	link.searchParams.set(PAGE_QUERY, secret);
	return link.toString();
}

/** Keeps the link of the page with the execution, in its custom data. */
export function recordProgressLink(functions: IExecuteFunctions, secret: string): void {
	customDataOf(functions)?.set('importPage', progressLink(functions, secret));
}

/** Stands for the database of a credential. */
export function targetMark({ target }: NativeService): string {
	return createHash('sha256').update(target.identity).digest('base64');
}

/** Throws ServiceError if the credential was changed while the execution waited: other jobs have its numbers. */
export function checkTarget(
	functions: IExecuteFunctions,
	service: NativeService,
	{ target, hasWritten }: ResumedRun,
): void {
	if (target === targetMark(service)) return;
	const jobs = recordedJobs(functions);
	const advice = jobs
		? `Do not import the rows of its import jobs again (${jobs}): read their outcome with "Get Item Outcomes" or "Get Results"`
		: 'Run it again';
	throw new ServiceError({
		message: 'The credential now has another database or another key than before the wait',
		description: `This execution read and sent nothing in the other database. ${advice}, with a credential for the first one.`,
		outcomeUnknown: hasWritten,
	});
}

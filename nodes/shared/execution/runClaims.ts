import { createHash } from 'crypto';
import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { InvalidInput } from '../service/invalidInput';
import { messageOf } from '../service/serviceErrors';
import { rethrow } from '../transport/rethrow';
import { executeDataOf } from './executeData';
import { takeTurn } from './nodeMemory';

/*
 * n8n can run a part of an execution a second time: a call to an execution that waits loads its state first,
 * reads the body then, and asks only whether the execution waits at that moment. A call that is slow enough
 * brings it back to an older wait. So whatever must not happen twice is claimed before: n8n remembers a text
 * for the workflow, also after a restart and for all workers.
 */

/**
 * Where there are more, n8n forgets the oldest. A late call comes within minutes: Node's server gives a request
 * five to arrive. Each claim reads and writes all of them, which takes longer the more there are.
 */
const MOST_CLAIMS = 10_000;
const OPTIONS = { mode: 'entries', maxEntries: MOST_CLAIMS } as const;

/** The start of the first node: no other execution has the same, even where execution numbers begin again. */
function startOf(functions: IExecuteFunctions): number {
	const { runExecutionData } = functions as { runExecutionData?: IRunExecutionData };
	const runs = Object.values(runExecutionData?.resultData.runData ?? {}).flat();
	return runs.reduce((first, { startTime }) => Math.min(first, startTime || first), Infinity);
}

/**
 * Names this run of the node, in one way for all tries and whenever n8n repeats it; undefined where nothing
 * tells one run from the next.
 */
export function runName(functions: IExecuteFunctions): string | undefined {
	const executionId = firstExecution(functions);
	const { id, type } = functions.getNode();
	const workflowId = functions.getWorkflow().id as string | undefined;
	// An agent calls a tool several times in one run.
	if (!executionId || !workflowId || type.endsWith('Tool')) return undefined;
	const runIndex = String(functions.evaluateExpression('{{ $runIndex }}', 0));
	// The claims of the waits from which this run continues.
	const waits = executeDataOf(functions)?.metadata?.subNodeExecutionData?.actions ?? [];
	const entered = waits.map(({ action }) => action.id);
	const parts = [executionId, startOf(functions), workflowId, id, runIndex, ...entered];
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** n8n's database has the texts of saved workflows. */
function adviceOn(reason: string): string {
	return /foreign key/i.test(reason)
		? 'This workflow is not saved in this n8n. If Execute Sub-workflow passes it as JSON, save it as a workflow and choose Source "Database", or remove "id" from the JSON.'
		: 'If a node "Remove Duplicates" of this workflow has the Scope "Workflow", set it to "Node".';
}

async function inTurn<T>(functions: IExecuteFunctions, work: () => Promise<T>): Promise<T> {
	// n8n reads all texts of a workflow and writes them back without a lock.
	const end = await takeTurn(`claims ${functions.getWorkflow().id}`);
	try {
		return await work();
	} catch (error) {
		const reason = messageOf(error).replace(/\.$/, '');
		const text = `could not remember what this node starts: ${reason}. ${adviceOn(reason)}`;
		return rethrow(new InvalidInput([{ field: 'n8n', text }]));
	} finally {
		end();
	}
}

/**
 * Claims what must not happen twice. Throws InvalidInput if n8n cannot remember it.
 * @returns whether it is new; otherwise it may have happened, or begun
 */
export async function claim(functions: IExecuteFunctions, text: string): Promise<boolean> {
	return (await claimAll(functions, [text])).size === 0;
}

/** Claims several texts in one step. @returns those that were claimed before */
export async function claimAll(
	functions: IExecuteFunctions,
	texts: string[],
	maxEntries = MOST_CLAIMS,
): Promise<ReadonlySet<string>> {
	if (!functions.getWorkflow().id) return new Set();
	const options = { ...OPTIONS, maxEntries };
	const record = async () =>
		await functions.helpers.checkProcessedAndRecord(texts, 'workflow', options);
	// If two processes make the first claim of a workflow at once, n8n's database refuses one.
	const { processed } = await inTurn(functions, async () => await record().catch(record));
	return new Set(processed.map(String));
}

/** Takes back claims of what certainly did not happen. Claims that stay do no harm. */
export async function releaseClaims(functions: IExecuteFunctions, texts: string[]): Promise<void> {
	if (!functions.getWorkflow().id || texts.length === 0) return;
	try {
		await inTurn(
			functions,
			async () => await functions.helpers.removeProcessed(texts, 'workflow', OPTIONS),
		);
	} catch (error) {
		functions.logger.warn(`A claim could not be released: ${messageOf(error)}`);
	}
}

/** @returns those of the texts that were claimed before; none is claimed by it */
export async function findClaimed(
	functions: IExecuteFunctions,
	texts: string[],
): Promise<ReadonlySet<string>> {
	// So that no other claim is forgotten for a look.
	const known = await claimAll(functions, texts, MOST_CLAIMS + texts.length);
	await releaseClaims(
		functions,
		texts.filter((text) => !known.has(text)),
	);
	return known;
}

/** Whether something was claimed before. */
export async function isClaimed(functions: IExecuteFunctions, text: string): Promise<boolean> {
	return (await findClaimed(functions, [text])).has(text);
}

const WAIT_KEY = 'nativeWait';

/** What an execution notes once it has gone on from a wait of this package. */
interface NotedWait {
	/** The execution that began the work, where n8n's Retry made another one continue it. */
	begunBy?: string;
}

/** Not in the custom data of the execution: n8n drops what is more than ten values there. */
function notedWait(functions: IExecuteFunctions): NotedWait | undefined {
	return functions.getContext('flow')[WAIT_KEY] as NotedWait | undefined;
}

/** The execution that began the work; undefined where n8n gives none. */
export function firstExecution(functions: IExecuteFunctions): string | undefined {
	return notedWait(functions)?.begunBy ?? (functions.getExecutionId() as string | undefined);
}

/**
 * Notes in the execution that a node of this package has waited, so that what follows can run twice.
 * @param begunBy the execution that began the work
 */
export function noteWait(functions: IExecuteFunctions, begunBy: string | undefined): void {
	// Retry runs a node that fails after the wait again, and n8n then does not continue from a wait.
	const isRetry = begunBy !== undefined && begunBy !== functions.getExecutionId();
	functions.getContext('flow')[WAIT_KEY] = isRetry ? { begunBy } : {};
}

/** Whether n8n has run the writes of this node before in this execution, as far as its waits are known. */
export async function mayHaveRun(functions: IExecuteFunctions): Promise<boolean> {
	const name = notedWait(functions) ? runName(functions) : undefined;
	return name === undefined ? false : !(await claim(functions, `writes ${name}`));
}

import { set } from 'lodash';
import { WorkflowExecute } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type IRunExecutionData,
	type OnError,
} from 'n8n-workflow';
import { z } from 'zod';

import { NativeApi } from '../../credentials/NativeApi.credentials';
import { additionalDataFor, type NodeSetup, workflowWith } from '../../test/engine/support/engine';
import { packageNodes } from '../../test/engine/support/packageNodes';
import { processedData } from '../../test/engine/support/processedData';
import { sandboxCredential } from '../../test/engine/support/sandboxed';
import type { VirtualNetwork } from './virtualNetwork';
import type { VirtualWorld } from './virtualWorld';

const UNDER_TEST = 'Node Under Test';
const SECOND = 1000;

/** What happens to n8n at a step of its work. */
interface Interruption {
	step: number;
	kind: 'kill' | 'cancel';
}

/** What a user sets up and starts. */
export interface VirtualWorkflow {
	parameters: INodeParameters;
	items: INodeExecutionData[];
	onError: OnError;
	maxTries?: number;
	/** What somebody does on its page. */
	answer?: 'import' | 'cancel';
}

/** What a node keeps of an execution that waits, as far as it asks something. */
const askingSchema = z.object({
	nativeDatabaseWait: z.object({
		progress: z.object({ question: z.object({ marks: z.unknown() }).passthrough() }),
	}),
});

/** Answers an import that asks, in what n8n stores of it. @returns whether it asked */
function answerQuestion(stored: IRunExecutionData, answer: 'import' | 'cancel'): boolean {
	for (const { metadata } of stored.executionData?.nodeExecutionStack ?? []) {
		const kept: unknown = metadata?.subNodeExecutionData?.metadata;
		const { data } = askingSchema.safeParse(kept);
		const { question } = data?.nativeDatabaseWait.progress ?? {};
		if (question?.marks === undefined || 'reply' in question) continue;
		const reply = { isReleased: answer === 'import', by: 'Kim Example' };
		set(kept as object, 'nativeDatabaseWait.progress.question.reply', reply);
		return true;
	}
	return false;
}

/** How an execution ended, as its user sees it. */
export type VirtualExecution =
	| { end: 'finished'; outputs: INodeExecutionData[][]; error?: string }
	/** n8n was killed while it ran. `stored` is what n8n has in its database, if the execution has slept. */
	| { end: 'crashed'; stored?: IRunExecutionData }
	| { end: 'cancelled' };

/** One start of n8n. What it has in memory ends with it. */
interface Process {
	isDead: boolean;
	number: number;
	cancel: () => void;
	isCancelled: boolean;
	/** Called when it is killed. */
	die: () => void;
}

const product = packageNodes().get('NativeBulkImport')?.node;
let processes = 0;
const startProcess = (): Process => ({
	isDead: false,
	number: ++processes,
	cancel: () => undefined,
	isCancelled: false,
	die: () => undefined,
});

/** n8n's own engine in a world of its own: sleeps, is killed and cancelled, and starts again. */
export class VirtualN8n {
	/** What the nodes wrote to the log. */
	readonly log: string[] = [];
	private steps = 0;
	private process = startProcess();

	constructor(
		private readonly world: VirtualWorld,
		private readonly network: VirtualNetwork,
		public interruptions: Interruption[],
		/** Share of sleeps that end early or twice, by calls of the resume link. */
		private readonly calls: { early: number; twice: number },
		private readonly note: (event: string) => void,
	) {
		processedData.clear();
	}

	/**
	 * Runs a workflow until it ends, is cancelled or n8n is killed while it runs.
	 *
	 * @param given an execution to continue
	 * @returns several ends if it was woken several times at once; the last one counts
	 */
	async run(workflow: VirtualWorkflow, given?: IRunExecutionData): Promise<VirtualExecution[]> {
		const ends: VirtualExecution[] = [];
		for (let stored = given; ; ) {
			const isTwice = stored !== undefined && this.world.chance(this.calls.twice);
			const other = isTwice ? await this.runOnce(workflow, stored) : undefined;
			if (other && other.end !== 'sleeping') ends.push(other);
			const ended = await this.runOnce(workflow, stored);
			if (ended.end !== 'sleeping') return [...ends, ended];
			if (ended.isCancelled) return [...ends, { end: 'cancelled' }];
			stored = ended.stored;
			const until = ended.until.getTime();
			const isAnswered = workflow.answer !== undefined && answerQuestion(stored, workflow.answer);
			const isEarly = isAnswered || this.world.chance(this.calls.early);
			if (isAnswered) this.note(`answered: ${workflow.answer}`);
			const wakeAt = isEarly
				? this.world.now() + this.world.random() * (until - this.world.now())
				: until + this.world.whole(0, 60) * SECOND;
			this.note(isEarly ? 'woken early' : 'woken');
			await this.world.pass(wakeAt - this.world.now());
		}
	}

	/** From the start or a sleep of an execution to its end or next sleep. */
	private async runOnce(
		workflow: VirtualWorkflow,
		stored: IRunExecutionData | undefined,
	): Promise<VirtualExecution | Sleeping> {
		if (this.process.isDead) this.process = startProcess();
		const { process } = this;
		const killed = new Promise<undefined>((resolve) => {
			process.die = () => {
				process.isDead = true;
				resolve(undefined);
			};
		});
		process.isCancelled = false;
		const execution = this.execute(workflow, stored);
		process.cancel = () => {
			process.isCancelled = true;
			void execution.cancel();
		};
		const ended = await Promise.race([
			execution.then(async (result) => {
				// n8n has not stored the end yet.
				await this.step(process, 'the end of the run');
				return result;
			}),
			killed,
		]);
		if (!ended) {
			await this.world.kill();
			return { end: 'crashed', ...(stored && { stored }) };
		}
		const { data, status } = ended;
		if (status === 'canceled') return { end: 'cancelled' };
		if (data.waitTill) {
			const sleeping = { stored: structuredClone(data), until: data.waitTill };
			// A kill does nothing to an execution that is stored.
			await Promise.race([this.step(process, 'sleeping'), killed]);
			if (process.isDead) await this.world.kill();
			return { end: 'sleeping', ...sleeping, isCancelled: process.isCancelled };
		}
		const { runData, error } = data.resultData;
		const task = runData[UNDER_TEST]?.at(-1);
		return {
			end: 'finished',
			outputs: (task?.data?.main ?? []).map((output) => output ?? []),
			...(error && { error: `${error.message} ${error.description ?? ''}` }),
		};
	}

	private execute(workflow: VirtualWorkflow, stored: IRunExecutionData | undefined) {
		const { parameters, items, onError, maxTries } = workflow;
		const { number } = this.process;
		const setup: NodeSetup = {
			node: this.nodeIn(this.process),
			parameters,
			credentialTypes: [new NativeApi()],
			// What a process knows of the rate limit of a key ends with the process.
			credentials: { nativeApi: sandboxCredential(`https://process${number}.example.org`) },
			...(maxTries !== undefined && { retries: { maxTries } }),
		};
		const canvas = workflowWith(setup, structuredClone(items), onError).workflow;
		const data = stored ? structuredClone(stored) : createEmptyRunExecutionData();
		const engine = new WorkflowExecute(additionalDataFor(setup, 'trigger'), 'trigger', data);
		if (stored) return engine.processRunExecutionData(canvas);
		return engine.run({
			workflow: canvas,
			startNode: canvas.getNode('Given Items') ?? undefined,
		});
	}

	/** The node with the network and the log of a process. */
	private nodeIn(process: Process): INodeType {
		const { network, log } = this;
		const step = async (at: string): Promise<void> => await this.step(process, at);
		const send = async (options: IHttpRequestOptions): Promise<object> =>
			await network.send(options, step);
		const write = (message: string): void => {
			if (!process.isDead) log.push(message);
		};
		if (!product?.execute) throw new Error('The package has no node Native Bulk Import.');
		const { description, execute } = product;
		return {
			description,
			async execute(this: IExecuteFunctions) {
				const { helpers } = this;
				helpers.httpRequest = send as never;
				helpers.httpRequestWithAuthentication = (async (
					_type: string,
					options: IHttpRequestOptions,
				) => await send(options)) as never;
				Object.assign(this.logger, { info: write, warn: write, debug: () => undefined });
				return await execute.call(this);
			},
		};
	}

	/** A moment at which something can happen to n8n. A process that was killed never gets past it. */
	private async step(process: Process, at: string): Promise<void> {
		if (!process.isDead) {
			const number = ++this.steps;
			const interruption = this.interruptions.find((each) => each.step === number);
			if (interruption) this.note(`${interruption.kind} at: ${at}`);
			if (interruption?.kind === 'cancel') process.cancel();
			if (interruption?.kind === 'kill') process.die();
		}
		if (process.isDead) await new Promise(() => undefined);
	}
}

interface Sleeping {
	end: 'sleeping';
	stored: IRunExecutionData;
	until: Date;
	isCancelled: boolean;
}

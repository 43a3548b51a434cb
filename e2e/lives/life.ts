import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import {
	givenItems,
	importWorkflow,
	type LifePlan,
	longestJobMs,
	outcomesWorkflow,
	planLife,
} from './lifePlan';
import { readReport, type Report } from './report';
import { problemsOfLife, problemsOfReport } from './verdict';
import { VirtualN8n, type VirtualExecution } from './virtualN8n';
import { VirtualNetwork, type Weather } from './virtualNetwork';
import { VirtualService } from './virtualService';
import { VirtualWorld } from './virtualWorld';

const MINUTE = 60_000;
/** From then on nothing fails any more: everything must come to an end. */
const ATTEMPTS_IN_STORMS = 4;
const MOST_ATTEMPTS = 40;
/** In which an interruption can come. */
const MOST_STEPS = 45;

function weatherOf(world: VirtualWorld, { isCalm }: LifePlan): Weather {
	if (isCalm) return { faults: 0 };
	const from = world.now() + world.random() * 20 * MINUTE;
	const outage = { from, to: from + world.random() * 60 * MINUTE };
	return { faults: world.pick([0, 0.05, 0.3]), ...(world.chance(0.2) && { outage }) };
}

export interface LifeOutcome {
	problems: string[];
	plan: LifePlan;
	/** What happened, with the minute of each event. */
	events: string[];
	jobs: number;
	interruptions: number;
}

/** An import and a careful user, from its start until the user knows how each row ended. */
class Life {
	readonly events: string[] = [];
	readonly problems: string[] = [];
	readonly plan: LifePlan;
	readonly service: VirtualService;
	private readonly network: VirtualNetwork;
	private readonly n8n: VirtualN8n;
	private items: INodeExecutionData[] = [];
	private last: Report | undefined;
	/** Whether the outcome was read by the IDs of jobs alone. */
	private usesReferences = false;
	/** What Import Items returned instead of waiting. */
	private started: IDataObject[] = [];
	private readonly reported: string[] = [];

	constructor(private readonly world: VirtualWorld) {
		const { note } = this;
		this.plan = planLife(world);
		const { isCalm } = this.plan;
		this.service = new VirtualService(world, {
			oddities: isCalm ? 0 : 0.3,
			showsDescriptions: world.chance(0.8),
			listsStatus: world.chance(0.7),
			longestJobMs: longestJobMs(this.plan),
		});
		this.network = new VirtualNetwork(world, this.service, weatherOf(world, this.plan), note);
		const interruptions = Array.from({ length: isCalm ? 0 : world.whole(0, 3) }, () => ({
			step: world.whole(1, MOST_STEPS),
			kind: world.pick(['kill', 'kill', 'kill', 'cancel'] as const),
		}));
		const calls = { early: world.pick([0, 0.3]), twice: world.pick([0, 0.2]) };
		this.n8n = new VirtualN8n(world, this.network, interruptions, calls, note);
	}

	async run(): Promise<void> {
		this.items = await givenItems(this.plan);
		let next = async (): Promise<VirtualExecution[]> => await this.importRows();
		for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
			if (attempt === ATTEMPTS_IN_STORMS) {
				this.network.weather = { faults: 0 };
				this.n8n.interruptions = [];
			}
			const ends = await next();
			for (const end of ends) this.judge(end);
			const end = ends.at(-1);
			if (!end || this.isSettled(end, attempt)) break;
			await this.world.pass(this.world.whole(5, 60) * MINUTE);
			next = this.nextStep(end);
		}
		const everything = [...this.n8n.log, ...this.reported].join('\n');
		const { plan, last, usesReferences, service } = this;
		this.problems.push(...problemsOfLife(plan, last, everything, usesReferences, service));
	}

	private async importRows(): Promise<VirtualExecution[]> {
		return await this.n8n.run(importWorkflow(this.plan, this.items));
	}

	private async readOutcomes(jobs: unknown[]): Promise<VirtualExecution[]> {
		return await this.n8n.run(outcomesWorkflow(this.plan, this.items, jobs));
	}

	/** Checks what an execution reports at its end. */
	private judge(ended: VirtualExecution): void {
		if (ended.end !== 'finished') return this.note(ended.end);
		const report = readReport(this.plan, ended);
		const statuses = [...report.rows.values()].map(({ status }) => status).join(', ');
		this.note(`finished ${statuses} ${report.errors.join('; ')}`);
		this.last = report;
		if (report.started.length > 0) this.started = report.started;
		this.reported.push(ended.error ?? '', JSON.stringify(ended.outputs));
		this.problems.push(...problemsOfReport(this.plan, report, this.service));
	}

	private readonly note = (event: string): void => {
		this.events.push(`${(this.world.time.now() / MINUTE).toFixed(1)}: ${event}`);
	};

	/** Whether the user knows all there is to know. */
	private isSettled({ end }: VirtualExecution, attempt: number): boolean {
		if (end !== 'finished' || !this.last) return false;
		const { rows, errors, started } = this.last;
		if (started.length > 0) return false;
		const isKnown = [...rows.values()].every(({ status }) => status !== 'unknown');
		if (rows.size > 0 && errors.length === 0 && isKnown) return true;
		const { jobs } = this.service;
		const isEnded = jobs.every((job) => job.fate === 'neverEnds' || this.service.hasEnded(job));
		// What cannot be known or done stays so.
		return isEnded && attempt > ATTEMPTS_IN_STORMS;
	}

	/** What a careful user does next. */
	private nextStep(ended: VirtualExecution): () => Promise<VirtualExecution[]> {
		const { plan, world } = this;
		const { started } = this;
		if (started.length > 0) return async () => await this.readOutcomes(started);
		if (ended.end === 'crashed' && ended.stored && world.chance(0.5)) {
			const { stored } = ended;
			// Somebody retries it in the list of executions.
			return async () => await this.n8n.run(importWorkflow(plan, this.items), stored);
		}
		if (plan.runKey !== '' && world.chance(0.7)) return async () => await this.importRows();
		const jobs = this.knownJobs();
		if (jobs.length === 0) return async () => await this.importRows();
		this.usesReferences = true;
		return async () => await this.readOutcomes(jobs);
	}

	/** The jobs that the log names, and those that the user finds by their description in the service. */
	private knownJobs(): unknown[] {
		const logged = this.n8n.log.flatMap(
			(line) => /^Import job (\S+) started with/.exec(line)?.[1] ?? [],
		);
		const found = this.service.jobs
			.filter(({ id }) => !logged.some((reference) => reference.startsWith(`${id}:`)))
			.map(({ id }) => String(id));
		return [...logged, ...found];
	}
}

/** Runs the life of a seed; the same seed gives the same life. */
export async function runLife(seed: number): Promise<LifeOutcome> {
	const world = new VirtualWorld(seed);
	const life = new Life(world);
	await world.run(async () => {
		await life.run();
	});
	const { problems, plan, events, service } = life;
	return {
		problems,
		plan,
		events,
		jobs: service.jobs.length,
		interruptions: events.filter((event) => /: (kill|cancel) at/.test(event)).length,
	};
}

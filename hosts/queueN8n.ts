import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startN8nWorker, type N8nProcess } from './n8nProcess';
import { startPostgres, startRedis, type RedisServer } from './queueServers';
import { startSandboxedN8n, type SandboxedN8n, type SandboxedN8nOptions } from './sandboxedN8n';
import { say } from './runWithProgress.mjs';
import { StartedProcesses } from './startedProcesses';

/** A worker of n8n that takes one execution at a time. */
interface Worker extends N8nProcess {
	name: string;
	/** Whether it began this execution. */
	began(executionId: string): boolean;
}

/** An n8n in queue mode beside a sandbox: main process, workers, Redis and PostgreSQL. */
interface QueueN8n extends SandboxedN8n {
	redis: RedisServer;
	/** Those that run now. */
	readonly workers: readonly Worker[];
	/** Starts one more. @param env settings that differ from those of the others */
	startWorker(env?: Record<string, string>): Promise<Worker>;
	/** Ends a worker as a power failure would. */
	killWorker(worker: Worker): Promise<void>;
	/** The same for the worker that runs an execution. */
	killWorkerOf(executionId: string): Promise<void>;
	/** The worker that runs an execution, if one began it. */
	workerOf(executionId: string): Worker | undefined;
}

/** With these settings, n8n notices after seconds, not after a minute or more, that a worker is gone. */
export const WORKERS_MISSED_SOON = {
	QUEUE_WORKER_LOCK_DURATION: '6000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '3000',
};

/**
 * The real n8n in queue mode with this package (from a `dist/` built before), its servers from Debian's
 * packages. Everything ends with this process, whatever ends it.
 */
export async function startQueueN8n(
	workerCount: number,
	options: SandboxedN8nOptions = {},
): Promise<QueueN8n> {
	const processes = new StartedProcesses();
	let workers: Worker[] = [];
	let running: SandboxedN8n | undefined;
	const close = async () => {
		await Promise.all(workers.map(async (worker) => await worker.kill()));
		await running?.close();
		await processes.close();
	};
	try {
		say('Starting Redis and PostgreSQL …');
		const [redis, postgres] = await Promise.all([startRedis(processes), startPostgres(processes)]);
		const env = {
			EXECUTIONS_MODE: 'queue',
			OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true',
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			QUEUE_BULL_REDIS_PASSWORD: redis.password,
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_USER: postgres.user,
			DB_POSTGRESDB_PASSWORD: postgres.password,
			DB_POSTGRESDB_DATABASE: postgres.database,
			...options.env,
		};
		const main = await startSandboxedN8n({
			...options,
			hasEditor: false,
			env,
			parentFolder: processes.folder,
			onStart: (pid) => processes.add(pid),
		});
		running = main;
		let started = 0;
		const startWorker = async (own: Record<string, string> = {}): Promise<Worker> => {
			const name = `worker ${++started}`;
			const userFolder = join(processes.folder, `worker-${started}`);
			mkdirSync(userFolder);
			const n8n = await startN8nWorker(
				{
					...main.n8nOptions,
					userFolder,
					env: { ...main.n8nOptions.env, ...own },
				},
				main.n8n.url,
			);
			const began = (executionId: string) =>
				new RegExp(`Worker started execution ${executionId} `).test(n8n.log());
			const worker = { ...n8n, name, began };
			workers.push(worker);
			return worker;
		};
		const killWorker = async (worker: Worker) => {
			workers = workers.filter((other) => other !== worker);
			await worker.kill();
		};
		const workerOf = (executionId: string) => workers.find(({ began }) => began(executionId));
		say(`Starting ${workerCount} workers …`);
		await Promise.all(Array.from({ length: workerCount }, async () => await startWorker()));
		return {
			...main,
			// Another one after a restart.
			get n8n() {
				return main.n8n;
			},
			redis,
			get workers() {
				return workers;
			},
			startWorker,
			killWorker,
			killWorkerOf: async (executionId) => {
				const worker = workerOf(executionId);
				if (!worker) throw new Error(`No worker began execution ${executionId}.`);
				await killWorker(worker);
			},
			workerOf,
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}

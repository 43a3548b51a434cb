import { afterEach } from 'node:test';
import { startQueueN8n, WORKERS_MISSED_SOON } from '../../hosts/queueN8n';
import { PausedImports } from '../pausedImports';
import { startForTests } from '../testN8n';

/** An n8n in queue mode for the imports of a file of tests, without workers at first. */
export function importsInQueueMode() {
	const running = startForTests(
		async () =>
			await startQueueN8n(0, {
				httpsLinks: true,
				sandbox: { jobTiming: { pendingMs: 0, minimumMs: 0, rowsPerSecond: Infinity } },
				env: WORKERS_MISSED_SOON,
			}),
	);
	const imports = new PausedImports(running);
	afterEach(() => running.sandbox.control.clearFaults());
	/** As many more as there are fewer than three. */
	const startThreeWorkers = async (): Promise<void> => {
		const missing = Math.max(0, 3 - running.workers.length);
		await Promise.all(Array.from({ length: missing }, async () => await running.startWorker()));
	};
	const replaceWorkers = async (): Promise<void> => {
		for (const worker of [...running.workers]) await running.killWorker(worker);
		await startThreeWorkers();
	};
	return { running, imports, startThreeWorkers, replaceWorkers };
}

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { INodeParameters } from 'n8n-workflow';
import { Agent, fetch } from 'undici';
import { z } from 'zod';
import { startSandboxedN8n, type SandboxedN8n } from '../hosts/sandboxedN8n';
import type { SandboxOptions } from '../sandbox/index';
import { mapAutomatically } from '../hosts/locators';
import { importItemsNode, type NodeInRow, rowWorkflow, webhook } from '../hosts/workflows';
import { contactRow } from './contactRows';

const run = promisify(execFile);

/** One measurement inside n8n, of the nodes between making the rows and the end. */
const measurementSchema = z.object({
	ms: z.number(),
	/** Processor time of the whole n8n process. */
	cpuMs: z.number(),
	/** Growth of the peak memory of the n8n process. */
	kilobytes: z.number(),
	/**
	 * Longest time in which one of the nodes let the event loop do nothing else, without major collections
	 * of V8's garbage: with a profile all of them, otherwise only their ends.
	 */
	stallMs: z.number(),
	/** The same with them. */
	wholeStallMs: z.number(),
	/** While each of the nodes worked: how long that took, how long the main thread was busy (0 without a profile), and how much memory grew. */
	works: z.array(z.object({ ms: z.number(), busyMs: z.number(), kilobytes: z.number() })),
	/** The first item that the nodes put out. */
	first: z.record(z.unknown()),
});
export type Measurement = z.infer<typeof measurementSchema>;

export type MeasuredNode = Omit<NodeInRow, 'name'>;

const BENCH_STEP = 'CUSTOM.benchStep';

/** The workflow responds when it has ended, which may take longer than the default timeout of fetch. */
const patient = new Agent({ headersTimeout: 0, bodyTimeout: 0 });

/** A step of a measured workflow: bench/nodes/BenchStep.node.js. */
export function benchStep(parameters: INodeParameters): MeasuredNode {
	return { type: BENCH_STEP, parameters };
}

/** Stores and publishes a workflow; each call of what is returned runs it and returns the first item of its end. */
export async function publish(
	running: Pick<SandboxedN8n, 'n8n'>,
	nodes: MeasuredNode[],
): Promise<() => Promise<unknown>> {
	const path = randomUUID();
	const { client, url } = running.n8n;
	const row = [
		webhook(path, { responseMode: 'lastNode' }),
		...nodes.map((node, index) => ({ ...node, name: `Node ${index + 1}` })),
	];
	// What n8n stores afterwards is not what is measured.
	const settings = { saveDataSuccessExecution: 'none', saveExecutionProgress: false };
	const workflow = await client.createWorkflow(rowWorkflow(row, settings));
	await client.activate(workflow);
	return async () => {
		const response = await fetch(`${url}/webhook/${path}`, { dispatcher: patient });
		if (response.ok) return await response.json();
		const [failed] = await client.readEndedExecutions(workflow);
		throw new Error(`The workflow failed: ${failed?.error?.message ?? (await response.text())}`);
	};
}

/** Does something with an n8n of its own. */
export async function inN8n<T>(
	work: (running: SandboxedN8n) => Promise<T>,
	sandbox?: SandboxOptions,
): Promise<T> {
	// BenchStep.node.js is one of the custom nodes there.
	const env = { N8N_CUSTOM_EXTENSIONS: join(__dirname, 'nodes') };
	const running = await startSandboxedN8n({ env, ...(sandbox && { sandbox }) });
	try {
		return await work(running);
	} finally {
		await running.close();
	}
}

/**
 * Runs nodes in an n8n.
 *
 * @param source parameters of the step that makes the rows
 * @param times how often; the first one meets n8n as it has just started
 * @param after what follows the measured nodes
 */
export async function measureIn(
	running: SandboxedN8n,
	source: INodeParameters,
	nodes: MeasuredNode[],
	times: number,
	after: MeasuredNode[] = [],
): Promise<Measurement[]> {
	const mark = benchStep({ step: 'mark' });
	const run = await publish(running, [benchStep(source), ...nodes, ...after, mark]);
	const measurements: Measurement[] = [];
	for (let time = 0; time < times; time++) {
		// n8n has things to do after a start and after an execution.
		await wait(3000);
		const measurement = measurementSchema.parse(await run());
		if (measurement.works.length !== nodes.length)
			throw new Error(`Only ${measurement.works.length} of ${nodes.length} nodes were watched.`);
		measurements.push(measurement);
	}
	return measurements;
}

/** Milliseconds of writing and deflating the rows in plain Node. */
export async function bareCost(rows: number): Promise<number[]> {
	const script = join(__dirname, 'bareCost.js');
	const { stdout } = await run(process.execPath, [script, String(rows)]);
	return z.array(z.number()).parse(JSON.parse(stdout));
}

/** Imports the rows of a file. @param url where its parts are uploaded */
export const importFileNode = (
	credentialId: string,
	url: string,
	options: INodeParameters,
): MeasuredNode =>
	importItemsNode(credentialId, {
		...FROM_FILE,
		fieldMap: mapAutomatically,
		hosting: 'put',
		uploadUrl: `${url}/drop/{file}?sig=1`,
		downloadUrl: 'https://files.example.org/{file}',
		options,
	});

/** The rows that the step `file` puts out. */
export const FROM_FILE = {
	source: 'binary',
	inputDataFieldName: 'data',
	sourceDelimiter: 'CSV',
};

/** Writes a delimited file with this many rows. */
export async function writeRows(path: string, rows: number): Promise<void> {
	const file = createWriteStream(path);
	file.write(`${Object.keys(contactRow(0)).join(',')}\n`);
	for (let index = 0; index < rows; index++) {
		const line = `${Object.values(contactRow(index)).join(',')}\n`;
		if (!file.write(line)) await once(file, 'drain');
	}
	file.end();
	await once(file, 'finish');
}

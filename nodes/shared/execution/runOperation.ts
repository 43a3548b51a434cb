import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { NativeService } from '../service/nativeService';
import { brokenRunError } from '../service/serviceErrors';
import { throwIfCancelled } from '../transport/cancellation';
import { type CallOptions, connect } from './connect';
import { readConstantsOnce } from './constantParameters';
import { runItems } from './itemLoop';
import { errorItem, toNodeError } from './nodeErrors';
import type { ItemOutput, ItemResult, NodeOperation, NodeResource, RunContext } from './operation';
import { RecordNames } from './resolveNames';
import { sendEach } from './sendEach';
import { withSwitches } from './switches';
import { TimeSlice } from './timeSlice';
import { showTrafficHint } from './trafficHint';

/** Runs the chosen operation over all input items: the `execute` of every action node. */
export async function runChosenOperation(
	functions: IExecuteFunctions,
	resources: NodeResource[],
): Promise<INodeExecutionData[][]> {
	const operation = findOperation(functions, resources);
	const checked = withSwitches(functions, operation.properties);
	return [await outputItems(functions, await resultsOf(checked, operation))];
}

async function resultsOf(
	functions: IExecuteFunctions,
	operation: NodeOperation,
): Promise<Array<ItemResult<ItemOutput>>> {
	let service: NativeService | undefined;
	try {
		if (operation.runLocally) return await operation.runLocally(functions);
		const options = functions.getNodeParameter('options', 0, {}) as CallOptions;
		service = await connect(functions, options);
		const results = await runWithService(functions, operation, service);
		showTrafficHint(functions, service);
		return results;
	} catch (thrown) {
		const error = service?.hasWritten ? brokenRunError(thrown) : thrown;
		// A problem of the whole node fails every item instead of being thrown: n8n would pass the
		// input of a node that continues on errors to its output as if it had succeeded.
		const items = functions.getInputData();
		if (items.length === 0) throw toNodeError(functions.getNode(), error, 0);
		return items.map(() => ({ error }));
	}
}

async function runWithService(
	given: IExecuteFunctions,
	{ run, write, runAll, properties }: NodeOperation,
	service: NativeService,
): Promise<Array<ItemResult<ItemOutput>>> {
	const functions = readConstantsOnce(given);
	const names = new RecordNames(service, properties);
	const loop = {
		count: functions.getInputData().length,
		concurrency: service.maxConcurrentRequests,
		requests: service,
		slice: new TimeSlice(service.signal),
		stopsAfter: () => !functions.continueOnFail() || service.signal?.aborted === true,
	};
	const forEachItem: RunContext['forEachItem'] = async (work, keys) =>
		await runItems({ ...loop, ...(keys && { keys }) }, async (itemIndex) => {
			throwIfCancelled(service.signal);
			const item = { functions, service, itemIndex };
			return await work(names.areIn(item) ? await names.resolve(item) : item);
		});
	const context = { functions, service, forEachItem };
	if (runAll) return await runAll(context);
	if (write) return await sendEach(context, write);
	return await forEachItem(async (item) => (run ? await run(item) : []));
}

function findOperation(functions: IExecuteFunctions, resources: NodeResource[]): NodeOperation {
	const resource = functions.getNodeParameter('resource', 0);
	const value = functions.getNodeParameter('operation', 0);
	const operation = resources
		.find((candidate) => candidate.value === resource)
		?.operations.find((candidate) => candidate.value === value);
	if (operation) return operation;
	throw toNodeError(
		functions.getNode(),
		new Error(
			`This version of the node has no operation "${String(value)}" for "${String(resource)}".`,
		),
		0,
	);
}

async function outputItems(
	functions: IExecuteFunctions,
	results: Array<ItemResult<ItemOutput>>,
): Promise<INodeExecutionData[]> {
	const node = functions.getNode();
	const lastsOnFailure =
		functions.continueOnFail() && !functions.getExecutionCancelSignal()?.aborted;
	const slice = new TimeSlice(undefined);
	const output: INodeExecutionData[] = [];
	let item = -1;
	for (const result of results) {
		item++;
		if (slice.isOver) await slice.yield();
		// An item that had not started when another one stopped the run, or has no output of its own.
		if (!result) continue;
		if ('error' in result) {
			const nodeError = toNodeError(node, result.error, item);
			if (!lastsOnFailure) throw nodeError;
			output.push({ json: errorItem(result.error, nodeError), pairedItem: { item } });
			continue;
		}
		for (const { json, binary } of result.value) {
			if (slice.isOver) await slice.yield();
			const pairedItem = { item };
			output.push(binary ? { json, binary, pairedItem } : { json, pairedItem });
		}
	}
	return output;
}

import type {
	EngineRequest,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import { z } from 'zod';

import { RunParameters } from '../parameters/itemParameters';
import { jsonPath, schemaProblems } from '../service/bodyProblem';
import { InvalidInput, type Problem } from '../service/invalidInput';
import type { NativeService } from '../service/nativeService';
import { brokenRunError } from '../service/callErrors';
import { throwIfCancelled } from '../transport/cancellation';
import { rethrow } from '../transport/rethrow';
import { connect } from './connect';
import { recordedJobs } from './importJobOutput';
import { runItems } from './itemLoop';
import { errorItem, toNodeError } from './nodeErrors';
import type { ItemResults, NodeOperation, NodeResource, RunContext } from './operation';
import { RecordNames } from './resolveNames';
import { RunHistory } from './runHistory';
import { sendEach } from './sendEach';
import { TimeSlice } from './timeSlice';
import { showTrafficHint } from './trafficHint';

/**
 * The `execute` of every action node.
 * @param begin called before anything is read; returns whether an earlier part of this run has sent something
 */
export async function runChosenOperation(
	functions: IExecuteFunctions,
	resources: NodeResource[],
	begin?: () => Promise<boolean>,
): Promise<INodeExecutionData[][] | EngineRequest> {
	const operation = findOperation(functions, resources);
	const history = new RunHistory(functions);
	const results = await resultsOf(functions, operation, history, begin);
	if (isRequest(results)) return results;
	history.keepHints();
	return [await outputItems(functions, results, history)];
}

function isRequest(results: ItemResults | EngineRequest): results is EngineRequest {
	return 'actions' in results;
}

async function resultsOf(
	functions: IExecuteFunctions,
	operation: NodeOperation,
	history: RunHistory,
	begin: () => Promise<boolean> = async () => await Promise.resolve(false),
): Promise<ItemResults | EngineRequest> {
	let service: NativeService | undefined;
	let hasSent = false;
	const hasWritten = (): boolean => hasSent || service?.hasWritten === true;
	try {
		hasSent = await begin();
		const parameters = new RunParameters(
			operation.properties,
			functions.getNode().parameters,
			(name, itemIndex) => functions.getNodeParameter(name, itemIndex, null),
		);
		const first = parameters.ofItem(0);
		if ('runLocally' in operation)
			return await operation.runLocally({ functions, parameters: first });
		const replayUnknownOutcome = first.flag('options.replayUnknownOutcome');
		service = await connect(functions, { replayUnknownOutcome });
		const results = await runWithService({ functions, service, history, parameters }, operation);
		if (!isRequest(results)) showTrafficHint(functions, service);
		return results;
	} catch (thrown) {
		const error = hasWritten() ? brokenRunError(thrown, recordedJobs(functions)) : thrown;
		// A problem of the whole node fails every item instead of being thrown: n8n would pass the
		// input of a node that continues on errors to its output as if it had succeeded.
		const items = functions.getInputData();
		if (items.length === 0) throw toNodeError(functions.getNode(), error, 0);
		const result = { error };
		return items.map((_, item) => (hasWritten() ? result : history.resultOf(item)) ?? result);
	}
}

async function runWithService(
	given: Omit<RunContext, 'forEachItem' | 'parameters'> & { parameters: RunParameters },
	operation: Exclude<NodeOperation, { runLocally: unknown }>,
): Promise<ItemResults | EngineRequest> {
	const { functions, parameters, service } = given;
	const { properties } = operation;
	const names = new RecordNames(service, properties);
	const loop = {
		count: functions.getInputData().length,
		concurrency: service.maxConcurrentRequests,
		requests: service,
		slice: new TimeSlice(service.signal),
		stopsOnFailure: () => !functions.continueOnFail() || service.signal?.aborted === true,
	};
	const forEachItem: RunContext['forEachItem'] = async (work, keys) => {
		return await runItems({ ...loop, keys }, async (itemIndex) => {
			throwIfCancelled(service.signal);
			const item = { functions, service, itemIndex, parameters: parameters.ofItem(itemIndex) };
			try {
				if (names.areIn(item.parameters)) {
					await names.resolveIn(item.parameters);
					// All items that waited continue in the same turn.
					while (loop.slice.isOver) await loop.slice.yield();
				}
				return await work(item);
			} catch (error) {
				return rethrow(wordProblems(error, properties));
			}
		});
	};
	const context = { ...given, forEachItem, parameters: parameters.ofItem(0) };
	if ('runAll' in operation) return await operation.runAll(context);
	if ('write' in operation) return await sendEach(context, operation.write);
	return await forEachItem(operation.run);
}

/** Problems in the words on the screen: those of a path name a parameter, those of a schema have JSON for a text. */
function wordProblems(error: unknown, properties: INodeProperties[]): unknown {
	const labelOf = (name: unknown): string | undefined =>
		properties.find((property) => property.name === name)?.displayName;
	if (error instanceof InvalidInput) {
		return new InvalidInput(
			error.problems.map(({ field, text }) => ({ field: labelOf(field) ?? field, text })),
		);
	}
	if (!(error instanceof z.ZodError)) return error;
	const [first, ...rest] = schemaProblems(error).map(
		({ path, text }): Problem => ({
			field: labelOf(path[0]) ?? (jsonPath(path) || 'The request'),
			text,
		}),
	);
	return first ? new InvalidInput([first, ...rest]) : error;
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
	results: ItemResults,
	history: RunHistory,
): Promise<INodeExecutionData[]> {
	const node = functions.getNode();
	const lastsOnFailure =
		functions.continueOnFail() && !functions.getExecutionCancelSignal()?.aborted;
	const slice = new TimeSlice(undefined);
	const inputs = functions.getInputData();
	const output: INodeExecutionData[] = [];
	let item = -1;
	for (const result of results) {
		item++;
		// An item that had not started when another one stopped the run, or has no output of its own.
		if (!result || ('value' in result && result.value.length === 0)) continue;
		if (slice.isOver) await slice.yield();
		if ('error' in result) {
			// What was sent is in no output of a run that stops.
			if (!lastsOnFailure) {
				const isOfNode = results.every((each) => each === result);
				const sent = history.describeSent(result.error, results);
				throw toNodeError(node, result.error, isOfNode ? undefined : item, sent);
			}
			// To be sent again, or uploaded by hand: n8n adds the columns of the input, but not its files.
			const files = inputs[item]?.binary;
			const json = errorItem(node, result.error, item);
			output.push({ json, ...(files && { binary: files }), pairedItem: { item } });
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

import { pick } from 'lodash';
import type { EngineRequest, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { executeDataOf } from '../../shared/execution/executeData';
import type { ItemResults, NodeResource, RunContext } from '../../shared/execution/operation';
import { noteWait } from '../../shared/execution/runClaims';
import { runChosenOperation } from '../../shared/execution/runOperation';
import { rethrow } from '../../shared/transport/rethrow';
import {
	checkTarget,
	DatabaseWait,
	requestDatabaseWait,
	type ResumedRun,
	resumedRun,
	sleepIfNested,
	targetMark,
} from './databaseWait';

/** The context of an operation that waits in n8n's database. */
export interface WaitContext extends RunContext {
	/** Set if the run continues after such a wait: it must start nothing again. */
	resumed: ResumedRun | undefined;
}

/** The context of an operation that continues after a wait. */
export type ResumedContext = WaitContext & { resumed: ResumedRun };

const resumedRuns = new WeakMap<IExecuteFunctions, ResumedRun>();

/** The `execute` of a node whose operations wait in n8n's database. */
export async function runWithWaits(
	functions: IExecuteFunctions,
	resources: NodeResource[],
): Promise<INodeExecutionData[][] | EngineRequest> {
	if (await sleepIfNested(functions)) return [[]];
	return await runChosenOperation(functions, resources, async () => {
		const resumed = await resumedRun(functions);
		if (resumed) {
			resumedRuns.set(functions, resumed);
			noteWait(functions, resumed.begunBy);
		}
		return resumed?.hasWritten === true;
	});
}

/**
 * The `runAll` of an operation that waits in n8n's database.
 * @param choice how the user wants to wait, read once for all waits of a run
 * @param work throws DatabaseWait to continue later
 */
export function withWaits<Wait extends ResumedRun['wait']>(
	choice: { read: (context: WaitContext) => Wait },
	work: (context: WaitContext, wait: Wait) => Promise<ItemResults>,
): (run: RunContext) => Promise<ItemResults | EngineRequest> {
	const waits = new WeakMap<object, Wait>();
	return async (run) => {
		const { functions, service } = run;
		const resumed = resumedRuns.get(functions);
		if (resumed) checkTarget(functions, service, resumed);
		const context = { ...run, resumed };
		// n8n keeps it for all tries of a run.
		const data = executeDataOf(functions) ?? functions;
		const wait = waits.get(data) ?? choice.read(context);
		waits.set(data, wait);
		try {
			return await work(context, wait);
		} catch (error) {
			if (!(error instanceof DatabaseWait)) return rethrow(error);
			const hasWritten = service.hasWritten || resumed?.hasWritten === true;
			return await requestDatabaseWait(functions, error, {
				hasWritten,
				target: targetMark(service),
				wait: pick(wait, 'pollIntervalMs', 'maxWaitMs', 'isWoken'),
			});
		}
	};
}

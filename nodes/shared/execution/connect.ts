import type { IExecuteFunctions, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';

import type { Fields } from '../parameters/enteredFields';
import { readConnection } from '../service/connection';
import { NativeService } from '../service/nativeService';
import { systemClock } from '../transport/clock';
import { anonymousSender, senderFor } from '../transport/httpRequest';
import { MOST_IN_FLIGHT } from '../transport/requestsInFlight';
import { DEFAULT_TIMEOUT_SECONDS } from './operation';

const CREDENTIAL_TYPE = 'nativeApi';

/** Options for all calls of a node. Throws InvalidInput naming the field. */
export function callOptionsOf(options: Fields) {
	return {
		timeoutSeconds: options.positive('timeout', DEFAULT_TIMEOUT_SECONDS),
		replayUnknownOutcome: options.flag('replayUnknownOutcome'),
		maxConcurrentRequests: options.whole('maxConcurrentRequests', MOST_IN_FLIGHT),
	};
}

/**
 * The service for one execution of a node. Throws InvalidInput if the credential cannot work.
 * @param signal ends the calls of a node whose execution cannot be cancelled
 */
export async function connect(
	functions: IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions,
	options: Partial<ReturnType<typeof callOptionsOf>> = {},
	signal?: AbortSignal,
): Promise<NativeService> {
	const data = await functions.getCredentials(CREDENTIAL_TYPE);
	const credential = { id: '', name: '', type: CREDENTIAL_TYPE, data };
	return new NativeService({
		connection: readConnection(data),
		sender: senderFor(functions, CREDENTIAL_TYPE, credential),
		anonymousSender: anonymousSender(functions),
		clock: systemClock,
		random: Math.random,
		wallClock: Date.now,
		signal: 'getExecutionCancelSignal' in functions ? functions.getExecutionCancelSignal() : signal,
		timeoutMs: 1000 * (options.timeoutSeconds ?? DEFAULT_TIMEOUT_SECONDS),
		replayUnknownOutcome: options.replayUnknownOutcome === true,
		maxConcurrentRequests: options.maxConcurrentRequests,
	});
}

import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { readConnection } from '../service/connection';
import { DEFAULT_TIMEOUT_SECONDS, NativeService } from '../service/nativeService';
import { positiveNumber } from '../service/positiveNumber';
import { systemClock } from '../transport/clock';
import { anonymousSender, senderFor } from '../transport/httpRequest';
import { MOST_IN_FLIGHT } from '../transport/requestsInFlight';
import { defaultRetryPolicy } from '../transport/retry';

const CREDENTIAL_TYPE = 'nativeApi';

/** The n8n contexts that call the service. */
type ConnectFunctions = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Options for all calls of a node. */
interface CallOptions {
	/** Seconds per request. */
	timeout?: unknown;
	replayUnknownOutcome?: unknown;
	/** A cap; blank if the user set none. */
	maxConcurrentRequests?: unknown;
}

/**
 * The service with its credential, for one execution of a node.
 * Throws InvalidInput if the credential cannot work.
 */
export async function connect(
	functions: ConnectFunctions,
	options: CallOptions = {},
): Promise<NativeService> {
	const data = await functions.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL_TYPE);
	const credential = { id: '', name: '', type: CREDENTIAL_TYPE, data };
	return new NativeService({
		connection: readConnection(data),
		sender: senderFor(functions, CREDENTIAL_TYPE, credential),
		anonymousSender: anonymousSender(functions),
		clock: systemClock,
		random: Math.random,
		wallClock: Date.now,
		signal:
			'getExecutionCancelSignal' in functions ? functions.getExecutionCancelSignal() : undefined,
		timeoutMs:
			1000 *
			positiveNumber(options.timeout, 'Timeout (Seconds)', {
				isWhole: false,
				otherwise: DEFAULT_TIMEOUT_SECONDS,
			}),
		policy: {
			...defaultRetryPolicy,
			replayUnknownOutcome: options.replayUnknownOutcome === true,
		},
		maxConcurrentRequests: positiveNumber(
			options.maxConcurrentRequests,
			'Max Concurrent Requests',
			{ isWhole: true, otherwise: MOST_IN_FLIGHT },
		),
	});
}

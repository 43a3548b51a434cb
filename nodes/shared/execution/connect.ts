import { isEqual } from 'lodash';
import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { readConnection } from '../service/connection';
import { InvalidInput } from '../service/invalidInput';
import { NativeService } from '../service/nativeService';
import { throwIfCancelled } from '../transport/cancellation';
import { systemClock } from '../transport/clock';
import { anonymousSender, senderFor } from '../transport/httpRequest';

const CREDENTIAL_TYPE = 'nativeApi';

/**
 * Throws InvalidInput if expressions in the credential give other values for other items: all would go to
 * the database of the first.
 */
async function checkSameForAll(
	functions: IExecuteFunctions,
	first: ICredentialDataDecryptedObject,
): Promise<void> {
	const { length } = functions.getInputData();
	const isSame = async (item: number): Promise<boolean> =>
		isEqual(await functions.getCredentials(CREDENTIAL_TYPE, item), first);
	// After the last item, expressions of items have no values, or throw.
	if (length < 2 || (await isSame(length).catch(() => false))) return;
	for (let item = 1; item < length; item++) {
		throwIfCancelled(functions.getExecutionCancelSignal());
		if (await isSame(item)) continue;
		const text = `has expressions with different values for item ${item + 1} and item 1. Put a Loop Over Items node with a batch size of 1 before this node.`;
		throw new InvalidInput([{ field: 'Credential', text }]);
	}
}

interface CallOptions {
	/** Whether to retry a call that may have been executed and could store twice. */
	replayUnknownOutcome?: boolean;
	/** Ends the calls of a node whose execution cannot be cancelled. */
	signal?: AbortSignal;
}

/** The service for one execution of a node. Throws InvalidInput if the credential cannot work. */
export async function connect(
	functions: IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions,
	{ replayUnknownOutcome = false, signal }: CallOptions = {},
): Promise<NativeService> {
	const data = await functions.getCredentials(CREDENTIAL_TYPE);
	if ('getExecutionCancelSignal' in functions) await checkSameForAll(functions, data);
	const credential = { id: '', name: '', type: CREDENTIAL_TYPE, data };
	const connection = readConnection(data);
	return new NativeService({
		connection,
		sender: senderFor(functions, CREDENTIAL_TYPE, credential),
		anonymousSender: anonymousSender(functions),
		clock: systemClock,
		random: Math.random,
		wallClock: Date.now,
		signal: 'getExecutionCancelSignal' in functions ? functions.getExecutionCancelSignal() : signal,
		timeoutMs: 1000 * connection.limits.timeout,
		replayUnknownOutcome,
	});
}

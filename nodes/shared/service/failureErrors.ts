import { isInsecure, SSRF_BLOCKED } from '../transport/requestFailure';
import type { CallFailed } from '../transport/requestWithRetries';
import { callOf, LOOK_FIRST, type Texts } from './callErrors';
import { errorEntries, serviceMessage } from './errorEnvelope';
import {
	isWebPage,
	type RequestDescription,
	ServiceError,
	type ServiceErrorDetails,
} from './serviceErrors';

/**
 * What went wrong, as the end of a sentence. Without the network's error code: n8n replaces a message
 * that contains one.
 * @param who sends the response
 */
export function failureOf({ response, failure }: CallFailed, who = 'the service'): string {
	if (failure?.kind === 'timeout') return 'there was no complete response in time';
	if (failure?.code === SSRF_BLOCKED) return 'n8n does not allow this address';
	if (failure && isInsecure(failure.code)) return 'there is no protected connection';
	if (failure?.kind === 'notSent') return `${who} could not be reached`;
	if (failure?.kind === 'oversized') return 'the response is too large to read';
	if (failure) return 'the connection broke before the response was complete';
	const page = response && isWebPage(response) ? ' and a web page instead of data' : '';
	return `${who} failed with status ${response?.status ?? 'unknown'}${page}`;
}

/** The number of attempts, as a sentence after a space; empty for one. */
function triesOf({ attempts }: CallFailed): string {
	return attempts === 1 ? '' : ` It was tried ${attempts} times.`;
}

const SSRF_ADVICE =
	'Its protection against requests to internal addresses (SSRF) blocked the address. If it is right, ask the administrator of this n8n to add it to N8N_SSRF_ALLOWED_HOSTNAMES or N8N_SSRF_ALLOWED_IP_RANGES.';

/** The same for files, with the network's error code, which no other sentence names. */
export function fileTriesOf(failed: CallFailed): string {
	const code = failed.failure?.code;
	if (code === SSRF_BLOCKED) return ` ${SSRF_ADVICE}`;
	return `${triesOf(failed)}${code ? ` The code is ${code}.` : ''}`;
}

/** The wait the service asks for, as a sentence after a space; empty for none. */
function waitOf({ retryAfterMs = 0 }: CallFailed): string {
	const minutes = Math.ceil(retryAfterMs / 60_000);
	return minutes > 1
		? ` The service asks to wait ${minutes} minutes, longer than this node waits.`
		: '';
}

const REPLAY_ADVICE =
	'If a duplicate does no harm, turn on the option "Retry Even if It May Duplicate".';

type FailureTexts = Texts & Pick<ServiceErrorDetails, 'advice'>;

function describeDoubt(failed: CallFailed, call: string): FailureTexts {
	const { response, failure, replayable } = failed;
	// A rejected attempt did nothing: the doubt is about an earlier one.
	const wasRejected =
		response?.status === 429 || response?.status === 503 || failure?.kind === 'notSent';
	const what = failureOf(failed);
	const why = wasRejected ? `there was no usable response, and in the last attempt ${what}` : what;
	const code = wasRejected && failure?.code ? ` The code is ${failure.code}.` : '';
	return {
		message: `It is unknown whether the service executed ${call}: ${why}`,
		description: `${replayable ? 'Running it again later is safe.' : LOOK_FIRST}${waitOf(failed)}${code}`,
		...(!replayable && !wasRejected && { advice: REPLAY_ADVICE }),
	};
}

function describeUnsent(code: string, call: string): FailureTexts {
	if (code === SSRF_BLOCKED) {
		return {
			message: `n8n does not allow the address of ${call}`,
			description: `Nothing was sent. ${SSRF_ADVICE}`,
		};
	}
	if (isInsecure(code)) {
		return {
			message: `There is no protected connection to the service for ${call}`,
			description: `Nothing was sent, because its certificate or its https does not work (${code}). Check Base URL in the credential. If it is right, ask the service operator, or have the administrator of this n8n trust the certificate (NODE_EXTRA_CA_CERTS).`,
		};
	}
	return {
		message: `The service could not be reached for ${call}`,
		description: `Nothing was sent${code ? ` (${code})` : ''}. Check Base URL in the credential and the network of this n8n, then run it again.`,
	};
}

function describeFailure(failed: CallFailed, call: string): FailureTexts {
	const { response, failure, outcomeUnknown } = failed;
	if (failure?.kind === 'oversized') {
		return {
			message: `The response to ${call} is too large to read`,
			description: outcomeUnknown ? LOOK_FIRST : 'Read fewer records or sections at a time.',
		};
	}
	if (outcomeUnknown) return describeDoubt(failed, call);
	if (response?.status === 429) {
		return {
			message: `The service kept rejecting ${call} because too many requests were sent with this key`,
			description: `It was not executed and can be run again later.${waitOf(failed)} If other tools use the same key, lower Rate Share in the credential. If the monthly volume is used up, ask the service operator.`,
		};
	}
	if (response?.status === 503) {
		return {
			message: `The service is not available for ${call}`,
			description: `It was not executed and can be run again later.${waitOf(failed)}`,
		};
	}
	if (failure?.kind === 'notSent') return describeUnsent(failure.code, call);
	return {
		message: `${call} failed: ${failureOf(failed)}`,
		description: 'Nothing was changed. Run it again later.',
	};
}

/** Turns a call that failed after its last attempt into an error to act on. */
export function failureError(failed: CallFailed, request: RequestDescription): ServiceError {
	const { response, replayable, outcomeUnknown } = failed;
	const entries = response ? errorEntries(response.text) : [];
	const { description, ...texts } = describeFailure(failed, callOf(request));
	return new ServiceError({
		...texts,
		description: `${description}${triesOf(failed)}${serviceMessage(entries)}`,
		httpCode: response?.status,
		replayable,
		outcomeUnknown,
		request,
		serviceErrors: entries,
	});
}

import { CallCancelled } from '../transport/cancellation';
import type { CallFailed } from '../transport/requestWithRetries';
import { type HttpResponse, isInsecure, SSRF_BLOCKED } from '../transport/httpRequest';
import type { RetryClass } from '../transport/retry';
import { errorEntries, formatEntry, serviceMessage } from './errorEnvelope';
import {
	isWebPage,
	messageOf,
	type RequestDescription,
	ServiceError,
	type ServiceErrorDetails,
	type ServiceErrorEntry,
} from './serviceErrors';

/** A call as messages name it: without its query. */
function callOf({ method, path }: RequestDescription): string {
	return `${method} ${path.replace(/\?.*$/s, '')}`;
}

const LOOK_FIRST =
	'Retrying could create a duplicate. Check in the service whether the record exists before you run this item again.';
const REPLAY_ADVICE =
	'If a duplicate does no harm, turn on the option "Retry Even if It May Duplicate".';

/** Advice for a call that may have succeeded. */
const adviceOf = (retryClass: RetryClass): { advice?: string } =>
	retryClass === 'unsafe' ? { advice: REPLAY_ADVICE } : {};

const unusableRisk: Record<RetryClass, string> = {
	read: '',
	safe: ' It may have succeeded. Running it again later is safe.',
	unsafe: ` ${LOOK_FIRST}`,
};

/** For a rejection after an attempt with an unknown outcome. */
const earlierRisk: Record<RetryClass, string> = {
	read: '',
	safe: ' An earlier attempt got no usable response and may have succeeded.',
	unsafe: ` An earlier attempt got no usable response and may have succeeded. ${LOOK_FIRST}`,
};

type Texts = Pick<ServiceErrorDetails, 'message' | 'description'>;

/** What the statuses mean that are about more than the values sent. */
function describeStatus(response: HttpResponse, call: string): Texts | undefined {
	switch (response.status) {
		case 401:
			return {
				message: `The service did not accept the key for ${call}`,
				description:
					'Open the credential and check API Key, Authentication, Username and Database Mode.',
			};
		case 403:
			return {
				message: `This key is not allowed to use ${call}`,
				description:
					'The key itself is right. Ask the service operator to allow this, or choose another credential.',
			};
		case 404:
			return isWebPage(response)
				? {
						message: `There is nothing at the address of ${call}`,
						description:
							'The response was a web page, not data. Check Base URL and API Version in the credential, and that IDs are whole numbers.',
					}
				: {
						message: `The service has no such record: ${call}`,
						description: 'Check the ID or name, and that it belongs to this key.',
					};
		case 405:
			return {
				message: `This deployment of the service does not offer ${call}`,
				description: 'Choose another operation, or ask the service operator for this one.',
			};
		default:
			return undefined;
	}
}

/** A rejection of the values sent. */
function describeRejection(
	response: HttpResponse,
	call: string,
	entries: ServiceErrorEntry[],
	mayHaveRun: boolean,
): Texts {
	if (entries.length > 0) {
		return {
			message: `The service rejected ${call}: ${entries.map(formatEntry).join('; ')}`,
			description: `Correct the named values and run the item again.${mayHaveRun ? '' : ' This request changed nothing.'}`,
		};
	}
	return {
		message: `The service rejected ${call} with status ${response.status}`,
		description: isWebPage(response)
			? 'The response was a web page, not data: a gateway in front of the service may not allow one of the values.'
			: `Check the values sent.${excerpt(response.text)}`,
	};
}

/**
 * Turns a rejection (4xx except 429, or a redirect) into an error to act on.
 * @param response says whether an earlier attempt may have succeeded
 */
export function rejectionError(
	response: HttpResponse & { mayHaveRunBefore: boolean },
	request: RequestDescription,
	retryClass: RetryClass,
): ServiceError {
	const call = callOf(request);
	const entries = errorEntries(response.text);
	const said = serviceMessage(entries);
	const isWrite = retryClass !== 'read';
	const mayHaveRun = response.mayHaveRunBefore && isWrite;
	const before = mayHaveRun ? earlierRisk[retryClass] : '';
	// A service may redirect to an error page after failing half-way; only 301, 307 and 308 say that
	// the address moved and nothing was done.
	const isOpen = response.status < 300 || response.status === 302 || response.status === 303;
	const base = {
		httpCode: response.status,
		replayable: isOpen && retryClass === 'safe',
		outcomeUnknown: mayHaveRun || (isOpen && isWrite),
		request,
		serviceErrors: entries,
		...(isOpen && adviceOf(retryClass)),
	};
	if (response.status < 300) {
		return new ServiceError({
			...base,
			message: `The service reported an error for ${call}: ${entries.map(formatEntry).join('; ')}`,
			description: `Its status says success (${response.status}), its content says error.${unusableRisk[retryClass]}`,
		});
	}
	if (response.status < 400) {
		const risk = isOpen ? unusableRisk[retryClass] : '';
		return new ServiceError({
			...base,
			message: `The service responded to ${call} with a redirect to another page instead of a result`,
			description: `It points to "${locationPath(response)}". Services do this for values with characters such as < > * & and when the address is not the interface itself. Check the values sent, and Base URL and API Version in the credential. Nothing was sent to the other page.${risk || before}${said}`,
		});
	}
	const { message, description } =
		describeStatus(response, call) ?? describeRejection(response, call, entries, mayHaveRun);
	return new ServiceError({ ...base, message, description: `${description}${before}${said}` });
}

function locationPath(response: HttpResponse): string {
	// Without its query, which may repeat the request.
	return (response.headers.location ?? 'an unnamed page').replace(/[?#].*$/s, '').slice(0, 200);
}

function excerpt(text: string): string {
	const visible = text.replace(/\s+/g, ' ').trim().slice(0, 300);
	return visible === '' ? '' : ` The response was: "${visible}".`;
}

/**
 * What went wrong, as the end of a sentence. Without the network's error code: n8n replaces a message
 * that contains one.
 * @param who sends the response
 */
export function failureOf({ response, failure }: CallFailed, who = 'the service'): string {
	if (failure?.kind === 'timeout') return 'there was no complete response in time';
	if (failure?.code === SSRF_BLOCKED) return 'n8n does not allow this address';
	if (failure?.kind === 'notSent')
		return isInsecure(failure.code)
			? 'there is no protected connection'
			: `${who} could not be reached`;
	if (failure?.kind === 'oversized') return 'the response is too large to read';
	if (failure) return 'the connection broke before the response was complete';
	return `${who} failed with status ${response?.status ?? 'unknown'}${response && isWebPage(response) ? ' and a web page instead of data' : ''}`;
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
		advice: replayable || wasRejected ? undefined : REPLAY_ADVICE,
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
			advice: outcomeUnknown ? REPLAY_ADVICE : undefined,
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
	const { message, description, advice } = describeFailure(failed, callOf(request));
	return new ServiceError({
		message,
		description: `${description}${triesOf(failed)}${serviceMessage(entries)}`,
		...(advice !== undefined && { advice }),
		httpCode: response?.status,
		replayable,
		outcomeUnknown,
		request,
		serviceErrors: entries,
	});
}

/**
 * The monthly volume is used up: service.md 8.2 does not say what the service would do.
 * @param limit requests this process may send in a month
 */
export function volumeUsedUpError(limit: number, request: RequestDescription): ServiceError {
	return new ServiceError({
		message: `The monthly volume of this key is used up: this n8n has sent ${limit.toLocaleString('en-US')} requests this month`,
		description:
			'Nothing was sent. Run the item again in the next month (UTC), or choose the right Rate Tier in the credential if the key may do more.',
		replayable: true,
		request,
	});
}

/** The service responded to a write that the person it names does not exist. */
export function noSuchPersonError(httpCode: number, request: RequestDescription): ServiceError {
	return new ServiceError({
		message: `The service has no such person: ${request.method} ${request.path}`,
		description: 'Nothing was changed. Check the ID, and that it belongs to this key.',
		httpCode,
		request,
	});
}

/** An unforeseen error after a request was sent. */
export function unforeseenError(
	error: unknown,
	request: RequestDescription,
	retryClass: RetryClass,
	known: Pick<ServiceErrorDetails, 'httpCode' | 'jobId'>,
): ServiceError {
	const call = `${request.method} ${request.path}`;
	const job = known.jobId === undefined ? '' : ` It started import job ${known.jobId}.`;
	const status = known.httpCode === undefined ? '' : ` The status was ${known.httpCode}.${job}`;
	return new ServiceError({
		message: `The response to ${call} could not be processed: ${messageOf(error)}`,
		description: `The request was sent.${status}${unusableRisk[retryClass]}`,
		...known,
		replayable: retryClass !== 'unsafe',
		outcomeUnknown: retryClass !== 'read',
		request,
	});
}

/** An unforeseen error that ended a run after it had sent something. */
export function brokenRunError(error: unknown): unknown {
	if (error instanceof ServiceError || error instanceof CallCancelled) return error;
	return new ServiceError({
		message: `The run stopped after requests were sent: ${messageOf(error)}`,
		description: `Which of them were executed is unknown. ${LOOK_FIRST}`,
		outcomeUnknown: true,
	});
}

/** A successful response that cannot be used: a web page, broken JSON, or an unexpected shape. */
export function unusableResponseError(
	response: HttpResponse,
	request: RequestDescription,
	retryClass: RetryClass,
	what: string,
): ServiceError {
	const call = callOf(request);
	return new ServiceError({
		message: `The service responded to ${call} with ${what}`,
		description: `${
			isWebPage(response)
				? 'A login page, a proxy or a wrong address may stand between n8n and the service. Check Base URL and API Version in the credential.'
				: `The response could not be read.${excerpt(response.text)}`
		}${unusableRisk[retryClass]}`,
		...adviceOf(retryClass),
		httpCode: response.status,
		replayable: retryClass !== 'unsafe',
		outcomeUnknown: retryClass !== 'read',
		request,
	});
}

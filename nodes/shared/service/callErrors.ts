import { CallCancelled } from '../transport/cancellation';
import type { HttpResponse } from '../transport/httpRequest';
import { isInsecure, SSRF_BLOCKED } from '../transport/requestFailure';
import type { CallFailed } from '../transport/requestWithRetries';
import type { RetryClass } from '../transport/retry';
import { errorEntries, formatEntries, serviceMessage } from './errorEnvelope';
import {
	CHECK_ADDRESS,
	CHECK_KEY,
	isWebPage,
	messageOf,
	type RequestDescription,
	ServiceError,
	type ServiceErrorDetails,
	type ServiceErrorEntry,
} from './serviceErrors';

/** A call as messages name it: without its query. */
function callOf({ method, path }: RequestDescription): string {
	return `${method} ${path.split('?', 1)[0] ?? ''}`;
}

const LOOK_FIRST =
	'Retrying could create a duplicate. Check in the service whether the record exists before you run this item again.';

/** What is known of a call that the service executed or may have executed. */
const knownOfSent = (retryClass: RetryClass) => ({
	replayable: retryClass !== 'unsafe',
	outcomeUnknown: retryClass !== 'read',
});

const unusableRisk: Record<RetryClass, string> = {
	read: '',
	safe: ' It may have succeeded. Running it again later is safe.',
	unsafe: ` ${LOOK_FIRST}`,
};

type Texts = Pick<ServiceErrorDetails, 'message' | 'description'>;

type StatusTexts = readonly [before: string, description: string];

const statusTexts: Partial<Record<number, StatusTexts>> = {
	401: ['The service did not accept the key for', `Open the credential. ${CHECK_KEY}.`],
	403: [
		'This key is not allowed to use',
		'The key itself is right. Ask the service operator to allow this, or choose another credential.',
	],
	404: [
		'The service has no such record:',
		'Check the ID or name, and that it belongs to this key.',
	],
	405: [
		'This deployment of the service does not offer',
		'Choose another operation, or ask the service operator for this one.',
	],
};
const nothingThere: StatusTexts = [
	'There is nothing at the address of',
	`The response was a web page, not data. ${CHECK_ADDRESS} in the credential, and that IDs are whole numbers.`,
];

function describeRejection(
	response: HttpResponse,
	call: string,
	entries: ServiceErrorEntry[],
	mayHaveRun: boolean,
): Texts {
	const { status } = response;
	const known = status === 404 && isWebPage(response) ? nothingThere : statusTexts[status];
	if (known) return { message: `${known[0]} ${call}`, description: known[1] };
	if (entries.length > 0) {
		return {
			message: `The service rejected ${call}: ${formatEntries(entries)}`,
			description: `Correct the named values and run it again.${mayHaveRun ? '' : ' This request changed nothing.'}`,
		};
	}
	return {
		message: `The service rejected ${call} with status ${status}`,
		description: isWebPage(response)
			? 'The response was a web page, not data: a gateway in front of the service may not allow one of the values.'
			: `Check the values sent.${excerpt(response.text)}`,
	};
}

/** The error for a rejection (4xx except 408 and 429), a redirect, or an error in a successful response. */
export function rejectionError(
	response: HttpResponse & { mayHaveRunBefore: boolean },
	request: RequestDescription,
	retryClass: RetryClass,
): ServiceError {
	const call = callOf(request);
	const entries = errorEntries(response.text);
	const said = serviceMessage(entries);
	const { status } = response;
	const isWrite = retryClass !== 'read';
	const mayHaveRun = response.mayHaveRunBefore && isWrite;
	const look = retryClass === 'unsafe' ? ` ${LOOK_FIRST}` : '';
	const before = mayHaveRun
		? ` An earlier attempt got no usable response and may have succeeded.${look}`
		: '';
	// A service may redirect after failing half-way; 301, 307 and 308 say that nothing was done.
	const isOpen = status < 300 || status === 302 || status === 303;
	const base = {
		httpCode: status,
		outcomeUnknown: mayHaveRun,
		...(isOpen && isWrite && knownOfSent(retryClass)),
		request,
		serviceErrors: entries,
	};
	if (status < 300) {
		return new ServiceError({
			...base,
			message: `The service reported an error for ${call}: ${formatEntries(entries)}`,
			description: `The status is success (${status}), but the content reports an error.${unusableRisk[retryClass]}`,
		});
	}
	if (status < 400) {
		const risk = isOpen ? unusableRisk[retryClass] : '';
		return new ServiceError({
			...base,
			message: `The service responded to ${call} with a redirect to another page instead of a result`,
			description: `It points to "${locationPath(response)}". Services do this when a value contains characters such as < > * & or when the address is not the interface itself. Check the values sent. ${CHECK_ADDRESS} in the credential. Nothing was sent to the other page.${risk || before}${said}`,
		});
	}
	const { message, description } = describeRejection(response, call, entries, mayHaveRun);
	const more = message.endsWith(formatEntries(entries)) ? '' : said;
	return new ServiceError({ ...base, message, description: `${description}${before}${more}` });
}

function locationPath(response: HttpResponse): string {
	// Without its query, which may repeat the request.
	const location = response.headers.location ?? 'an unnamed page';
	return (location.split(/[?#]/, 1)[0] ?? '').slice(0, 200);
}

function excerpt(text: string): string {
	const visible = text.replace(/\s+/g, ' ').trim().slice(0, 300);
	return visible && ` The response was: "${visible}".`;
}

/** @param limit requests this process may send in a month (service.md 8.2) */
export function volumeUsedUpError(
	limit: number,
	outcomeUnknown: boolean,
	request: RequestDescription,
): ServiceError {
	return new ServiceError({
		message: `The monthly volume of this key is used up: this n8n has sent ${limit.toLocaleString('en-US')} requests this month`,
		description: `${outcomeUnknown ? 'An earlier attempt may have succeeded.' : 'Nothing was sent.'} Run the item again in the next month (UTC). If the key has a higher limit, choose the right Rate Tier in the credential (Deployment: Other).`,
		replayable: true,
		outcomeUnknown,
		request,
	});
}

export function addressTooLong(): ServiceError {
	return new ServiceError({
		message: 'A value is too long to be part of the address of a request',
		description: 'Nothing was sent. Shorten the IDs, names and options of the item.',
	});
}

export function noSuchPersonError(httpCode: number, request: RequestDescription): ServiceError {
	return new ServiceError({
		message: `The service has no such person: ${request.method} ${request.path}`,
		description: 'Nothing was changed. Check the ID, and that it belongs to this key.',
		httpCode,
		request,
	});
}

export function unforeseenError(
	error: unknown,
	request: RequestDescription,
	retryClass: RetryClass,
	known: Pick<ServiceErrorDetails, 'httpCode' | 'jobId'>,
): ServiceError {
	const job = known.jobId === undefined ? '' : ` It started import job ${known.jobId}.`;
	const status = known.httpCode === undefined ? '' : ` The status was ${known.httpCode}.${job}`;
	return new ServiceError({
		message: `The response to ${callOf(request)} could not be processed: ${messageOf(error)}`,
		description: `The request was sent.${status}${unusableRisk[retryClass]}`,
		...known,
		...knownOfSent(retryClass),
		request,
	});
}

/** @param jobIds import jobs that the execution has started; empty for none */
export function brokenRunError(error: unknown, jobIds: string): unknown {
	if (error instanceof ServiceError || error instanceof CallCancelled) return error;
	const jobs = jobIds && ` Import jobs of this execution: ${jobIds}.`;
	return new ServiceError({
		message: `The run stopped after requests were sent: ${messageOf(error)}`,
		description: `It is unknown which of them were executed. ${LOOK_FIRST}${jobs}`,
		outcomeUnknown: true,
	});
}

export function unusableResponseError(
	response: HttpResponse,
	request: RequestDescription,
	retryClass: RetryClass,
	what: string,
): ServiceError {
	const cause = isWebPage(response)
		? `A login page, a proxy or a wrong address may stand between n8n and the service. ${CHECK_ADDRESS} in the credential.`
		: `The response could not be read.${excerpt(response.text)}`;
	return new ServiceError({
		message: `The service responded to ${callOf(request)} with ${what}`,
		description: `${cause}${unusableRisk[retryClass]}`,
		httpCode: response.status,
		...knownOfSent(retryClass),
		request,
	});
}

/** The end of a sentence, without the network's error code: n8n replaces a message that contains one. */
export function failureOf({ response, failure }: CallFailed, who = 'the service'): string {
	if (failure?.kind === 'timeout') return 'there was no complete response in time';
	if (failure?.code === SSRF_BLOCKED) return 'n8n does not allow this address';
	if (failure && isInsecure(failure.code)) return 'no secure connection could be made';
	if (failure?.kind === 'notSent') return `${who} could not be reached`;
	if (failure?.kind === 'oversized') return 'the response is too large to read';
	if (failure) return 'the connection broke before the response was complete';
	if (!response) return `${who} rejected all requests`;
	const page = isWebPage(response) ? ' and a web page instead of data' : '';
	return `${who} failed with status ${response.status}${page}`;
}

function triesOf({ attempts }: CallFailed): string {
	return attempts <= 1 ? '' : ` It was tried ${attempts} times.`;
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
	const wasRejected = failure
		? failure.kind === 'notSent'
		: !response || [429, 503].includes(response.status);
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
			message: `No secure connection to the service could be made for ${call}`,
			description: `Nothing was sent, because https or its certificate failed (${code}). ${CHECK_ADDRESS} in the credential. If they are right, ask the service operator, or have the administrator of this n8n trust the certificate (NODE_EXTRA_CA_CERTS).`,
		};
	}
	return {
		message: `The service could not be reached for ${call}`,
		description: `Nothing was sent${code ? ` (${code})` : ''}. ${CHECK_ADDRESS} in the credential, and the network of this n8n. Then run it again.`,
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
	const isKeyBlocked = !response && !failure;
	if (isKeyBlocked || response?.status === 429) {
		return {
			message: `The service kept rejecting ${call} because too many requests were sent with this key`,
			description: `It was not executed and can be run again later.${waitOf(failed)} If other tools use the same key, lower Rate Share in the credential (Deployment: Other). If the monthly volume is used up, ask the service operator.`,
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

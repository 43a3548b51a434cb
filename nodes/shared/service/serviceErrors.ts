import type { HttpResponse } from '../transport/httpRequest';
import { redactUrls } from '../transport/redaction';

/** Deployments show different fields of the credential. */
export const CHECK_ADDRESS = 'Check Deployment and, if shown, Base URL and API Version';
export const CHECK_KEY =
	'Check Deployment, API Key and, if shown, Authentication, Username, Application Name and Database Mode';

/** One error of the service, as far as it says: service.md 9.1. */
export interface ServiceErrorEntry {
	code?: string;
	text?: string;
	/** What it is about: `phones[0].phoneNumber`. */
	properties?: string[];
	hint?: string;
	referenceCode?: string;
}

/** A request without credentials, for error outputs and dry runs. */
export interface RequestDescription {
	method: string;
	/** Path below the version, with query. */
	path: string;
	body?: unknown;
}

export interface ServiceErrorDetails {
	message: string;
	description: string;
	/** Further help, which an operation that knows better omits. */
	advice?: string;
	httpCode?: number;
	/** Whether retrying the call later is safe. */
	replayable: boolean;
	/** Whether the service may have executed the call. */
	outcomeUnknown: boolean;
	request?: RequestDescription;
	jobId?: number;
	serviceErrors: ServiceErrorEntry[];
}

export class ServiceError extends Error {
	readonly details: ServiceErrorDetails;

	constructor(
		details: Pick<ServiceErrorDetails, 'message' | 'description'> & Partial<ServiceErrorDetails>,
	) {
		super(details.message);
		this.name = 'ServiceError';
		this.details = { replayable: false, outcomeUnknown: false, serviceErrors: [], ...details };
	}

	with(changes: Partial<ServiceErrorDetails>): ServiceError {
		return new ServiceError({ ...this.details, ...changes });
	}

	/** The description with all additions. */
	get fullDescription(): string {
		const { description, advice } = this.details;
		return advice === undefined ? description : `${description} ${advice}`;
	}
}

/** The message of an error, without secrets in its URLs. */
export function messageOf(error: unknown): string {
	if (error instanceof ServiceError) return error.details.message;
	return redactUrls(error instanceof Error ? error.message : String(error));
}

export function isWebPage({ headers, text }: Pick<HttpResponse, 'headers' | 'text'>): boolean {
	return (
		/\bhtml\b/i.test(headers['content-type'] ?? '') ||
		/^\s*<(!doctype|html|head|body)\b/i.test(text)
	);
}

/** One entry of the service's error envelope (service.md 9.1). */
export interface ServiceErrorEntry {
	code: string;
	text: string;
	/** Dotted paths with `[i]` into the request body. */
	properties?: string[];
	hint?: string;
	referenceCode?: string;
}

/** Thrown wherever a request is rejected; the HTTP layer responds with the error envelope. */
export class RequestRejected extends Error {
	constructor(
		readonly status: number,
		readonly errors: ServiceErrorEntry[],
	) {
		super(errors.map((entry) => entry.text).join('; '));
	}
}

export function badRequest(text: string, properties?: string[], hint?: string): RequestRejected {
	return new RequestRejected(400, [
		{ code: 'INVALID_PARAMETER', text, ...(properties && { properties }), ...(hint && { hint }) },
	]);
}

export function forbidden(text: string): RequestRejected {
	return new RequestRejected(403, [{ code: 'FORBIDDEN', text }]);
}

export function notFound(text = 'The specified resource cannot be found.'): RequestRejected {
	return new RequestRejected(404, [{ code: 'NOT_FOUND', text }]);
}

/** @param present the methods the path does have */
export function methodNotAllowed(method: string, present: readonly string[]): RequestRejected {
	return new RequestRejected(405, [
		{
			code: 'METHOD_NOT_ALLOWED',
			text: `The requested resource does not support http method '${method}'.`,
			hint: present.join(', '),
		},
	]);
}

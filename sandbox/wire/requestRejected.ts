/** One entry of the service's error envelope (service.md 9.1). */
export interface ServiceErrorEntry {
	code: string;
	text: string;
	/** Dotted paths with `[i]` into the request body. */
	properties?: string[];
	hint?: string;
	referenceCode?: string;
}

/** Thrown wherever a request is refused; the HTTP layer answers with the error envelope. */
export class RequestRejected extends Error {
	constructor(
		readonly status: number,
		readonly errors: ServiceErrorEntry[],
	) {
		super(errors.map((entry) => entry.text).join('; '));
	}

	static badRequest(text: string, properties?: string[], hint?: string): RequestRejected {
		return new RequestRejected(400, [
			{ code: 'INVALID_PARAMETER', text, ...(properties && { properties }), ...(hint && { hint }) },
		]);
	}
}

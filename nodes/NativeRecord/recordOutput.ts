import type { IDataObject } from 'n8n-workflow';

import type { NativeService, ServiceAnswer } from '../shared/service/nativeService';

/** An entry of an answer as the data of an item; a list may hold plain values, such as names. */
export function recordOutput(service: NativeService, entry: unknown): IDataObject {
	const shown = service.redactor.value(entry);
	return shown !== null && typeof shown === 'object' && !Array.isArray(shown)
		? (shown as IDataObject)
		: ({ value: shown } as IDataObject);
}

/** The last part of the address of a new record. */
function idOfAddress(address: string | undefined): string | undefined {
	return /\/([^/?#]+)\/?(?:[?#]|$)/.exec(address ?? '')?.[1];
}

/**
 * The response to a call that wrote. Many carry no body at all; an item that says so is more use to the
 * nodes behind than an empty one.
 * @param known what the call itself says of the record, for answers without a body
 */
export function writtenOutput(
	service: NativeService,
	{ body, headers }: ServiceAnswer,
	known: IDataObject,
): IDataObject[] {
	if (Array.isArray(body)) return body.map((entry) => recordOutput(service, entry));
	if (body !== undefined && body !== null) return [recordOutput(service, body)];
	const recordId = idOfAddress(headers.location);
	return [{ success: true, ...(recordId !== undefined && { recordId }), ...known }];
}

import type { IDataObject } from 'n8n-workflow';

import type { NativeService, ServiceResponse } from '../shared/service/nativeService';

/** An entry of a response as an item's data; a list may hold plain values, such as names. */
export function recordOutput(service: NativeService, entry: unknown): IDataObject {
	const shown = service.redactor.value(entry);
	return shown !== null && typeof shown === 'object' && !Array.isArray(shown)
		? (shown as IDataObject)
		: ({ value: shown } as IDataObject);
}

/** The last path segment of a new record's address. */
function idOfAddress(address: string | undefined): string | undefined {
	return /\/([^/?#]+)\/?(?:[?#]|$)/.exec(address ?? '')?.[1];
}

/**
 * The output of a write. Many responses have no body; following nodes need more than an empty item.
 * @param known what the call says about the record, for responses without a body
 */
export function writeOutput(
	service: NativeService,
	{ body, headers }: ServiceResponse,
	known: IDataObject,
): IDataObject[] {
	if (Array.isArray(body)) return body.map((entry) => recordOutput(service, entry));
	if (body !== undefined && body !== null) return [recordOutput(service, body)];
	const recordId = idOfAddress(headers.location);
	return [{ success: true, ...(recordId !== undefined && { recordId }), ...known }];
}

import type { IDataObject } from 'n8n-workflow';

import { entryOutput } from '../shared/operations/getMany';
import type { NativeService, ServiceResponse } from '../shared/service/nativeService';

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
	if (Array.isArray(body)) return body.map((entry) => entryOutput(service, entry));
	if (body !== undefined && body !== null) return [entryOutput(service, body)];
	const recordId = idOfAddress(headers.location);
	return [{ success: true, ...(recordId !== undefined && { recordId }), ...known }];
}

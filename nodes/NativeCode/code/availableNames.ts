import { type Endpoint, endpoints } from '../../shared/service/endpoints';
import { nameSchema } from '../../shared/service/lookups';
import type { CallValues, NativeService } from '../../shared/service/nativeService';
import { ServiceError } from '../../shared/service/serviceErrors';

/** A key may create codes without being allowed to list what they are made of. */
const LIST_NOT_THERE = [403, 404, 405];

async function names<E extends Endpoint>(
	service: NativeService,
	endpoint: E,
	values: CallValues<E>,
): Promise<string[] | undefined> {
	const found: string[] = [];
	try {
		for await (const entry of service.list(endpoint, values, { paged: false })) {
			const name = nameSchema.safeParse(entry);
			if (name.success) found.push(name.data);
		}
	} catch (error) {
		if (error instanceof ServiceError && LIST_NOT_THERE.includes(error.details.httpCode ?? 0))
			return undefined;
		return await Promise.reject(error as Error);
	}
	return found;
}

/** What the key may use. Each list is read once, by the first item that needs it; undefined: not readable. */
export interface AvailableNamesReader {
	codeTypes(): Promise<string[] | undefined>;
	supportedEntities(): Promise<string[] | undefined>;
}

export function availableNamesReader(service: NativeService): AvailableNamesReader {
	let codeTypes: Promise<string[] | undefined> | undefined;
	let supportedEntities: Promise<string[] | undefined> | undefined;
	return {
		codeTypes: async () =>
			await (codeTypes ??= names(service, endpoints.listCodeTypes, { path: {} })),
		supportedEntities: async () =>
			await (supportedEntities ??= names(service, endpoints.listSupportedEntities, { path: {} })),
	};
}

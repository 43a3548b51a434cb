import { type Endpoint, endpoints } from '../../shared/service/endpoints';
import { nameSchema } from '../../shared/service/lookups';
import type { CallValues, NativeService } from '../../shared/service/nativeService';
import { ServiceError } from '../../shared/service/serviceErrors';
import { rethrow } from '../../shared/transport/rethrow';

/** A key may create codes without permission to list their types and entities. */
const LIST_NOT_THERE = [403, 404, 405];

async function readNames<E extends Endpoint>(
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
		rethrow(error);
	}
	return found;
}

/** Undefined if the list cannot be read. */
interface AvailableNames {
	codeTypes(): Promise<string[] | undefined>;
	supportedEntities(): Promise<string[] | undefined>;
}

const namesOfRun = new WeakMap<NativeService, AvailableNames>();

/** Names for one run. The first item that needs a list reads it, once. */
export function availableNames(service: NativeService): AvailableNames {
	const known = namesOfRun.get(service);
	if (known) return known;
	const list = <E extends Endpoint>(endpoint: E, values: CallValues<E>) => {
		let reading: Promise<string[] | undefined> | undefined;
		return async () => await (reading ??= readNames(service, endpoint, values));
	};
	const names = {
		codeTypes: list(endpoints.listCodeTypes, { path: {} }),
		supportedEntities: list(endpoints.listSupportedEntities, { path: {} }),
	};
	namesOfRun.set(service, names);
	return names;
}

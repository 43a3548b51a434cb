import { ServiceList } from '../../shared/execution/serviceList';
import type { NativeService } from '../../shared/service/nativeService';
import { ServiceError } from '../../shared/service/serviceErrors';
import type { ListSource } from '../../shared/service/serviceLists';
import { rethrow } from '../../shared/transport/rethrow';

/** A key may create codes without permission to list their types and entities. */
const LIST_NOT_THERE = [403, 404, 405];

/** The names in a list of the service; undefined if it cannot be read. */
export async function availableNames(
	service: NativeService,
	source: ListSource,
): Promise<string[] | undefined> {
	try {
		const { entries } = await ServiceList.read(service, source);
		return entries.map(({ id }) => String(id));
	} catch (error) {
		if (error instanceof ServiceError && LIST_NOT_THERE.includes(error.details.httpCode ?? 0))
			return undefined;
		rethrow(error);
	}
}

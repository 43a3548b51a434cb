import { ServiceList } from '../../shared/execution/serviceList';
import { endpoints } from '../../shared/service/endpoints';
import {
	describedField,
	type MappingTypeDescription,
	mappingTypeDescriptionSchema,
} from '../../shared/service/mappingRules';
import type { NativeService } from '../../shared/service/nativeService';
import { suggestion } from '../../shared/service/nearestName';
import { ServiceError } from '../../shared/service/serviceErrors';
import { fieldValues, mappingTypes } from '../../shared/service/serviceLists';
import { rethrow } from '../../shared/transport/rethrow';

/** What is known of a mapping type; empty if the key may not read its description. */
interface DescribedMappingType {
	description?: MappingTypeDescription;
	/** The message, if the service does not have this mapping type. */
	unknown?: string;
}

function statusOf(error: unknown): number | undefined {
	return error instanceof ServiceError ? error.details.httpCode : undefined;
}

export async function readMappingTypes(service: NativeService): Promise<MappingTypeDescription[]> {
	const { entries } = await ServiceList.read(service, mappingTypes);
	return entries.map(({ description }) => description);
}

/**
 * Reads each description once. A key that may not read descriptions can still import, so a 403 gives none.
 * Throws ServiceError for all other faults.
 */
export async function describeMappingType(
	service: NativeService,
	mappingTypeName: string,
): Promise<DescribedMappingType> {
	return await service.once(`mapping type ${mappingTypeName}`, async () => {
		try {
			const description = await service.read(
				endpoints.getBulkImportMappingType,
				{ path: { mappingTypeName } },
				mappingTypeDescriptionSchema,
			);
			return { description };
		} catch (error) {
			const status = statusOf(error);
			if (status === 403) return {};
			if (status !== 404 && status !== 400) rethrow(error);
			const known = (await readMappingTypes(service)).map(({ name }) => name);
			return {
				unknown: `The service has no mapping type "${mappingTypeName}" for this key.${suggestion(mappingTypeName, known)}`,
			};
		}
	});
}

/**
 * Undefined if the field takes any value, or if the service has no list of them for this key. Throws
 * ServiceError for all other faults: names would be sent in place of IDs.
 */
export async function readAcceptedValues(
	service: NativeService,
	mappingType: MappingTypeDescription,
	fieldName: string,
): Promise<ServiceList | undefined> {
	const field = describedField(mappingType, fieldName);
	if (field?.hasPredefinedValues !== true) return undefined;
	try {
		return await ServiceList.read(service, fieldValues(mappingType.name, field.name));
	} catch (error) {
		if (![400, 403, 404].includes(statusOf(error) ?? 0)) rethrow(error);
		return undefined;
	}
}

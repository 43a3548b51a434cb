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

/** Descriptions of mapping types. Each description and each list of values is read once. */
export class MappingTypeDescriptions {
	private readonly descriptions = new Map<string, Promise<DescribedMappingType>>();
	private readonly values = new Map<string, Promise<ServiceList | undefined>>();

	constructor(private readonly service: NativeService) {}

	/**
	 * A key that may not read descriptions can still import, so a 403 gives no description.
	 * Throws ServiceError for all other faults.
	 */
	async describe(mappingTypeName: string): Promise<DescribedMappingType> {
		const reading = this.descriptions.get(mappingTypeName) ?? this.readDescription(mappingTypeName);
		this.descriptions.set(mappingTypeName, reading);
		return await reading;
	}

	/** Undefined if the field takes any value, or if the list cannot be read. */
	async readAcceptedValues(
		mappingType: MappingTypeDescription,
		fieldName: string,
	): Promise<ServiceList | undefined> {
		const field = describedField(mappingType, fieldName);
		if (field?.hasPredefinedValues !== true) return undefined;
		const key = `${mappingType.name} ${field.name}`;
		const reading = this.values.get(key) ?? this.readValues(mappingType.name, field.name);
		this.values.set(key, reading);
		return await reading;
	}

	private async readDescription(mappingTypeName: string): Promise<DescribedMappingType> {
		try {
			const description = await this.service.read(
				endpoints.getBulkImportMappingType,
				{ path: { mappingTypeName } },
				mappingTypeDescriptionSchema,
			);
			return { description };
		} catch (error) {
			const status = statusOf(error);
			if (status === 403) return {};
			if (status !== 404 && status !== 400) rethrow(error);
			const { entries } = await ServiceList.read(this.service, mappingTypes);
			const known = entries.map(({ id }) => id);
			return {
				unknown: `The service has no mapping type "${mappingTypeName}" for this key.${suggestion(mappingTypeName, known)}`,
			};
		}
	}

	private async readValues(
		mappingTypeName: string,
		fieldName: string,
	): Promise<ServiceList | undefined> {
		try {
			return await ServiceList.read(this.service, fieldValues(mappingTypeName, fieldName));
		} catch (error) {
			if (statusOf(error) === undefined) rethrow(error);
			return undefined;
		}
	}
}

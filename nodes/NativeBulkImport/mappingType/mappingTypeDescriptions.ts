import { endpoints } from '../../shared/service/endpoints';
import { describedField } from '../../shared/service/mappingRules';
import {
	type FieldValue,
	fieldValueSchema,
	type MappingTypeDescription,
	mappingTypeDescriptionSchema,
} from '../../shared/service/mappingType';
import type { NativeService } from '../../shared/service/nativeService';
import { comparableName, nearestNamesText, suggestion } from '../../shared/service/nearestName';
import { ServiceError } from '../../shared/service/serviceErrors';
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

/** The predefined values of a field: IDs and names. */
export class AcceptedValues {
	/** IDs and names in the service's spelling, by lower case. */
	private readonly texts = new Map<string, string>();
	private readonly ids = new Map<string, string>();
	private readonly idsByName = new Map<string, Set<string>>();

	add({ id, name }: FieldValue): void {
		const written = id ?? name;
		if (written === null || written === undefined) return;
		this.ids.set(String(written).toLowerCase(), String(written));
		for (const text of [String(written), name ?? '']) {
			if (text !== '') this.texts.set(text.toLowerCase(), text);
		}
		const key = comparableName(name ?? '');
		if (key === '') return;
		this.idsByName.set(key, (this.idsByName.get(key) ?? new Set()).add(String(written)));
	}

	/** The ID for an ID or a name, compared without case and blanks; undefined if there is not one. */
	idOf(text: string): string | undefined {
		const [only, ...others] = this.idsByName.get(comparableName(text)) ?? [];
		return this.ids.get(text.toLowerCase()) ?? (others.length === 0 ? only : undefined);
	}

	/** A blank value leaves the field as it is: rule 5 of service.md 2.6. */
	accept(value: string): boolean {
		return value === '' || (this.texts.has(value.toLowerCase()) && this.idOf(value) !== undefined);
	}

	/** @param places where the value stands, e.g. ` (row 3)` */
	describeRejection(value: string, places = ''): string {
		const shown = value.slice(0, 60);
		const named = this.idsByName.get(comparableName(value)) ?? new Set();
		if (named.size > 1)
			return `"${shown}" is the name of ${named.size} values (IDs ${[...named].join(', ')})${places}. Use the ID of the right one.`;
		const known = [...this.texts.values()];
		const nearest =
			suggestion(value, known) || (known.length > 0 ? ` ${nearestNamesText(value, known)}` : '');
		return `"${shown}" is not one of the values the service accepts${places}.${nearest}`;
	}
}

/** Descriptions of mapping types. Each description and each list of values is read once. */
export class MappingTypeDescriptions {
	private readonly descriptions = new Map<string, Promise<DescribedMappingType>>();
	private readonly values = new Map<string, Promise<AcceptedValues | undefined>>();
	private names: Promise<string[]> | undefined;

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
	): Promise<AcceptedValues | undefined> {
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
			this.names ??= this.readNames();
			return {
				unknown: `The service has no mapping type "${mappingTypeName}" for this key.${suggestion(mappingTypeName, await this.names)}`,
			};
		}
	}

	private async readNames(): Promise<string[]> {
		const names: string[] = [];
		const list = this.service.list(
			endpoints.listBulkImportMappingTypes,
			{ path: {} },
			{ paged: false },
		);
		for await (const entry of list) {
			const parsed = mappingTypeDescriptionSchema.safeParse(entry);
			if (parsed.success) names.push(parsed.data.name);
		}
		return names;
	}

	private async readValues(
		mappingTypeName: string,
		fieldName: string,
	): Promise<AcceptedValues | undefined> {
		const accepted = new AcceptedValues();
		try {
			const path = { mappingTypeName, fieldName };
			for await (const entry of this.service.list(endpoints.listBulkImportFieldValues, { path })) {
				const parsed = fieldValueSchema.safeParse(entry);
				if (parsed.success) accepted.add(parsed.data);
			}
			return accepted;
		} catch (error) {
			if (statusOf(error) === undefined) rethrow(error);
			return undefined;
		}
	}
}

import type { StoredPerson } from '../store/tenantStore';
import {
	columnIndexOf,
	fieldOfColumn,
	mappedFields,
	type MappedField,
} from './mapping/fieldMapping';
import type { ActionRequest, FileRequest, MappingTypeRequest } from './jobRequestSchema';
import { sameName } from './mapping/mappingType';
import {
	CONTRIBUTION_ID_COLUMN,
	CREATE_OR_UPDATE_CONTACT,
	keyFieldOf,
	type MappingTypeCatalogue,
} from './mapping/mappingTypeCatalogue';
import type { ResultRow } from './resultFile';
import { createOrUpdateContact } from './rowProcessors/contactRow';
import {
	NO_PERSON_FOUND,
	PROCESSED,
	rejected,
	type ImportContext,
	type RowOutcome,
} from './rowProcessors/rowProcessor';
import { PERSON_PROCESSORS } from './rowProcessors/rowProcessors';
import { rawValue, RowValuesReader } from './mapping/rowValues';

interface Mapping {
	typeName: string;
	reader: RowValuesReader;
}

interface RowImport {
	result: ResultRow;
	isImported: boolean;
	hasError: boolean;
}

/** One action of a job, applied row by row to the tenant's records. */
export class ActionImport {
	private readonly mappings: Mapping[];
	private readonly keyField: string;
	private readonly key: MappedField | null;
	private readonly includedColumns: number[];

	/** @param action of a body that validateJobRequest accepted */
	constructor(
		action: ActionRequest,
		file: FileRequest,
		catalogue: MappingTypeCatalogue,
		private readonly context: ImportContext,
	) {
		const columnNames = file.columns.map((column) => column.name);
		this.keyField = keyFieldOf(action.resourceType, context.vocabulary);
		const isKey = (field: MappedField) => sameName(field.fieldName, this.keyField);
		const types = action.mappingTypes.map((type) => this.resolve(type, columnNames, catalogue));
		const keyFields = [
			...types.flatMap((type) => type.fields).filter(isKey),
			...fieldOfColumn(this.keyField, this.keyField, columnNames),
		];
		this.key = keyFields[0] ?? null;
		this.mappings = types.map(({ definition, fields }) => ({
			typeName: definition.description.name,
			reader: new RowValuesReader(
				definition,
				fields.filter((field) => !isKey(field)),
			),
		}));
		this.includedColumns = (action.columnsToIncludeInResultsFile ?? []).map((column) =>
			columnIndexOf(columnNames, column.name),
		);
	}

	private resolve(
		type: MappingTypeRequest,
		columnNames: string[],
		catalogue: MappingTypeCatalogue,
	) {
		const definition = catalogue.find(type.name);
		if (!definition) throw new Error(`Mapping type ${type.name} is not in the catalogue`);
		return {
			definition,
			fields: mappedFields(
				definition.description,
				type.fieldValueMappings,
				columnNames,
				this.keyField,
			),
		};
	}

	apply(row: string[], rowNumber: number): RowImport {
		const keyText = this.key === null ? '' : rawValue(this.key, row);
		const { primaryKey, outcomes } =
			this.keyField === CONTRIBUTION_ID_COLUMN
				? this.applyToContribution(row, keyText)
				: this.applyToPerson(row, keyText);
		return {
			result: {
				rowNumber,
				primaryKey,
				included: this.includedColumns.map((index) => row[index] ?? ''),
				messages: outcomes.map((outcome) => outcome.message),
			},
			isImported: outcomes.some((outcome) => !outcome.isError),
			hasError: outcomes.some((outcome) => outcome.isError),
		};
	}

	private applyToContribution(row: string[], contributionId: string) {
		const id = idOf(contributionId);
		const isKnown = this.context.store.records.get('contributions')?.has(id) ?? false;
		return {
			primaryKey: isKnown ? String(id) : '',
			outcomes: this.mappings.map((mapping) =>
				isKnown ? this.applyMapping(mapping, row) : rejected('No contribution found'),
			),
		};
	}

	/** The person comes first, whatever the order of the mapping types: the others apply to it. */
	private applyToPerson(row: string[], personId: string) {
		let person: StoredPerson | undefined = this.context.store.people.get(idOf(personId));
		const contactOutcomes = new Map<Mapping, RowOutcome>();
		for (const mapping of this.mappings) {
			if (mapping.typeName !== CREATE_OR_UPDATE_CONTACT) continue;
			const read = mapping.reader.read(row);
			const outcome: RowOutcome & { person?: StoredPerson } =
				'problem' in read
					? rejected(read.problem)
					: createOrUpdateContact(this.context, personId, read.values);
			person = outcome.person ?? person;
			contactOutcomes.set(mapping, outcome);
		}
		const outcomes = this.mappings.map((mapping) => {
			const contactOutcome = contactOutcomes.get(mapping);
			if (contactOutcome) return contactOutcome;
			return person ? this.applyMapping(mapping, row, person) : NO_PERSON_FOUND;
		});
		return { primaryKey: person ? String(person.nativeId) : '', outcomes };
	}

	private applyMapping(
		{ typeName, reader }: Mapping,
		row: string[],
		person?: StoredPerson,
	): RowOutcome {
		const read = reader.read(row);
		if ('problem' in read) return rejected(read.problem);
		const process = person && PERSON_PROCESSORS.get(typeName);
		return process ? process(this.context, person, read.values) : PROCESSED;
	}
}

/** NaN, which no record has, for text that is not a whole number. */
function idOf(text: string): number {
	return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

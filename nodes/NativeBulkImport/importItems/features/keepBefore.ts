import { sumBy } from 'lodash';
import type { IBinaryData, IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { customDataOf } from '../../../shared/execution/importJobOutput';
import { showHint } from '../../../shared/execution/showHint';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import { fileText, writtenText } from '../../../shared/importFile/delimitedRows';
import { type FileRow, joinChunks } from '../../../shared/importFile/importFiles';
import { isProcessed } from '../../../shared/importFile/resultFile';
import { wholeId } from '../../../shared/service/bodySchema';
import { counted } from '../../../shared/service/counted';
import { endpoints } from '../../../shared/service/endpoints';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { sameName } from '../../../shared/service/nearestName';
import { recordSchema } from '../../../shared/service/requestBody';
import { messageOf, ServiceError } from '../../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../../shared/transport/cancellation';
import { rethrow } from '../../../shared/transport/rethrow';
import {
	BEFORE_FIELD,
	BEFORE_TYPE,
	BeforeWriter,
	isNeverSent,
	type KeptField,
	type KeptRow,
	OutcomeWriter,
} from '../../before/beforeFile';
import { hasContent, marksOf, readPieces } from '../../before/keptFile';
import {
	isOfRows,
	missingSection,
	otherPerson,
	type Place,
	placeOf,
	sectionsOf,
	valueIn,
} from '../../before/personPlaces';
import { HOSTING_LABEL, hostingOf } from '../../file/hosting';
import type {
	FeatureContext,
	FeatureHooks,
	ImportFeature,
	OutcomeView,
	ShownImport,
} from '../feature';
import { textOf } from '../mapping/fieldTexts';
import { isOfContact, type MappedField } from '../mapping/importMapping';
import { type FoundRows, type ImportPlan, leftOutBy, type RowResult } from '../model';
import {
	askForPerson,
	type ContactReader,
	contactReader,
	type RowMatch,
	RowPeople,
	visitAtRate,
} from '../start/rowPeople';

const LABEL = 'Keep What Was There (Minutes)';
const NAME = 'keepBefore';

/** Above it, a dry run offers to mark whoever is imported. */
const ROWS_TO_MARK = 500;

const option: INodeProperties = {
	displayName: LABEL,
	name: NAME,
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description:
		'Before anything is sent, read what the people of the rows hold and keep it in the file "before", from which "Take Back" undoes the import. The number is how long that may take.',
};

function reject(text: string): InvalidInput {
	return new InvalidInput([{ field: LABEL, text }]);
}

/** The minutes that the reading may take; undefined if the user does not want it. Throws InvalidInput. */
function readMinutes(context: FeatureContext): number | undefined {
	const options = context.parameters.in('options');
	if (options.value(NAME) === undefined) return undefined;
	const minutes = options.positive(NAME, 60);
	if (hostingOf(context) === 'none')
		throw reject(
			`needs an import that this node sends. Do not set ${HOSTING_LABEL} to I Upload It Myself, or remove this option.`,
		);
	if (context.parameters.text('resourceType') !== 'Contacts')
		throw reject('works only for contacts. Remove this option for other records.');
	return minutes;
}

/** A field with its place in the record of a person, and where its value is in a row. */
interface ReadField extends KeptField {
	label: string;
	place: Place | undefined;
	/** Its index in a row of the file; undefined for a value that is the same for all rows. */
	column: number | undefined;
}

/** The label of a field's mapping type in the result files. */
function outcomeLabel(
	{ mapping }: ImportPlan,
	{ mappingType, field, value }: MappedField,
	column?: string,
) {
	const own = mapping.mappingTypes.find(
		({ name, fieldValueMappings = [] }) =>
			sameName(name, mappingType.name) &&
			fieldValueMappings.some(
				(each) =>
					each.fieldName === field &&
					(column === undefined ? each.staticValue === value : each.columnName === column),
			),
	);
	return own?.resultFileColumnName ?? mappingType.name;
}

function fieldsOf(plan: ImportPlan): ReadField[] {
	const { columns, fixed } = plan.mapping;
	const { personIdColumn } = plan.service.vocabulary;
	const read = (mapped: MappedField, column?: number, name?: string): ReadField[] => {
		const { mappingType, field, label, value } = mapped;
		if (sameName(field, personIdColumn)) return [];
		const kept: KeptField = {
			mappingType: mappingType.name,
			field,
			outcome: outcomeLabel(plan, mapped, name),
			fixed: column === undefined ? value.trim() : null,
		};
		return [{ ...kept, label, place: placeOf(kept), column }];
	};
	return [
		...columns.flatMap(({ fields, name }, column) =>
			fields.flatMap((mapped) => read(mapped, column, name)),
		),
		...fixed.flatMap((mapped) => read(mapped)),
	];
}

/** Reads who a row is about; its record ID can be in a column beside the fields of a person. */
function personReader({ mapping, service }: ImportPlan): ContactReader {
	const { personIdColumn } = service.vocabulary;
	const contact = contactReader(mapping, personIdColumn);
	const ids = mapping.columns.flatMap(({ isRecordId, source, fields }, column) =>
		isRecordId && sameName(source, personIdColumn) && !fields.some(isOfContact) ? column : [],
	);
	return (row) => {
		const known = contact?.(row) ?? {
			recordId: '',
			hasExternalId: false,
			unreadBirth: '',
			person: {},
		};
		const [id = ''] = ids.map((column) => textOf(row[column]).trim());
		return known.recordId === '' && id !== '' ? { ...known, recordId: id } : known;
	};
}

/** How long a number of requests takes at the key's rate. */
function secondsFor({ service }: ImportPlan, byId: number, others: number): number {
	const requests = new Map<string, { rate: number; count: number }>();
	const add = (
		endpoint: typeof endpoints.getPerson | typeof endpoints.findPerson,
		count: number,
	) => {
		const { name, perSecond } = service.rateOf(endpoint);
		const known = requests.get(name)?.count ?? 0;
		requests.set(name, { rate: perSecond, count: known + count });
	};
	add(endpoints.findPerson, others);
	add(endpoints.getPerson, byId + others);
	return Math.max(...[...requests.values()].map(({ rate, count }) => count / rate));
}

function minutesText(seconds: number): string {
	return counted(Math.max(1, Math.ceil(seconds / 60)), 'minute');
}

const fileSchema = z
	.object({ id: z.string(), data: z.string(), mimeType: z.string(), fileName: z.string() })
	.passthrough();
type KeptFile = z.infer<typeof fileSchema>;

/** The file that was kept before the first row was sent, if any was. */
class KeptBefore implements FoundRows {
	readonly needsImported = true;
	file: KeptFile | undefined;

	static restore(stored: unknown): KeptBefore | undefined {
		const file = fileSchema.safeParse(stored).data;
		if (!file) return undefined;
		const kept = new KeptBefore();
		kept.file = file;
		return kept;
	}

	reasonAt(): undefined {
		return undefined;
	}

	store(): IDataObject {
		return this.file ? { [BEFORE_FIELD]: { ...this.file } } : {};
	}
}

/** Reads the people of rows. */
class BeforeReading {
	private readonly fields: readonly ReadField[];
	private readonly expand: readonly string[];
	private readonly readPerson: ContactReader;
	private readonly people: RowPeople;
	/** Time on the service's clock. */
	private readAt = '';

	constructor(
		private readonly plan: ImportPlan,
		private readonly minutes: number,
		private readonly notSentAgain: readonly string[],
	) {
		this.fields = fieldsOf(plan);
		this.expand = sectionsOf(this.fields.map(({ place }) => place));
		this.readPerson = personReader(plan);
		this.people = new RowPeople(plan.service, this.readPerson, async (body) => {
			const found = await askForPerson(plan.service, body);
			this.noteTime(found.answeredAt);
			return found;
		});
	}

	hasRecordId(row: readonly unknown[]): boolean {
		return this.readPerson(row).recordId !== '';
	}

	/**
	 * Reads the people of all rows into one file.
	 * @param isImported whether a row is in a file of the import, of this run or of an earlier one
	 */
	async read(run: ShownImport, isImported: (position: number) => boolean): Promise<Buffer> {
		const { plan, fields } = this;
		const writer = new BeforeWriter({
			file: BEFORE_FIELD,
			version: 1,
			run: plan.run,
			database: plan.service.target.text,
			...marksOf(plan.service),
			fields: Object.fromEntries(
				fields.map(({ label, mappingType, field, outcome, fixed }) => [
					label,
					{ mappingType, field, outcome, fixed },
				]),
			),
			...(this.notSentAgain.length > 0 && { notSentAgain: [...this.notSentAgain] }),
		});
		const lineOf = (position: number) => {
			const line = plan.rows.lineOf?.(position + 1);
			return { row: position + 1, ...(line !== undefined && { line }) };
		};
		const { totalRows } = run.started;
		const areRead = new Uint8Array(totalRows);
		const { minutes } = this;
		const tooSlow = (doneRows: number) =>
			reject(
				`is ${minutes}, and the service was slower than the key's rate limit: the people of ${doneRows} of ${counted(totalRows, 'row')} were read. Nothing was sent. Enter more minutes, send fewer rows, or remove this option.`,
			);
		const limit = { minutes, tooSlow };
		const readOne = async ({ position, row }: { position: number; row: readonly unknown[] }) => {
			areRead[position] = 1;
			writer.add({ ...lineOf(position), ...(await this.readRow(row)) });
		};
		await visitAtRate(plan, LABEL, run.readSent(), run.sentRows, readOne, limit);
		const slice = new TimeSlice(plan.service.signal);
		for (let position = 0; position < totalRows; position++) {
			if (slice.isOver) await slice.yield();
			if (areRead[position] || !isImported(position)) continue;
			writer.add({ ...lineOf(position), person: null, reason: SENT_BEFORE, values: {} });
		}
		return await joinChunks(writer.end(this.readAt || new Date().toISOString()), slice);
	}

	private async readRow(row: readonly unknown[]): Promise<Omit<KeptRow, 'row'>> {
		const { recordId } = this.readPerson(row);
		const id = wholeId(recordId);
		const found: RowMatch =
			id === undefined ? await this.people.find(row) : { match: 'update', personId: id };
		const { match, personId, reason } = found;
		if (match === 'new' || match === 'notEnough')
			return { person: 'new', values: this.valuesOf(row, {}) };
		if (match !== 'update' || !personId)
			return { person: null, reason: reason ?? NO_PERSON, values: this.valuesOf(row, {}) };
		const person = await this.readRecord(personId);
		if (person) {
			const { vocabulary } = this.plan.service;
			// Whoever was merged into another person is stored in that one.
			const id = otherPerson(person, vocabulary.personId, personId) ?? personId;
			return { person: id, values: this.valuesOf(row, person) };
		}
		const nobody = `No person has the record ID ${personId}.`;
		return { person: null, reason: nobody, values: this.valuesOf(row, {}) };
	}

	/** @returns undefined if there is nobody with this ID */
	private async readRecord(id: number): Promise<IDataObject | undefined> {
		const { service } = this.plan;
		const values = { path: { person: id }, query: { $expand: this.expand.join(',') } };
		const person = await service.read(endpoints.getPerson, values, recordSchema).catch((error) => {
			const isMissing = error instanceof ServiceError && error.details.httpCode === 404;
			return isMissing ? undefined : rethrow(error);
		});
		const missing = person && missingSection(person, this.expand);
		if (missing === undefined) return person;
		throw reject(
			`cannot keep what person ${id} holds, because the service returns no ${missing}. Nothing was sent.`,
		);
	}

	private valuesOf(row: readonly unknown[], person: IDataObject): KeptRow['values'] {
		const values: KeptRow['values'] = {};
		const { format } = this.plan.settings;
		for (const { label, place, column, fixed } of this.fields) {
			// What says the same of all rows is in the head.
			if (column === undefined && !isOfRows(place)) continue;
			const text = column === undefined ? fixed : fileText(row[column], '');
			const sent = typeof text === 'string' ? writtenText(text, format).trim() : '';
			if (sent !== '') values[label] = [place ? valueIn(person, place, sent) : null, sent];
		}
		return values;
	}

	private noteTime(text: string | undefined): void {
		const time = new Date(text ?? '');
		if (Number.isNaN(time.getTime())) return;
		const iso = time.toISOString();
		if (iso > this.readAt) this.readAt = iso;
	}
}

const NO_PERSON = 'The service did not say which person it found.';
const SENT_BEFORE =
	'An earlier run started its job, and has kept what was there. Take back its file instead.';

/** Keeps the file where n8n keeps those of the execution, and reads it back. Throws InvalidInput. */
async function keep({ functions, run, service }: ImportPlan, content: Buffer): Promise<KeptFile> {
	const name = `${BEFORE_FIELD}-${run}.jsonl`;
	const stored = await functions.helpers.prepareBinaryData(content, name, BEFORE_TYPE);
	const file = fileSchema.safeParse(stored).data;
	if (!file)
		throw reject(
			'needs an n8n that keeps files outside its memory. Ask its administrator to set N8N_DEFAULT_BINARY_DATA_MODE to filesystem (in queue mode: database). Nothing was sent.',
		);
	const slice = new TimeSlice(service.signal);
	if (!(await hasContent(functions, file, content, slice)))
		throw reject(
			'could not be kept: n8n returned another file than it was given. Nothing was sent. Check the disk of n8n.',
		);
	// After a crash, nothing else says where it is.
	customDataOf(functions)?.set('importBefore', file.id);
	functions.logger.info(`${LABEL}: kept in the file ${name} as ${file.id}`);
	return file;
}

/** What a row came to, for the file. */
function outcomeLine(row: number, result: RowResult) {
	const { line, status, primaryKey, jobId, outcomes, corrected } = result;
	const isPartly = Object.values(outcomes).some((text) => !isProcessed(text));
	// The other rows have their lines already.
	const isOther = isNeverSent(status) || corrected !== undefined;
	return {
		row,
		...(isOther && line !== undefined && { line }),
		status,
		primaryKey,
		jobId,
		...(isPartly && { outcomes }),
		...(corrected && { isCorrected: true }),
	};
}

/** The kept file with what the rows came to. */
async function completeFile(
	{ functions, service }: FeatureContext,
	{ started, resultAt }: { started: OutcomeView['started']; resultAt: OutcomeView['resultAt'] },
	file: KeptFile,
): Promise<IBinaryData> {
	const writer = new OutcomeWriter(started.run ?? '');
	const slice = new TimeSlice(service.signal);
	for (let position = 0; position < started.totalRows; position++) {
		if (slice.isOver) await slice.yield();
		const result = resultAt(position);
		if (result) writer.add(outcomeLine(position + 1, result));
	}
	const pieces: Uint8Array[] = [];
	for await (const piece of readPieces(functions, file)) pieces.push(piece);
	const content = await joinChunks([...pieces, ...writer.end()], slice);
	return await functions.helpers.prepareBinaryData(content, file.fileName, BEFORE_TYPE);
}

function addFile(item: INodeExecutionData, file: IBinaryData): void {
	item.binary = { ...item.binary, [BEFORE_FIELD]: file };
}

async function attach(
	context: FeatureContext,
	item: INodeExecutionData,
	outcome: OutcomeView,
): Promise<void> {
	const kept = outcome.started.found.find((found) => found instanceof KeptBefore);
	if (!kept?.file) return;
	try {
		const resultAt = (position: number) => outcome.resultAt(position);
		addFile(item, await completeFile(context, { started: outcome.started, resultAt }, kept.file));
	} catch (error) {
		throwIfCancelled(context.service.signal);
		// The outcome must not be lost, and what was there still less.
		addFile(item, kept.file as IBinaryData);
		const message = `The "before" file does not have the outcome of the rows: ${messageOf(error)}. Pass these items to "Take Back" along with it.`;
		showHint(context.functions, message, 'warning');
	}
}

const MARKS = ['ActivistCode', 'OriginSourceCode'];

/** How to find everybody again whom a large import touches; undefined if it is done, or not needed. */
function markOffer({ plan, sentRows }: ShownImport): string | undefined {
	if (plan.resourceType !== 'Contacts' || sentRows < ROWS_TO_MARK) return undefined;
	const isMarked = plan.mapping.fixed.some(({ mappingType }) =>
		MARKS.some((name) => sameName(name, mappingType.name)),
	);
	return isMarked
		? undefined
		: 'Nothing marks the people of this import. To find all of them with one search later, add ActivistCode or OriginSourceCode in What to Do With Each Row, and enter a code of this import as a fixed value.';
}

export const keepBefore: ImportFeature = {
	options: { group: 'safety', place: 35, fields: [option] },
	guards: [NAME],
	refusesOtherValues: (parameters) =>
		parameters.in('options').value(NAME) === undefined
			? undefined
			: `${LABEL}, which has read the people of the rows as they were given.`,
	of(context) {
		const hooks: FeatureHooks = {
			attach: async (item, outcome) => await attach(context, item, outcome),
		};
		if (!context.wait || !context.sends) return hooks;
		const shown: FeatureHooks['shown'] = (run) => {
			const offer = markOffer(run);
			return offer === undefined ? {} : { warnings: [offer] };
		};
		const most = readMinutes(context);
		if (most === undefined) return { ...hooks, shown };
		const { features, parameters } = context;
		const notSentAgain = features.flatMap(
			({ sendsNoneAgain }) => sendsNoneAgain?.(parameters) ?? [],
		);
		let kept = new KeptBefore();
		let reading: BeforeReading | undefined;
		/** For each position, whether the row has a record ID; undefined for a row that is not sent. */
		const hasId: Array<boolean | undefined> = [];
		return {
			...hooks,
			shown,
			visit(plan) {
				const own = new BeforeReading(plan, most, notSentAgain);
				reading = own;
				return {
					visit: (row: FileRow) =>
						void hasId.push(Array.isArray(row) ? own.hasRecordId(row) : undefined),
				};
			},
			find(plan, isLeftOut, earlier) {
				const restored = KeptBefore.restore(earlier?.[BEFORE_FIELD]);
				if (restored) return (kept = restored);
				const sent = hasId.filter((known, position) => known !== undefined && !isLeftOut(position));
				const byId = sumBy(sent, Number);
				const seconds = secondsFor(plan, byId, sent.length - byId);
				if (seconds > 60 * most)
					throw reject(
						`is ${most}, and reading the people of ${counted(sent.length, 'row')} takes about ${minutesText(seconds)} at the key's rate limit. Enter more minutes, send fewer rows, or remove this option.`,
					);
				return kept;
			},
			async beforeSending(run) {
				if (!reading) return;
				const { found } = run.started;
				const isImported = (position: number) =>
					hasId[position] !== undefined && leftOutBy(found, position) === undefined;
				kept.file = await keep(run.plan, await reading.read(run, isImported));
			},
			attachStarted(item) {
				if (kept.file) addFile(item, kept.file as IBinaryData);
			},
		};
	},
	restore: async (firstFile) => await Promise.resolve(KeptBefore.restore(firstFile[BEFORE_FIELD])),
};

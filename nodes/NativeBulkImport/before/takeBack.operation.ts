import type { IBinaryData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

import { runItems } from '../../shared/execution/itemLoop';
import { errorItem } from '../../shared/execution/nodeErrors';
import type {
	ItemResults,
	NodeContext,
	NodeOperation,
	RunContext,
} from '../../shared/execution/operation';
import { showHint } from '../../shared/execution/showHint';
import { SortedNumbers } from '../../shared/execution/sortedNumbers';
import { TimeSlice } from '../../shared/execution/timeSlice';
import { isRowStatus, type RowStatus } from '../../shared/importFile/importReport';
import { wholeId } from '../../shared/service/bodySchema';
import { counted } from '../../shared/service/counted';
import { endpoints } from '../../shared/service/endpoints';
import { InvalidInput } from '../../shared/service/invalidInput';
import type { NativeService } from '../../shared/service/nativeService';
import { recordSchema } from '../../shared/service/requestBody';
import { messageOf, ServiceError } from '../../shared/service/serviceErrors';
import { throwIfCancelled } from '../../shared/transport/cancellation';
import { rethrow } from '../../shared/transport/rethrow';
import {
	BEFORE_FIELD,
	type BeforeFile,
	BeforeReader,
	type KeptOutcome,
	type KeptOutcomes,
	type KeptRow,
	UnusableBeforeFile,
} from './beforeFile';
import { marksOf, readPieces } from './keptFile';
import { missingSection, otherPerson } from './personPlaces';
import {
	endOfOther,
	ENDS,
	fieldsOf,
	mergedEnds,
	planRecord,
	type RecordNow,
	type RecordRows,
	Records,
	type RowEnd,
	sectionsFor,
	type TakenBack,
} from './takeBackPlan';

const FILE_LABEL = 'Input Data Field Name';
const STORED_LABEL = 'Stored File';
const KEY_LABEL = 'Another Key of the Same Database';
const LINK_LABEL = 'Link to a Person';

const WAYS = ['show', 'takeBack'] as const;

/** The file of the input items, or the one that n8n stored under an ID. */
function chosenFile({ functions, parameters }: NodeContext): Pick<IBinaryData, 'id' | 'data'> {
	const id = parameters.in('options').text('storedFile');
	if (id !== '') return { id, data: '' };
	const field = parameters.text('inputDataFieldName') || BEFORE_FIELD;
	const files = functions.getInputData().flatMap(({ binary }) => binary?.[field] ?? []);
	const [file, second] = files;
	if (!file)
		throw new InvalidInput([
			{
				field: FILE_LABEL,
				text: `No input item has a file in "${field}". Use the "before" file that "Import Items" returned with its first item.`,
			},
		]);
	if (second)
		throw new InvalidInput([
			{
				field: FILE_LABEL,
				text: `${files.length} input items have a file in "${field}". Take back one import at a time.`,
			},
		]);
	return file;
}

async function readFile(node: NodeContext): Promise<BeforeFile> {
	const { functions, parameters } = node;
	const isStored = parameters.in('options').text('storedFile') !== '';
	const field = isStored ? STORED_LABEL : FILE_LABEL;
	const reader = new BeforeReader();
	const decoder = new TextDecoder();
	const slice = new TimeSlice(functions.getExecutionCancelSignal());
	let rest = '';
	try {
		for await (const piece of readPieces(functions, chosenFile(node))) {
			const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
			rest = lines.pop() ?? '';
			for (const line of lines) {
				if (slice.isOver) await slice.yield();
				reader.add(line);
			}
		}
		reader.add(rest + decoder.decode());
		return await reader.end(slice);
	} catch (error) {
		return rethrow(fileProblem(error, field, isStored));
	}
}

function fileProblem(error: unknown, field: string, isStored: boolean): unknown {
	if (error instanceof UnusableBeforeFile)
		return new InvalidInput([{ field, text: `The file ${error.message}` }]);
	if (error instanceof InvalidInput || !isStored) return error;
	const text = `n8n has no file under this ID: ${messageOf(error)}. Copy the ID from n8n's log, or from "importBefore" of the execution.`;
	return new InvalidInput([{ field, text }]);
}

/** Throws InvalidInput unless the file is of the database of the credential. */
function checkDatabase({ parameters, service }: RunContext, { head }: BeforeFile): void {
	const { databaseMark, keyMark } = marksOf(service);
	const reject = (field: string, text: string): never => {
		throw new InvalidInput([{ field, text }]);
	};
	if (head.databaseMark !== databaseMark)
		reject(
			'Credential',
			`is for another database (${service.target.text}) than the file (${head.database}). Nothing was read or changed. Choose the credential of the import.`,
		);
	if (head.keyMark !== keyMark && !parameters.in('options').flag('otherKey'))
		reject(
			'Credential',
			`has another key than the import (${head.database}), and each key opens only one tenant. Nothing was read or changed. If both keys open the same tenant, add the option ${KEY_LABEL}.`,
		);
}

const resultSchema = z
	.object({
		row: z.number().optional(),
		line: z.number().optional(),
		status: z.custom<RowStatus>(isRowStatus),
		primaryKey: z.union([z.number(), z.string()]).nullable(),
		jobId: z.number().nullable(),
		outcomes: z.record(z.string()),
		corrected: z.unknown().optional(),
	})
	.passthrough();

/** What an item says of its row; undefined if nothing. */
function resultOf({ json }: INodeExecutionData) {
	const { importResult, error } = json as { importResult?: unknown; error?: IDataObject };
	return resultSchema.safeParse(importResult ?? error?.importResult).data;
}

/** The outcomes of rows as items have them, in the order of the import. Throws InvalidInput. */
async function outcomesOfItems(
	{ functions }: NodeContext,
	{ rows }: BeforeFile,
): Promise<KeptOutcomes> {
	const items = functions.getInputData();
	const slice = new TimeSlice(functions.getExecutionCancelSignal());
	/** The rows that have an outcome, and the items that have it. */
	const rowNumbers: number[] = [];
	const givenBy: INodeExecutionData[] = [];
	let highest = 0;
	for (const item of items) {
		if (slice.isOver) await slice.yield();
		const result = resultOf(item);
		if (!result) continue;
		const row = result.row ?? rowNumbers.length + 1;
		rowNumbers.push(row);
		givenBy.push(item);
		highest = Math.max(highest, row);
	}
	const reject = (text: string): never => {
		throw new InvalidInput([{ field: 'Input Items', text }]);
	};
	if (rowNumbers.length === 0)
		reject(
			'have no outcomes, and the file has none either: n8n was stopped before they were known. Put "Get Item Outcomes" before this node, with the jobs of the import and its rows, or all outcomes (Output Rows: All) of a file.',
		);
	const sorted = await SortedNumbers.of(rowNumbers, slice);
	const of = (row: number): KeptOutcome | undefined => {
		const item = givenBy[sorted.find(row) ?? givenBy.length];
		const result = item && resultOf(item);
		if (!result) return undefined;
		const { corrected, ...outcome } = result;
		return { ...outcome, row, ...(corrected !== undefined && { isCorrected: true }) };
	};
	const last = rows.count === 0 ? 0 : rows.at(rows.count - 1).row;
	if (last > highest)
		reject(
			`have outcomes of ${counted(rowNumbers.length, 'row')}, but the file goes up to row ${last}. Pass the outcomes of all rows of this import, in the same order.`,
		);
	let [known, others] = [0, 0];
	for (let index = 0; index < rows.count; index++) {
		if (slice.isOver) await slice.yield();
		const { row, person } = rows.at(index);
		if (typeof person !== 'number') continue;
		const { primaryKey = null } = of(row) ?? {};
		if (primaryKey === null) continue;
		known++;
		if (wholeId(primaryKey) !== person) others++;
	}
	if (2 * others > known)
		reject(
			'do not belong to the file, or are in another order: most rows name other people. Pass them as "Import Items" or "Get Item Outcomes" returned them.',
		);
	const rowAt = (index: number): number => rowNumbers[sorted.order[index] ?? index] ?? 0;
	return { count: rowNumbers.length, rowAt, of };
}

/** The items of all rows in their order: those of the file, and those that are not in it. */
async function withOthers(
	items: readonly INodeExecutionData[],
	{ rows }: BeforeFile,
	outcomes: KeptOutcomes,
	slice: TimeSlice,
	itemOf: (end: RowEnd) => INodeExecutionData,
): Promise<INodeExecutionData[]> {
	const all: INodeExecutionData[] = [];
	let next = 0;
	const addUpTo = (row: number): void => {
		for (; next < items.length && rows.rowAt(next) <= row; next++)
			all.push(...items.slice(next, next + 1));
	};
	let last = 0;
	for (let index = 0; index < outcomes.count; index++) {
		if (slice.isOver) await slice.yield();
		const row = outcomes.rowAt(index);
		addUpTo(row);
		const isInFile = next > 0 && rows.rowAt(next - 1) === row;
		const outcome = isInFile || row === last ? undefined : outcomes.of(row);
		if (outcome) all.push(itemOf(endOfOther(outcome)));
		last = row;
	}
	addUpTo(Number.POSITIVE_INFINITY);
	return all;
}

/** Takes back records, one after the other for each. */
class TakeBack {
	/** Why nobody can be removed, once the service has said so. */
	private noRight: string | undefined;
	private isPatched = false;

	constructor(
		private readonly service: NativeService,
		private readonly file: BeforeFile,
		private readonly fields: ReturnType<typeof fieldsOf>,
		private readonly isShown: boolean,
	) {}

	async end(record: RecordRows): Promise<RowEnd[]> {
		const unreadable = (what: string): RowEnd[] =>
			without(record, `${what} Compare the person in the service.`);
		const sections = sectionsFor(record, this.fields);
		let now: RecordNow;
		try {
			const person = await this.readPerson(record.personId, sections);
			const { personId } = this.service.vocabulary;
			const mergedInto = person && otherPerson(person, personId, record.personId);
			if (mergedInto !== undefined) return mergedEnds(record, mergedInto);
			const missing = person && missingSection(person, sections);
			if (missing !== undefined) return unreadable(`The service returns no ${missing}.`);
			const activistCodeIds =
				person && record.mayBeNew ? await this.readCodes(record.personId) : [];
			now = { person, activistCodeIds };
		} catch (error) {
			const refusal = refusalText(error);
			return refusal === undefined ? rethrow(error) : unreadable(`It cannot be read: ${refusal}`);
		}
		const { rows, write } = planRecord(record, this.fields, now, this.file.at);
		if (!write || this.isShown) return rows;
		const refusal = await this.write(record.personId, write);
		return refusal === undefined ? rows : without(record, refusal, rows);
	}

	private async readPerson(
		person: number,
		sections: readonly string[],
	): Promise<IDataObject | undefined> {
		try {
			const values = { path: { person }, query: { $expand: sections.join(',') } };
			return await this.service.read(endpoints.getPerson, values, recordSchema);
		} catch (error) {
			// A web page says that nothing is at the address; an error, that nobody has this ID.
			if (
				error instanceof ServiceError &&
				error.details.httpCode === 404 &&
				error.details.serviceErrors.length > 0
			)
				return undefined;
			return rethrow(error);
		}
	}

	private async readCodes(person: number): Promise<number[]> {
		const ids: number[] = [];
		const list = this.service.list(
			endpoints.listPersonActivistCodes,
			{ path: { person } },
			(reason) => {
				throw new UnreadableList(reason);
			},
		);
		for await (const entry of list) {
			const { activistCodeId } = recordSchema.parse(entry);
			ids.push(wholeId(activistCodeId) ?? Number.NaN);
		}
		return ids;
	}

	/** @returns why it was not possible */
	private async write(person: number, write: TakenBack): Promise<string | undefined> {
		if (write.is === 'remove') {
			if (this.noRight !== undefined) return this.noRight;
			try {
				await this.service.call({ endpoint: endpoints.deletePerson, path: { person } });
				return undefined;
			} catch (error) {
				if (error instanceof ServiceError && isGone(error)) return undefined;
				const refusal = refusalText(error);
				if (refusal === undefined) return rethrow(error);
				if (error instanceof ServiceError && error.details.httpCode === 400)
					return `The service did not remove this person: ${refusal} Remove the person in the service.`;
				const text = `The service does not let this key remove people: ${refusal} Remove the person in the service, or use a key that may do so.`;
				this.noRight = text;
				return text;
			}
		}
		try {
			await this.update(person, write.body);
			return undefined;
		} catch (error) {
			const refusal = refusalText(error);
			if (refusal === undefined) return rethrow(error);
			return `The service did not accept the former values: ${refusal} Enter them in the service.`;
		}
	}

	/** Some deployments update people with POST, others by the conventions: service.md 4.6. */
	private async update(person: number, body: IDataObject): Promise<void> {
		const path = { person };
		if (!this.isPatched)
			try {
				await this.service.call({ endpoint: endpoints.updatePerson, path, body });
				return;
			} catch (error) {
				if (!(error instanceof ServiceError && error.details.httpCode === 405)) rethrow(error);
				this.isPatched = true;
			}
		await this.service.call({ endpoint: endpoints.patchPerson, path, body });
	}
}

class UnreadableList extends Error {}

function isGone({ details }: ServiceError): boolean {
	return details.httpCode === 404 && details.serviceErrors.length > 0;
}

/** What the service says against a call that it certainly did not execute; undefined for other errors. */
function refusalText(error: unknown): string | undefined {
	if (error instanceof UnreadableList) return `${error.message}.`;
	if (!(error instanceof ServiceError) || error.details.outcomeUnknown) return undefined;
	const { httpCode, serviceErrors, message } = error.details;
	if (![400, 403, 404, 405].includes(httpCode ?? 0)) return undefined;
	return `${(serviceErrors[0]?.text ?? message).replace(/\.$/, '')}.`;
}

/** The rows of a record of which nothing is taken back. */
function without(record: RecordRows, reason: string, planned: readonly RowEnd[] = []): RowEnd[] {
	return record.rows.map(({ kept }): RowEnd => {
		const known = planned.find(({ row }) => row === kept);
		const base = { row: kept, personId: record.personId, fields: known?.fields ?? [] };
		return known?.end === 'kept' ? known : { ...base, end: 'notPossible', reason };
	});
}

function linkOf(template: string, personId: number | null): IDataObject {
	return template === '' || personId === null
		? {}
		: { link: template.replaceAll('{ID}', String(personId)) };
}

function placeIn({ row, line }: KeptRow): IDataObject {
	return { row, ...(line !== undefined && { line }) };
}

const ADVICE =
	'Run this again. It compares first, takes nothing back twice, and continues where it stopped.';

async function takeBack(run: RunContext): Promise<ItemResults> {
	const { functions, parameters, service } = run;
	const options = parameters.in('options');
	const isShown = parameters.choice('whatShouldHappen', WAYS) === 'show';
	const link = options.text('personLink');
	if (link !== '' && !/^https?:\/\/.*\{ID\}/.test(link))
		throw new InvalidInput([
			{ field: LINK_LABEL, text: "is not an address with {ID} in place of a person's ID." },
		]);
	const file = await readFile(run);
	checkDatabase(run, file);
	const outcomes = file.outcomes ?? (await outcomesOfItems(run, file));
	const slice = new TimeSlice(service.signal);
	// Nothing but the items is kept of a row that is done.
	const items = new Array<INodeExecutionData>(file.rows.count);
	const counts = { removed: 0, restored: 0, kept: 0, notPossible: 0 };
	const itemOf = ({ row, end, personId, reason, fields }: RowEnd): INodeExecutionData => {
		counts[end]++;
		return {
			json: {
				...placeIn(row),
				end,
				personId,
				reason,
				fields: fields as unknown as IDataObject[],
				...linkOf(link, personId),
				...(isShown && { dryRun: true }),
			},
		};
	};
	const put = (index: number, end: RowEnd): void => {
		items[index] = itemOf(end);
	};
	const records = await Records.of(file.rows, outcomes, slice, put);
	const work = new TakeBack(service, file, fieldsOf(file), isShown);
	const lets = functions.continueOnFail();
	const results = await runItems(
		{
			count: records.count,
			concurrency: service.maxConcurrentRequests,
			requests: service,
			slice,
			stopsOnFailure: () => !lets || service.signal?.aborted === true,
		},
		async (record) => {
			throwIfCancelled(service.signal);
			const indexes = records.indexesOf(record);
			const ends = await work.end(records.at(indexes));
			for (const [position, end] of ends.entries()) put(indexes[position] ?? 0, end);
		},
	);
	let failed = 0;
	for (const [record, result] of results.entries()) {
		if (slice.isOver) await slice.yield();
		if (!result || 'value' in result) continue;
		const { error } = result;
		if (!lets || service.signal?.aborted) {
			const isKnown = error instanceof ServiceError;
			const description = isKnown ? `${error.details.description} ${ADVICE}` : ADVICE;
			return [{ error: isKnown ? error.with({ description, replayable: true }) : error }];
		}
		const details = errorItem(functions.getNode(), error, 0).error as IDataObject;
		const indexes = records.indexesOf(record);
		const { personId, rows } = records.at(indexes);
		for (const [position, { kept }] of rows.entries()) {
			failed++;
			items[indexes[position] ?? 0] = { json: { ...placeIn(kept), personId, error: details } };
		}
	}
	const all = await withOthers(items, file, outcomes, slice, itemOf);
	const texts = ENDS.flatMap((end) => (counts[end] > 0 ? [`${counts[end]} ${end}`] : []));
	const what = isShown ? 'would be' : 'were';
	showHint(
		functions,
		`${counted(all.length, 'row')} of import "${file.head.run}" ${what}: ${texts.join(', ') || 'none'}${failed > 0 ? `; ${failed} failed. ${ADVICE}` : ''}`,
	);
	const { notSentAgain = [] } = file.head;
	if (notSentAgain.length > 0 && counts.removed + counts.restored > 0)
		showHint(functions, notSentAgain.join(' '), 'warning');
	return [{ value: all }];
}

export const takeBackOperation: NodeOperation = {
	value: 'takeBack',
	name: 'Take Back',
	action: 'Take back import of contacts',
	description:
		'Undo an import of contacts as far as the service allows it, from the "before" file of an import with Keep What Was There. What somebody has changed since then is left alone.',
	calls: [
		endpoints.getPerson,
		endpoints.listPersonActivistCodes,
		endpoints.updatePerson,
		endpoints.patchPerson,
		endpoints.deletePerson,
	],
	properties: [
		{
			displayName: 'What Should Happen',
			name: 'whatShouldHappen',
			type: 'options',
			noDataExpression: true,
			options: [
				{
					name: 'Only Show',
					value: 'show',
					description: 'Read each person and return the outcome that each row would have',
				},
				{
					name: 'Take Back',
					value: 'takeBack',
					description: 'Remove people whom the import created, and write former values back',
				},
			],
			default: 'show',
			description: 'Whether to change anything. Both return the same items.',
		},
		{
			displayName: FILE_LABEL,
			name: 'inputDataFieldName',
			type: 'string',
			default: BEFORE_FIELD,
			required: true,
			hint: 'The name of the input binary field that holds the "before" file',
			description:
				'The file that "Import Items" or "Get Item Outcomes" returned with its first item. If n8n was stopped before the outcome was known, the input items must include it.',
		},
	],
	options: [
		{
			displayName: KEY_LABEL,
			name: 'otherKey',
			type: 'boolean',
			default: false,
			description:
				'Whether the credential may have another key than the import had. Turn on only if it opens the same database of the same tenant.',
		},
		{
			displayName: LINK_LABEL,
			name: 'personLink',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://app.example.org/people/{ID}',
			description:
				"Address of a person in the service, with {ID} in place of the person's ID. Each row then gets a link.",
		},
		{
			displayName: STORED_LABEL,
			name: 'storedFile',
			type: 'string',
			default: '',
			placeholder: 'e.g. filesystem-v2:workflows/1/executions/7/binary_data/…',
			description:
				'The ID of the file in n8n, to use instead of an input file, e.g. after an import that was stopped. Copy it from the log or from "importBefore" of the execution.',
		},
	],
	runAll: takeBack,
};

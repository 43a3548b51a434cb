import type {
	IDataObject,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { TimeSlice } from '../../shared/execution/timeSlice';
import type { RowStatus } from '../../shared/importFile/importReport';
import type { RepeatedRecord } from '../../shared/importFile/repeatedRecords';
import type { ItemParameters } from '../../shared/parameters/itemParameters';
import type { ServiceError } from '../../shared/service/serviceErrors';
import type { ChosenWait } from '../job/jobWait';
import type { QuestionForm } from '../wait/progressLink';
import type { WaitContext } from '../wait/waitingNode';
import type { ImportRows } from '../rows/importRows';
import type { HeaderHelp, MappableField } from './mapping/headerMapping';
import type { MappingPlan, PlannedColumn } from './mapping/importMapping';
import type {
	BuiltPart,
	EarlierJob,
	FoundRows,
	ImportNote,
	ImportPlan,
	Part,
	Preview,
	RowJudge,
	RowResult,
	RowsAgain,
	RowVisitor,
	SeenRows,
	ShownKind,
	StartedImport,
} from './model';
import type { Stops } from './stops';

/**
 * An optional feature of Import Items: its options, checks, behavior, words and stored fields in one module.
 * `features/features.ts` lists them, and nothing else in this folder names one.
 */
export interface ImportFeature {
	/** On the screen of Import Items. */
	options?: ShownOptions;
	/** A choice of What Should Happen. */
	way?: INodePropertyOptions;
	/** On the screen of Get Item Outcomes. */
	outcomeOptions?: readonly INodeProperties[];
	/** Names of options without which more would be sent: an expression that gives nothing is refused. */
	guards?: readonly string[];
	/** What it does with rows, to tell one import from another. */
	setting?: { label: string; of(parameters: ItemParameters): unknown };
	/** Why rows cannot be sent again with other values, as the end of a sentence; undefined if they can. */
	refusesOtherValues?(parameters: ItemParameters): string | undefined;
	/**
	 * Why a later import does not send the same rows, even where they were taken back, and what to do:
	 * sentences; undefined if it sends them.
	 */
	sendsNoneAgain?(parameters: ItemParameters): string | undefined;
	/** What it asks on the page of an import that waits. */
	questionForms?: readonly QuestionForm[];
	/** How long it waits at most, in addition to the wait for all jobs. */
	addsWaitMs?(parameters: ItemParameters, maxWaitMs: number): number;
	/**
	 * Whether people are shown the import before it is sent: what would stop it is shown, too. Throws
	 * InvalidInput if nobody could see it.
	 */
	showsFirst?(context: FeatureContext): boolean;
	/** Whether people must see the page of the import, so that it waits in n8n's database. */
	needsPage?(parameters: ItemParameters): boolean;
	/**
	 * Asked once in each execution of an import, before the first request: its part in it, or nothing. Throws
	 * InvalidInput if it cannot take part as the user wants.
	 */
	of(context: FeatureContext): FeatureHooks | undefined;
	/** What it found out about the rows of an import that another execution started; nothing if it stored nothing. */
	restore?(firstFile: Readonly<Record<string, unknown>>, slice: TimeSlice): Promise<Found>;
}

/**
 * Below What Should Happen, in one of the three groups, or among the fields of an option in them: `contact`
 * is about whether people may be called and written to, `page` about the page for a colleague.
 */
export type GroupName = 'top' | 'list' | 'safety' | 'contact' | 'results' | 'page';

/** The option with the fields of the group `contact`. */
export const CONTACT_OPTION = {
	displayName: 'Consent and Opt-Outs',
	name: 'contactConsent',
	description: 'Whether the people of the list may be called and written to',
};

/** Where it is, for messages. */
export const CONTACT_PLACE = `Safety → ${CONTACT_OPTION.displayName}`;

/** Options of Import Items, and where the screen shows them. */
export interface ShownOptions {
	group: GroupName;
	/** Among the others of the group, in the order of use. */
	place: number;
	fields: readonly INodeProperties[];
}

export interface FeatureContext extends WaitContext {
	/** Undefined where only the outcome of an earlier import is read. */
	wait?: ChosenWait;
	/** Whether rows may be sent; if not, only the outcome of what was sent is read. */
	sends: boolean;
	features: readonly ImportFeature[];
}

/** An import in which features take part, those in the order of their list. */
export interface ImportContext extends WaitContext {
	hooks: readonly FeatureHooks[];
}

/** An import of which all rows were seen, and nothing is sent yet. */
export interface ShownImport {
	plan: ImportPlan;
	started: StartedImport;
	sentRows: number;
	/** Reads the rows again, without those that would not be sent. */
	readSent(): AsyncGenerator<{ position: number; row: readonly unknown[] }>;
}

/** The same, with its files. */
export interface BuiltImport extends ShownImport {
	parts: readonly Part[];
}

/** An import that could be sent now. */
export interface ReadyImport extends ShownImport {
	/** What a dry run shows of it. */
	preview(): Promise<Preview>;
}

/** An import of which a file was started. */
export interface StartingImport {
	plan: ImportPlan;
	started: StartedImport;
	/** What features need to know again after a wait. */
	kept: IDataObject;
}

/** What the rows came to, by position from 0. */
export interface OutcomeView {
	readonly started: StartedImport;
	readonly allParts: readonly Part[];
	readonly repeated: { rows: number; records: readonly RepeatedRecord[] };
	readonly nameOf: (position: number) => string;
	/** The rows that were sent with other values than those of the list. */
	readonly corrected: readonly number[];
	statusAt(position: number): RowStatus | undefined;
	resultAt(position: number): RowResult | undefined;
	/** The error of the row's file. */
	failureAt(position: number): IDataObject | undefined;
	numberOf(position: number): number;
	readGiven(rows: ImportRows): ReturnType<ImportRows['readGiven']>;
}

/** How outcomes become items, where it is not as usual. */
export interface OutputChoice {
	/** Which rows of a file come out. */
	rows?: 'all' | 'failed' | 'summary';
}

/**
 * The part of a feature in one import: the named points of its life, in order. A throw ends the import; an
 * InvalidInput before anything is sent is shown to whoever is to see the import first.
 */
export interface FeatureHooks {
	/** When the rows are open. Throws InvalidInput if they are not to be imported. */
	openRows?(rows: ImportRows): void | Promise<void>;
	/** Before headers are matched with fields: what the user has said about them. */
	headers?(properties: readonly string[], fields: readonly MappableField[]): HeaderHelp;
	/** Where a field is mapped to a property that no row has: whether it may be, or what else to do. */
	ifMissing?: { areAllowed: boolean; advice: string };
	/** When it is known what goes into which field. Throws InvalidInput if that is not to be sent. */
	checkMapping?(
		mapping: MappingPlan,
		rows: ImportRows,
		optsNobodyIn: (column: PlannedColumn) => boolean,
	): void | Promise<void>;
	/** Once the mapping was checked by the features before: whether it makes sure that no value of a column opts anybody in. */
	optsNobodyIn?(column: PlannedColumn): boolean;

	/** Set if one row that cannot be sent stops the import; says how to send the others. Without it, such rows are left out. */
	stopsAtInvalid?: { advice: string };
	/** At each reading of the rows: the columns with values as they are to be written. A value it cannot write is an InvalidRow. */
	convert?(columns: readonly PlannedColumn[], mapping: MappingPlan): PlannedColumn[];
	/** Whether it writes dates as the service reads them, where their column proves the order of day and month. */
	readsDates?: true;
	/** At each reading of the rows: what judges them as a whole. */
	judge?(plan: ImportPlan): RowJudge | undefined;
	/** Before the one reading in which every row is seen, with nothing sent yet: what wants to see them. */
	visit?(plan: ImportPlan): RowVisitor | undefined | Promise<RowVisitor | undefined>;
	/**
	 * When all rows were seen: what it found out about them, such as rows to leave out. Throws InvalidInput.
	 * @param isLeftOut whether a feature before it leaves out a row
	 * @param earlier what features stored if the import has begun in an earlier execution
	 */
	find?(
		plan: ImportPlan,
		isLeftOut: (position: number) => boolean,
		earlier: Readonly<Record<string, unknown>> | undefined,
	): Found | Promise<Found>;
	/** When all rows were seen: problems that do not stop the import. */
	sentences?(): ImportNote[];
	/** The same, where somebody has to decide something; also of what was found before a file is started. */
	decisions?(): string[];

	/** In a dry run: what looks wrong with a field, by its label. */
	doubts?(): ReadonlyMap<string, string>;
	/** In a dry run, and before people are asked, once the files are built: fields of its summary, and items after it. */
	shown?(run: BuiltImport): ShownParts | Promise<ShownParts>;

	/** Whether it needs to know rows again by what is done with them, and a file by {@link Part.written}. */
	needsIdentity?: boolean;
	/**
	 * When the rows could be sent, and some would be: those that are not sent after all, with why; undefined to
	 * send them. Throws DatabaseWait to be asked again, in another execution.
	 */
	release?(run: ReadyImport): Promise<FoundRows | undefined>;

	/** What identifies a row in the result files for later executions. Asked when all rows were seen. */
	rowMark?(position: number): string | undefined;
	/**
	 * Before a file's job is started or continued. A throw leaves its rows unsent.
	 * @param part with its job if that is continued
	 * @returns is called once the service has answered
	 */
	starting?(part: Part, isContinued: boolean): Promise<() => void>;
	/** When the service refused to start a file's job. */
	refused?(part: Part): Promise<void>;
	/** What the description of a file's job is to say, around what it says of the file anyway. */
	markOf?(part: Part): { before: string; after: string };
	/** Before the first file is started: waits for others who must not start one at a time. @returns ends it */
	takeTurn?(): Promise<() => void>;
	/**
	 * Before the first file is started: jobs of earlier runs by the numbers of their files; undefined if it does
	 * not continue any. Throws InvalidInput if nothing is to be started.
	 * @param rows all of the list; undefined if nobody needs their identity
	 */
	earlierJobs?(
		files: AsyncIterable<BuiltPart>,
		found: readonly FoundRows[],
		rows: SeenRows | undefined,
	): Promise<ReadonlyMap<number, EarlierJob> | undefined>;
	/** Why the jobs of earlier runs that it finds are continued, for the log. */
	continues?: string;
	/**
	 * Once, before the first file is started, when nothing else can stop the import: what must be done before
	 * anything is sent. A throw sends nothing.
	 * @param run without the rows of jobs that are continued
	 */
	beforeSending?(run: ShownImport): void | Promise<void>;
	/** When files are built and not sent: why those of earlier jobs are left out; undefined if none are. */
	notSent?(): string | undefined;
	/** Rows of a first file, whose outcome decides on the others; the label is for errors. */
	firstRows?: { label: string; count: number };
	/**
	 * Called when the first of several files was started: says why the others must not be sent. Throws DatabaseWait to be
	 * asked again, in another execution.
	 */
	gate?(run: StartingImport): Promise<ServiceError | undefined>;
	/** What it needs to know again if the import waits between two files; it finds it in the work of `resumed`. */
	kept?: IDataObject;
	/** Whether rows can be sent after a wait in n8n's database. */
	sendsLater?: boolean;

	/** When something may have been imported, or nothing is to be sent. */
	imported?(): void;
	/** Whether it needs the details of imported rows. */
	needsImported?: boolean;
	/** When the outcome of all rows is known. Throws DatabaseWait to let people do something about it first. */
	offer?(
		outcome: OutcomeView,
		rows: ImportRows,
		files: ReadonlyArray<Record<string, unknown>>,
	): Promise<void>;
	/**
	 * When the import continues after that: the outcomes of rows that were imported again.
	 * @param onStart is called with each import before anything is sent
	 */
	again?(
		rows: ImportRows,
		onStart: (run: { readonly started: StartedImport }) => void,
	): Promise<RowsAgain | undefined>;
	/**
	 * When nobody can do anything about the outcome any more. Throws DatabaseWait to let people read it first.
	 * @param work what the import continues with
	 */
	read?(outcome: OutcomeView, rows: ImportRows, work: IDataObject): Promise<void>;
	/** When the outcome is known, before the output. */
	end?(outcome: OutcomeView): void | Promise<void>;
	/** When the outcome is known: sentences for those who read it. */
	notes?(outcome: OutcomeView): string[] | Promise<string[]>;
	output?: OutputChoice;
	/** When the outcome is read later: adds files to the first item of the started jobs. */
	attachStarted?(item: INodeExecutionData): void;
	/** When there is output: adds files to the first item. */
	attach?(
		item: INodeExecutionData,
		outcome: OutcomeView,
		rows: ImportRows,
		notes: readonly string[],
	): Promise<void>;
}

/** What a feature found out about rows: nothing, or for each reason why rows are left out. */
export type Found = FoundRows | readonly FoundRows[] | undefined;

export interface ShownParts {
	summary?: IDataObject;
	items?: IDataObject[];
	/** Sentences that are shown with the problems and do not stop the import. */
	warnings?: string[];
	/** Only on the page of an import that asks. */
	kinds?: ShownKind[];
}

/** Asks each feature. Throws InvalidInput. */
export async function hooksOf(context: FeatureContext, stops: Stops): Promise<FeatureHooks[]> {
	const all: FeatureHooks[] = [];
	for (const feature of context.features) {
		const hooks = await stops.at(() => feature.of(context));
		if (hooks) all.push(hooks);
	}
	return all;
}

/** The columns of a reading, with values as they are to be written. */
export function convertColumns(
	hooks: readonly FeatureHooks[],
	mapping: MappingPlan,
): PlannedColumn[] {
	return hooks.reduce(
		(columns, { convert }) => convert?.(columns, mapping) ?? columns,
		mapping.columns,
	);
}

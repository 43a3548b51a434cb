import type { INodeExecutionData, INodeParameters, NodeParameterValueType } from 'n8n-workflow';

import type { Kind } from '../kinds';
import type { Cell, GivenRow, JudgedRow } from '../rows';
import type { Seen } from '../seen';

/** The choice of each option, by its name. */
export type Chosen = Readonly<Record<string, string>>;

/** One run of the node in a story. */
export interface StoryRun {
	/** What it is in the story, e.g. `import`. */
	name: string;
	kind: Kind;
	chosen: Chosen;
	/** Only checks. */
	isDry: boolean;
	/** Which of the story's lists, for a key that names the list. */
	listName: string;
	/** The names of the columns, in order. */
	columns: readonly string[];
	rows: readonly GivenRow[];
	/** What earlier runs left, keyed by the name of the option that keeps it. */
	memory: Map<string, unknown>;
	/** What the node gets in place of the list: what another run of it returned, corrected. */
	items?: readonly INodeExecutionData[];
	/** Addresses of the sandbox. */
	addresses: { upload: string; download: string };
}

/** Why a run should send nothing, and what a person then does. */
export interface Refusal {
	message: RegExp;
	cure: (run: StoryRun) => StoryRun;
}

/** How a run of the node should end. */
export interface Expected {
	run: StoryRun;
	judged: JudgedRow[];
	/** The rows that are sent, by file. */
	files: JudgedRow[][];
	/** Files whose jobs were started in an earlier run, and their IDs. */
	continued: Map<number, number>;
	/** Undefined if it sends what there is to send. */
	refusal?: Refusal;
	/** No job has an outcome for any row: the node has no rows to return. */
	isWithoutOutcome: boolean;
}

/** Something that a user can choose, and all that this test knows about it. */
export interface StoryOption {
	/** The name of the parameter or option, or a word of the test for what is not a parameter of the node. */
	name: string;
	where: 'parameter' | 'option' | 'world';
	/** The first one is what a new node has. */
	choices: readonly [string, ...string[]];
	/** Per choice, what other options must be. */
	needs?: Record<string, Record<string, readonly string[]>>;

	/** Get Item Outcomes has it, too. */
	ofLater?: true;

	/** The parameters other than the options, by their names. */
	parameters?: (choice: string, run: StoryRun) => INodeParameters;
	/** The value of the option; undefined leaves it out. */
	value?: (choice: string, run: StoryRun) => NodeParameterValueType | undefined;
	/** Fields that are mapped to columns or values besides those of the kind. */
	fields?: (
		choice: string,
		run: StoryRun,
	) => { columns?: Record<string, string>; fixed?: Record<string, string> };

	/** A value as the list has it. */
	given?: (choice: string, cell: Cell) => unknown;
	/** A value as it is sent. */
	sent?: (choice: string, text: string, cell: Cell) => string;
	/** Why the value that is sent is impossible. */
	problem?: (choice: string, text: string, cell: Cell, run: StoryRun) => RegExp | undefined;
	/** Why a row as it is sent cannot be. */
	rowProblem?: (
		choice: string,
		texts: Readonly<Record<string, string>>,
		run: StoryRun,
	) => RegExp | undefined;
	/** Why nothing is sent. */
	refuse?: (choice: string, run: StoryRun, judged: readonly JudgedRow[]) => Refusal | undefined;
	/** Gives rows that are not sent their status. */
	leaveOut?: (choice: string, run: StoryRun, judged: readonly JudgedRow[]) => void;
	/** Divides files further. */
	divide?: (choice: string, files: JudgedRow[][]) => JudgedRow[][];
	/** Names files that are not started again. */
	continueFiles?: (choice: string, expected: Expected) => void;
	/** Changes what rows come to, once the service has had its say. */
	outcome?: (choice: string, expected: Expected) => void;
	/** What else is wrong with a run. */
	problemsOf?: (choice: string, expected: Expected, seen: Seen) => string[] | Promise<string[]>;
	/** Keeps what the next run must know. */
	remember?: (choice: string, expected: Expected, seen: Seen) => void;
}

import type { EngineRequest, IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { ItemParameters } from '../parameters/itemParameters';
import type { ConventionMethod, Endpoint, PreparedCall } from '../service/endpoints';
import type { NativeService, ServiceResponse } from '../service/nativeService';
import type { ServiceError } from '../service/serviceErrors';
import type { ItemOutput, ItemResult, ItemResults } from './itemResult';
import type { RunHistory } from './runHistory';

export {
	asItems,
	errorsOf,
	type ItemOutput,
	type ItemResult,
	type ItemResults,
	resultsForAll,
} from './itemResult';

export interface NodeContext {
	functions: IExecuteFunctions;
	/** What the user entered, for the item or for the first one. */
	parameters: ItemParameters;
}

export const dryRunOption: INodeProperties = {
	displayName: 'Dry Run',
	name: 'dryRun',
	type: 'boolean',
	default: false,
	description:
		'Whether to only check the input and show the request that would be sent. Nothing is changed.',
};

/** Throws InvalidInput if an expression does not say. */
export function isDryRun({ parameters }: Pick<NodeContext, 'parameters'>): boolean {
	parameters.requireValues('options', ['dryRun']);
	return parameters.in('options').flag('dryRun');
}

export interface ServiceContext extends NodeContext {
	service: NativeService;
}

export interface ItemContext extends ServiceContext {
	itemIndex: number;
}

export interface RunContext extends ServiceContext {
	/** What this try and those before it have sent. */
	history: RunHistory;
	/**
	 * Runs `work` for every input item, several at a time; results are in input order. After a failure no
	 * further item starts, unless the user lets failed items pass.
	 * @param keys names of the records an item writes to: items that share one run one after the other
	 */
	forEachItem<T>(
		work: (item: ItemContext) => T | Promise<T>,
		keys?: (itemIndex: number) => readonly string[],
	): Promise<Array<ItemResult<T>>>;
}

export interface ItemWrite {
	call: PreparedCall;
	/** Completes the call from current data, once earlier writes to the same record are done. */
	complete?: (call: PreparedCall) => Promise<PreparedCall>;
	output: (
		response: ServiceResponse,
		call: PreparedCall,
	) => IDataObject | IDataObject[] | Promise<IDataObject>;
	/** Adds to an error of the call what only the operation knows. */
	addHint?: (error: ServiceError) => ServiceError;
}

/** Checks an item and prepares its request. Throws if nothing may be sent. */
export type PrepareWrite = (item: ItemContext) => ItemWrite | Promise<ItemWrite>;

/** What the user sees of an operation, and which calls it makes. */
interface OperationDescription {
	value: string;
	/** Title Case. */
	name: string;
	/** What n8n's search shows: "Create an import job". */
	action: string;
	description: string;
	/**
	 * All calls it may make, except those that load lists to choose from. Options such as Dry Run follow
	 * from them.
	 */
	calls: readonly Endpoint[] | { anyPath: ConventionMethod };
	properties: INodeProperties[];
	/** In addition to those that follow from the calls. */
	options?: INodeProperties[];
	/** Instead of one collection of options, and of those that follow from the calls. */
	optionGroups?: OptionGroup[];
}

/** Options with an Add button of their own, in the order of use. */
export interface OptionGroup extends Pick<INodeProperties, 'displayName' | 'name' | 'placeholder'> {
	options: INodeProperties[];
}

/** How an operation handles the input items. */
type OperationWork =
	/** One write for each item; all items are checked before the first request. */
	| { write: PrepareWrite }
	/** Each item separately. */
	| { run: (item: ItemContext) => Promise<ItemOutput> }
	/** All items together. Instead of results it may ask n8n's engine to run the node again later. */
	| { runAll: (run: RunContext) => Promise<ItemResults | EngineRequest> }
	/** All items together, without the service or a credential. */
	| { runLocally: (node: NodeContext) => Promise<ItemResults> };

export type NodeOperation = OperationDescription & OperationWork;

/** A resource with its operations, in the order on the screen. */
export interface NodeResource {
	value: string;
	name: string;
	operations: NodeOperation[];
}

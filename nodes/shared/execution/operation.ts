import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import type { Endpoint } from '../service/endpoints';
import type { NativeService, PreparedCall, ServiceAnswer } from '../service/nativeService';
import type { ServiceError } from '../service/serviceErrors';

/** What an operation knows about one input item. */
export interface ItemContext {
	functions: IExecuteFunctions;
	service: NativeService;
	itemIndex: number;
}

/** Output items of one input item; the runner pairs them with it. */
export type ItemOutput = INodeExecutionData[];

/** Plain data as output items. */
export function asItems(data: IDataObject | IDataObject[]): ItemOutput {
	return (Array.isArray(data) ? data : [data]).map((json) => ({ json }));
}

/** How one input item ended. */
export type ItemResult<T> = { value: T } | { error: unknown };

export interface RunContext {
	functions: IExecuteFunctions;
	service: NativeService;
	/**
	 * Runs `work` for every input item, several at a time, and keeps the input order.
	 * After a failure no further item is begun, unless the user lets failed items pass.
	 * @param keys names of what an item writes to: items with a name in common run one after the other
	 */
	forEachItem<T>(
		work: (item: ItemContext) => T | Promise<T>,
		keys?: (itemIndex: number) => readonly string[],
	): Promise<Array<ItemResult<T>>>;
}

/** What one item sends, checked. */
export interface ItemWrite {
	call: PreparedCall;
	/** Completes the call with what the service has, once earlier writes to the same record are done. */
	complete?: (call: PreparedCall) => Promise<PreparedCall>;
	/** What the item puts out after the call. */
	output: (
		answer: ServiceAnswer,
		call: PreparedCall,
	) => IDataObject | IDataObject[] | Promise<IDataObject>;
	/** Adds to an error of the call what only the operation knows. */
	addHint?: (error: ServiceError) => ServiceError;
}

/** Checks an item and says what it sends. Throws where nothing may be sent. */
export type PrepareWrite = (item: ItemContext) => ItemWrite | Promise<ItemWrite>;

/** One operation of a node: what the user sees and what it does. */
export interface NodeOperation {
	/** Value of the parameter `operation`. */
	value: string;
	/** Title Case name in the list of operations. */
	name: string;
	/** What it does, as n8n shows it in search: "Create an import job". */
	action: string;
	description: string;
	/** The calls it makes, at most; those of the lists to choose from are not among them. */
	calls: readonly Endpoint[] | 'any';
	/** Parameters; shown only for this operation. */
	properties: INodeProperties[];
	/** Handles one input item. */
	run?: (item: ItemContext) => Promise<ItemOutput>;
	/** Handles one input item by one call that writes; all items are checked before the first is sent. */
	write?: PrepareWrite;
	/** Handles all input items together. */
	runAll?: (run: RunContext) => Promise<Array<ItemResult<ItemOutput>>>;
	/** Handles all input items without the service, and so without a credential. */
	runLocally?: (functions: IExecuteFunctions) => Promise<Array<ItemResult<ItemOutput>>>;
}

/** A resource with its operations, in the order they are shown. */
export interface NodeResource {
	value: string;
	name: string;
	operations: NodeOperation[];
}

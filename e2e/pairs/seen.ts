import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { NodeRun } from '../../test/engine/support/engine';
import type { Held } from './kinds';

/** A file that the node handed to the service, with its job. */
export interface SentFile {
	/** Undefined if the service did not accept it. */
	jobId?: number;
	/** The body of the request that started the job. */
	job: IDataObject;
	/** The text of the file. */
	text: string;
	/** The rows by the ID of the field; blank values are left out. */
	rows: Array<Record<string, string>>;
}

/** What a run of the node came to: what the node says, and what the sandbox shows. */
export interface Seen {
	node: NodeRun;
	/** All items that the node got. */
	items: INodeExecutionData[];
	/** In the order of the requests. */
	files: SentFile[];
	/** Requests that can change something, with their paths. */
	writes: string[];
	/** Records of the service after the run. */
	held: Held[];
	/** How many entries the service has more than before the run. */
	grown: number;
}

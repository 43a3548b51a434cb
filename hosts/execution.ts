import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { z } from 'zod';

interface NodeRun {
	/** The json of every item, output by output. */
	outputs: IDataObject[][];
	/** The same items with what else n8n keeps of them: pairing and binary data. */
	items: INodeExecutionData[][];
	error?: { message: string; description?: string | null; [property: string]: unknown };
}

export interface Execution {
	id: string;
	status: string;
	error?: { message: string; [property: string]: unknown };
	/** The last run of every node that ran, by its name. */
	nodes: Record<string, NodeRun>;
	/** Everything n8n stored about this execution, as in the database. */
	storedText: string;
}

const errorSchema = z.object({ message: z.string() }).passthrough();
const itemSchema = z.object({ json: z.record(z.any()) }).passthrough();
const runSchema = z.object({
	error: errorSchema.optional(),
	data: z
		.object({ main: z.array(z.array(itemSchema).nullable()) })
		.partial()
		.optional(),
});
const executionDataSchema = z.object({
	resultData: z.object({
		error: errorSchema.optional(),
		runData: z.record(z.array(runSchema)),
	}),
});
const executionSchema = z.object({
	id: z.coerce.string(),
	status: z.string(),
	data: z.string(),
});

/** An execution as n8n responds with it. @param parseFlatted of n8n's own library: reads the data */
export function parseExecution(
	response: unknown,
	parseFlatted: (text: string) => unknown,
): Execution {
	const { id, status, data } = executionSchema.parse(response);
	const { resultData } = executionDataSchema.parse(parseFlatted(data));
	const nodes = Object.entries(resultData.runData).map(([name, runs]) => {
		const last = runs.at(-1);
		const items = (last?.data?.main ?? []).map((output) => (output ?? []) as INodeExecutionData[]);
		const outputs = items.map((output) => output.map(({ json }) => json));
		return [name, { outputs, items, ...(last?.error && { error: last.error }) }];
	});
	return {
		id,
		status,
		...(resultData.error && { error: resultData.error }),
		nodes: Object.fromEntries(nodes) as Execution['nodes'],
		storedText: data,
	};
}

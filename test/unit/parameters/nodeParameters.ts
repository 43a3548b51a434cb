import type { IExecuteFunctions } from 'n8n-workflow';

/** The one function of n8n's context that reads what the user entered. As there, null is a value. */
export function nodeParameters(parameters: Record<string, unknown>): IExecuteFunctions {
	const getNodeParameter = (name: string, _itemIndex: number, fallback?: unknown): unknown =>
		parameters[name] === undefined ? fallback : parameters[name];
	return { getNodeParameter } as unknown as IExecuteFunctions;
}

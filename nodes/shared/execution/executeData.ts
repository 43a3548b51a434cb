import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';

/** What n8n's engine keeps for all tries of a run; n8n's type says it is always there, but a tool may have none. */
export function executeDataOf(functions: IExecuteFunctions): IExecuteData | undefined {
	return functions.getExecuteData() as IExecuteData | undefined;
}

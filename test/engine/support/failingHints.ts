import type { IExecuteFunctions, INodeType } from 'n8n-workflow';

/** The node in an n8n that fails when it shows a hint: an error that the node does not foresee. */
export function withFailingHints(node: INodeType): INodeType {
	const addExecutionHints = (): never => {
		throw new RangeError('Invalid string length');
	};
	return Object.assign(Object.create(node) as INodeType, {
		async execute(this: IExecuteFunctions) {
			const functions = Object.create(this) as IExecuteFunctions;
			return await node.execute?.call(Object.assign(functions, { addExecutionHints }));
		},
	});
}

import type { IExecuteFunctions } from 'n8n-workflow';

/** The parameters of a run that have no expression. */
const constants = new WeakMap<IExecuteFunctions, Map<string, unknown>>();

function hasExpression(value: unknown): boolean {
	if (typeof value === 'string') return value.startsWith('=');
	return value !== null && typeof value === 'object' && Object.values(value).some(hasExpression);
}

/**
 * The functions of a run that read a parameter without an expression once, not for every item: n8n
 * needs longer for that than for all else before a request.
 */
export function readConstantsOnce(functions: IExecuteFunctions): IExecuteFunctions {
	const { parameters } = functions.getNode();
	const values = new Map<string, unknown>();
	const getNodeParameter = (name: string, itemIndex: number, ...rest: unknown[]): unknown => {
		if (values.has(name) && rest.length < 2) return values.get(name);
		const value: unknown = functions.getNodeParameter(name, itemIndex, ...(rest as []));
		const isConstant = name in parameters && !hasExpression(parameters[name]);
		if (isConstant && rest.length < 2) values.set(name, value);
		return value;
	};
	const own = Object.create(functions, {
		getNodeParameter: { value: getNodeParameter },
	}) as IExecuteFunctions;
	constants.set(own, values);
	return own;
}

/** Replaces a constant parameter for the rest of the run; false if it may differ between items. */
export function replaceConstant(
	functions: IExecuteFunctions,
	name: string,
	value: unknown,
): boolean {
	const values = constants.get(functions);
	if (!values?.has(name)) return false;
	values.set(name, value);
	return true;
}

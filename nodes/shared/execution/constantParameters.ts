import type { IExecuteFunctions } from 'n8n-workflow';

interface Run {
	/** Parameters without an expression. */
	values: Map<string, unknown>;
	/** How often a parameter was read that may differ between items. */
	itemReads: number;
	/** Results that depend on constant parameters only, by the function that gave them. */
	results: Map<unknown, unknown>;
}

const runs = new WeakMap<IExecuteFunctions, Run>();

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
	const run: Run = { values: new Map(), itemReads: 0, results: new Map() };
	const getNodeParameter = (name: string, itemIndex: number, ...rest: unknown[]): unknown => {
		if (run.values.has(name) && rest.length < 2) return run.values.get(name);
		const value: unknown = functions.getNodeParameter(name, itemIndex, ...(rest as []));
		if (!(name in parameters) || hasExpression(parameters[name])) run.itemReads++;
		else if (rest.length < 2) run.values.set(name, value);
		return value;
	};
	const own = Object.create(functions, {
		getNodeParameter: { value: getNodeParameter },
	}) as IExecuteFunctions;
	runs.set(own, run);
	return own;
}

/** Replaces a constant parameter for the rest of the run; false if it may differ between items. */
export function replaceConstant(
	functions: IExecuteFunctions,
	name: string,
	value: unknown,
): boolean {
	const values = runs.get(functions)?.values;
	if (!values?.has(name)) return false;
	values.set(name, value);
	return true;
}

/**
 * `work(functions, itemIndex)`, which must depend on parameters only: done once per run if none of
 * those it reads has an expression.
 */
export function oncePerRun<T>(
	work: (functions: IExecuteFunctions, itemIndex: number) => T,
	functions: IExecuteFunctions,
	itemIndex: number,
): T {
	const run = runs.get(functions);
	if (run?.results.has(work)) return run.results.get(work) as T;
	const itemReads = run?.itemReads;
	const result = work(functions, itemIndex);
	if (run?.itemReads === itemReads) run?.results.set(work, result);
	return result;
}

import type { ServiceContext } from '../../../shared/execution/operation';
import { propertiesNotKept } from '../../wait/storedItems';
import { TimeSlice } from '../../../shared/execution/timeSlice';
import { InvalidInput } from '../../../shared/service/invalidInput';
import { expressionPath, namedProperties } from '../../rows/columnExpressions';
import type { PlannedColumn } from '../mapping/importMapping';

/**
 * Throws InvalidInput if fields of rows that are sent after a wait in the database read an object of which
 * n8n does not keep all.
 */
export async function checkKeptValues(
	{ functions, service }: ServiceContext,
	columns: readonly PlannedColumn[],
): Promise<void> {
	const computed = columns
		.flatMap(({ expression, beside = [], name, title = name }) =>
			[expression ?? [], ...beside].flat().map((each) => ({ expression: each, title })),
		)
		.filter(({ expression }) => !expressionPath(expression));
	if (computed.length === 0) return;
	const lost = await propertiesNotKept(functions.getInputData(), new TimeSlice(service.signal));
	for (const { expression, title } of computed) {
		const property = namedProperties(expression).find((name) => lost.has(name));
		if (property === undefined) continue;
		const text = `reads "${property}", which holds an object that n8n does not keep while the execution waits in the database. Turn it into text before this node, or choose In Memory.`;
		throw new InvalidInput([{ field: title, text }]);
	}
}

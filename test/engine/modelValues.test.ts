import type { INodeParameters } from 'n8n-workflow';

import { NativeApi } from '../../credentials/NativeApi.credentials';
import { isThorough } from '../support/randomCases';
import { callAsTool, type ToolUse } from './support/agent';
import { packageOperations } from './support/exampleOutputs';
import { useHostileService } from './support/hostileService';
import { sandboxCredential } from './support/sandboxed';
import { textParameters } from './support/textParameters';
import { fromAI } from './support/toolText';

/** Models write "null" where they have no value. Every text of every operation is tried. */

const used = useHostileService();
const operations = packageOperations();

const NO_VALUES = ['null', 'undefined', ' ', null];
/** Without a seed, each text gets the word "null" and one of the others. */
const valuesFor = (place: number) =>
	isThorough ? NO_VALUES : ['null', NO_VALUES[1 + (place % 3)]];

const asDryRun = (parameters: INodeParameters = {}): INodeParameters => ({
	...parameters,
	whatShouldHappen: 'show',
	options: { ...(parameters.options as object), dryRun: true },
});

/** Without what differs between runs. What the model gave is also the input item, which an import has as a row. */
const withoutItem = (use: unknown): string =>
	JSON.stringify(use, (name, value: unknown) =>
		name === 'value' || name === 'zipSize' ? undefined : value,
	).replaceAll(/\brun \w+/g, '');

async function callTool(
	operation: Pick<(typeof operations)[number], 'node'>,
	parameters: INodeParameters,
	value: unknown,
): Promise<Pick<ToolUse, 'response' | 'error'>> {
	const { response, error } = await callAsTool(
		{
			node: operation.node,
			credentialTypes: [new NativeApi()],
			credentials: { nativeApi: sandboxCredential(used.service.sandbox.url) },
			parameters,
		},
		{ value: value as string },
		'byEngine',
	);
	return { response, error };
}

test.each(operations.filter((operation) => textParameters(operation, {}).length > 0))(
	'$nodeName $name: what a model has no value for is an empty field',
	async (operation) => {
		const { parameters } = await used.service.exampleOf(operation);
		const wrong: unknown[] = [];
		const texts = textParameters(operation, asDryRun(parameters));
		for (const [place, { path, withText, field }] of texts.entries()) {
			if (field.noDataExpression) continue;
			const filled = withText(fromAI('value', '', 'string'));
			const empty = withoutItem(await callTool(operation, filled, ''));
			for (const value of valuesFor(place)) {
				const found = withoutItem(await callTool(operation, filled, value));
				if (found !== empty) wrong.push({ path, value, found, empty });
			}
		}
		expect(wrong).toEqual([]);
	},
);

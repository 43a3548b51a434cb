/**
 * What a language model is sent of each operation as a tool of an AI agent, with each of its messages, if it
 * may fill in every field: one that is long costs money, and models read the end of it badly.
 */
import { packageOperations } from '../../test/engine/support/exampleOutputs';
import { toolText } from '../../test/engine/support/toolText';

const MOST_TOKENS = 3000;

const texts = packageOperations().map((operation) => ({
	name: `${operation.node.description.displayName} ${operation.name}`,
	...toolText(operation),
}));
for (const { name, fields, characters, tokens } of texts)
	console.log(`${name}: ${fields} fields, ${characters} characters, about ${tokens} tokens`);
const long = texts.filter(({ tokens }) => tokens > MOST_TOKENS);
for (const { name } of long)
	console.error(`${name} has more than ${MOST_TOKENS} tokens. Shorten descriptions of its fields.`);
process.exitCode = long.length > 0 ? 1 : 0;

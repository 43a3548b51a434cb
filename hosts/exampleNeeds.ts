import type { WorkflowFile } from './n8nClient';

/** What the user must have for a node or its credential apart from the service's key, by type. */
const OWN: Record<string, string> = {
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'a credential for a chat model',
	httpBasicAuth: 'a Basic Auth credential',
	smtp: 'an SMTP account',
	sftp: 'an SFTP server, from which the sandbox cannot download',
};

/** How an example is started; one without such a node is executed. */
const STARTS: Record<string, string> = {
	'n8n-nodes-base.formTrigger': 'publish it, then open its form',
	'n8n-nodes-base.webhook': 'publish it, then call its address',
	'n8n-nodes-native.nativeBulkImportTrigger': 'publish it, then run an import',
};

/** What an example needs that `npm start` does not have ready. */
export const ownNeeds = ({ nodes }: Pick<WorkflowFile, 'nodes'>): string[] =>
	nodes
		.flatMap(({ type, credentials }) => [type, ...Object.keys(credentials ?? {})])
		.flatMap((type) => OWN[type] ?? []);

/** What a user must have and do before an example runs. */
export function needsOf(workflow: Pick<WorkflowFile, 'nodes'>): string {
	const own = ownNeeds(workflow);
	const [start = 'execute it'] = workflow.nodes.flatMap(({ type }) => STARTS[type] ?? []);
	return own.length > 0 ? `needs ${own.join(' and ')}; then ${start}` : start;
}

import { waitUntil } from '../hosts/waitUntil';
import { importItemsNode, itemsWorkflow } from '../hosts/workflows';
import { signedAddresses, startedJobs } from './importRequests';
import type { TestN8n } from './testN8n';

/** Makes the link to the page known. */
const PAGE_SECRET = 'a-page-of-the-test';

/** The second is rejected. */
const ROWS = [
	{ first: 'Ada', last: 'Asked', mail: 'ada@example.org' },
	{ first: 'Bob <b>"&\'', last: 'Asked', mail: 'no..one@example.org' },
	{ first: 'Cleo', last: 'Asked', mail: 'cleo@example.org' },
];

/** Starts an import, and waits until it asks. */
export async function startAskedImport(
	running: TestN8n,
	options: Record<string, unknown> = {},
): Promise<{ id: string; link: string }> {
	const { client } = running.n8n;
	const node = importItemsNode(running.credentialId, {
		description: 'Fair of March',
		hosting: 'put',
		...signedAddresses(running.sandbox),
		options: {
			pollInterval: 1,
			askFirst: true,
			waitForOutcome: 'database',
			progressPage: PAGE_SECRET,
			wakeByService: true,
			...options,
		},
	});
	const { control, requests, url } = running.sandbox;
	control.clearRequests();
	// As a node that mails it.
	const tell = {
		name: 'Tell',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4,
		onError: 'continueRegularOutput' as const,
		executeOnce: true,
		parameters: {
			url: `={{ '${url}/v2/codes?link=' + encodeURIComponent($execution.resumeFormUrl) }}`,
		},
	};
	const again = {
		name: 'List Again',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		parameters: { jsCode: "return $('Given Items').all();" },
	};
	const workflow = await client.createWorkflow(itemsWorkflow(ROWS, [tell, again, node]));
	const id = await client.start(workflow, 'Start');
	await waitUntil('it waits', async () => (await client.statusOf(id)) === 'waiting');
	const link = new URL(String(requests.find(({ query }) => 'link' in query)?.query.link));
	link.searchParams.set('page', PAGE_SECRET);
	return { id, link: link.toString() };
}

export const jobCount = (running: TestN8n): number => startedJobs(running.sandbox).length;

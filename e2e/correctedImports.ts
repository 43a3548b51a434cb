import { waitUntil } from '../hosts/waitUntil';
import { importItemsNode, itemsWorkflow } from '../hosts/workflows';
import { resumeLink } from './databaseWaits';
import { signedAddresses } from './importRequests';
import type { TestN8n } from './testN8n';

/** Makes the link to the page known. */
export const PAGE_SECRET = 'a-page-of-the-test';

/** The second and the third are rejected. */
const ROWS = [
	{ first: 'Ada', last: 'Example', mail: 'ada@example.org' },
	{ first: 'Bob <b>"&\'', last: 'Example', mail: 'no..one@example.org' },
	{ first: 'Cleo', last: 'Example', mail: 'cleo..@example.org' },
];

/** Starts an import, and waits until its rows can be corrected. */
export async function startCorrectedImport(
	running: TestN8n,
): Promise<{ id: string; link: string }> {
	const { client } = running.n8n;
	const node = importItemsNode(running.credentialId, {
		description: 'Fair of March',
		hosting: 'put',
		...signedAddresses(running.sandbox),
		options: {
			pollInterval: 1,
			waitForOutcome: 'database',
			progressPage: PAGE_SECRET,
			correctRejected: 60,
			wakeByService: true,
		},
	});
	const workflow = await client.createWorkflow(itemsWorkflow(ROWS, [node]));
	const id = await client.start(workflow, 'Start');
	await waitUntil('it waits', async () => (await client.statusOf(id)) === 'waiting');
	const link = new URL(resumeLink(running));
	link.pathname = `/form-waiting/${id}`;
	link.searchParams.set('page', PAGE_SECRET);
	return { id, link: link.toString() };
}

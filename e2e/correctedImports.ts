import { unescape } from 'lodash';
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

/** What a page with rows to correct sends once the address of the second row is right. */
export function correctedForm(page: string): URLSearchParams {
	const form = new URLSearchParams({ action: 'import' });
	for (const [, name = '', value = ''] of page.matchAll(
		/<input [^>]*?name="([^"]*)" value="([^"]*)"/g,
	))
		form.set(name, value === 'no..one@example.org' ? 'bob@example.org' : unescape(value));
	return form;
}

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

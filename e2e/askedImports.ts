import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import type { StoredWorkflow } from '../hosts/n8nClient';
import { waitUntil } from '../hosts/waitUntil';
import { importItemsNode, itemsWorkflow } from '../hosts/workflows';
import { pageText } from '../test/support/pageText';
import { correctedForm, PAGE_SECRET } from './correctedImports';
import { signedAddresses, startedJobs } from './importRequests';
import type { TestN8n } from './testN8n';

/** The second is rejected. */
const rowsOf = (last: string) => [
	{ first: 'Ada', last, mail: 'ada@example.org' },
	{ first: 'Bob <b>"&\'', last, mail: 'no..one@example.org' },
	{ first: 'Cleo', last, mail: 'cleo@example.org' },
];

/** The page of an import; undefined where n8n does not respond: while the execution runs, it leaves a request for it. */
export async function readPage(
	running: Pick<TestN8n, 'fetch'>,
	link: string,
): Promise<string | undefined> {
	try {
		const response = await running.fetch(link, { signal: AbortSignal.timeout(5000) });
		return await response.text();
	} catch {
		return undefined;
	}
}

const shownOf = (page = 'nothing') => pageText(page, ['style', 'script']).slice(0, 300);

async function assertTaken(response: Awaited<ReturnType<TestN8n['fetch']>>): Promise<void> {
	assert.ok(response.ok, `${response.status}: ${shownOf(await response.text())}`);
}

/**
 * Sends a form several times at once; one must be taken. n8n leaves what comes while the execution runs
 * without a response, so the others are given up once they had time for theirs.
 */
export async function pressAtOnce(
	running: Pick<TestN8n, 'fetch'>,
	link: string,
	form: Record<string, string> | URLSearchParams,
	times: number,
): Promise<void> {
	const others = new AbortController();
	const presses = Array.from({ length: times }, async () => {
		const body = new URLSearchParams(form);
		await assertTaken(await running.fetch(link, { method: 'POST', body, signal: others.signal }));
	});
	await Promise.any(presses);
	await Promise.race([Promise.allSettled(presses), wait(3000)]);
	others.abort();
	await Promise.allSettled(presses);
}

/** The link of an import as a program opens it that knows the secret. */
export class AskedImport {
	constructor(
		private readonly running: TestN8n,
		readonly id: string,
		readonly link: string,
		readonly workflow: StoredWorkflow,
	) {}

	async body(): Promise<string> {
		return await waitUntil(
			'the page is there',
			async () => await readPage(this.running, this.link),
		);
	}

	private async send(form: Record<string, string> | URLSearchParams) {
		return await this.running.fetch(this.link, {
			method: 'POST',
			body: new URLSearchParams(form),
		});
	}

	async post(form: Record<string, string>): Promise<number> {
		return (await this.send(form)).status;
	}

	/** The value of such a hidden field, once it is there. */
	async hidden(name: string): Promise<string> {
		const field = new RegExp(`name="${name}" value="(\\w+)"`);
		let page: string | undefined;
		return await waitUntil(
			() => `the page of execution ${this.id} holds "${name}": ${shownOf(page)}`,
			async () => {
				page = await readPage(this.running, this.link);
				return field.exec(page ?? '')?.[1];
			},
		);
	}

	/** What one person does: nobody else presses at the same time. */
	private async press(form: Record<string, string> | URLSearchParams): Promise<void> {
		await assertTaken(await this.send(form));
	}

	async answer(action: 'import' | 'cancel'): Promise<void> {
		await this.press({ ask: await this.hidden('ask'), action });
	}

	/** Corrects the address that was rejected, once it can be. */
	async correct(): Promise<void> {
		await this.hidden('offer');
		await this.press(correctedForm(await this.body()));
	}

	/** Reads the report, once it is there. */
	async read(): Promise<void> {
		await this.press({ read: await this.hidden('read') });
	}

	async status(): Promise<string> {
		return await this.running.n8n.client.statusOf(this.id);
	}
}

interface AskedRows {
	/** Last name of the people in its rows. */
	last?: string;
	/** Default: the one of the tests. */
	credentialId?: string;
	/** What its node says in addition. */
	parameters?: INodeParameters;
}

/** Starts an import that asks first. */
export async function beginAskedImport(
	running: TestN8n,
	options: Record<string, unknown> = {},
	{ last = 'Asked', credentialId = running.credentialId, parameters = {} }: AskedRows = {},
): Promise<AskedImport> {
	const { client } = running.n8n;
	const node = importItemsNode(credentialId, {
		description: 'Fair of March',
		hosting: 'put',
		...signedAddresses(running.sandbox),
		...parameters,
		options: {
			pollInterval: 1,
			askFirst: true,
			waitForOutcome: 'database',
			progressPage: PAGE_SECRET,
			wakeByService: true,
			...options,
		},
	});
	const { requests, url } = running.sandbox;
	// Acts as a node that mails the link.
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
	const workflow = await client.createWorkflow(itemsWorkflow(rowsOf(last), [tell, again, node]));
	const told = () => requests.filter(({ query }) => 'link' in query);
	const before = told().length;
	const id = await client.start(workflow, 'Start');
	const request = await waitUntil('it tells its link', () => told()[before]);
	const link = new URL(String(request.query.link));
	link.searchParams.set('page', PAGE_SECRET);
	return new AskedImport(running, id, link.toString(), workflow);
}

/** The same, and waits until it asks. */
export async function startAskedImport(
	...given: Parameters<typeof beginAskedImport>
): Promise<AskedImport> {
	const begun = await beginAskedImport(...given);
	await waitUntil('it waits', async () => (await begun.status()) === 'waiting');
	return begun;
}

export const jobCount = (running: TestN8n): number => startedJobs(running.sandbox).length;

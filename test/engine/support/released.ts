import type { IRunExecutionData } from 'n8n-workflow';

import type { NodeSetup } from './engine';
import { callWaitingLink, type LinkResponse } from './waitingLink';

/** A secret for the page of an import. */
export const PAGE_SECRET = 'a-page-of-the-test';

/** What names the question of a page: of an import that asks, or of one whose report is read. */
const questionIn = ({ body }: LinkResponse, name: 'ask' | 'read'): string =>
	new RegExp(`name="${name}" value="(\\w+)"`).exec(body)?.[1] ?? '';

/** Releases an import that asks first, and reads its report. */
export async function answerPage(setup: NodeSetup, stored: IRunExecutionData): Promise<void> {
	const query = { page: PAGE_SECRET };
	const page = await callWaitingLink(setup, stored, 'GET', query);
	const [ask, read] = [questionIn(page, 'ask'), questionIn(page, 'read')];
	const form: Record<string, string> =
		ask === '' ? { read } : { ask, action: 'import', name: 'Kim Example' };
	if (ask !== '' || read !== '') await callWaitingLink(setup, stored, 'POST', query, form);
}

import type { IRunExecutionData } from 'n8n-workflow';

import { unescape } from 'lodash';

import type { NodeSetup } from '../../test/engine/support/engine';
import { callWaitingLink, type LinkResponse } from '../../test/engine/support/waitingLink';
import { RELEASED_BY } from './options/output';
import { PAGE_SECRET } from './options/waiting';

const PAGE = { page: PAGE_SECRET };

const questionIn = ({ body }: LinkResponse, name: 'ask' | 'read'): string | undefined =>
	new RegExp(`name="${name}" value="(\\w+)"`).exec(body)?.[1];

interface Released {
	/** What the page asks or shows wrongly. */
	problems: string[];
	/** The text of a page that shows what would stop the import: it can only be canceled. */
	stopped?: string;
}

/**
 * Releases an import on its page, or reads its report there.
 * @param sentRows how many rows the page should offer to import
 * @param writes what was sent so far
 * @returns undefined if the page asks nothing
 */
export async function answerImport(
	setup: NodeSetup,
	stored: IRunExecutionData,
	sentRows: number,
	writes: readonly string[],
): Promise<Released | undefined> {
	const page = await callWaitingLink(setup, stored, 'GET', PAGE);
	const [ask, read] = [questionIn(page, 'ask'), questionIn(page, 'read')];
	if (ask === undefined && read === undefined) return undefined;
	const problems: string[] = [];
	const [, stops] = page.body.split('Stops this import');
	if (stops !== undefined) {
		const [section = ''] = stops.split('<h2>');
		const stopped = unescape(section.replace(/<[^>]*>/g, ' '));
		await callWaitingLink(setup, stored, 'POST', PAGE, { ask: ask ?? '', action: 'cancel' });
		return { problems, stopped };
	}
	if (ask !== undefined) {
		const offer = `Import ${sentRows} ${sentRows === 1 ? 'row' : 'rows'}`;
		const offered = /value="import">([^<]*)</.exec(page.body)?.[1];
		if (offered !== offer) problems.push(`the page offers "${offered}", not "${offer}"`);
		if (writes.length > 0) problems.push(`sent before its release: ${writes.join(', ')}`);
	}
	const form: Record<string, string> =
		ask === undefined ? { read: read ?? '' } : { ask, action: 'import', name: RELEASED_BY };
	const { wakes } = await callWaitingLink(setup, stored, 'POST', PAGE, form);
	if (!wakes) problems.push('the answer on the page was not taken');
	return { problems };
}

import type { IRunExecutionData } from 'n8n-workflow';
import { groupBy, unescape } from 'lodash';

import type { NodeSetup } from '../../test/engine/support/engine';
import { callWaitingLink } from '../../test/engine/support/waitingLink';
import { givenValue, textIn } from './oracle';
import { PAGE_SECRET } from './options/waiting';
import type { StoryRun } from './options/storyOption';
import { typedFor } from './rows';

const PAGE = { page: PAGE_SECRET };

interface Input {
	name: string;
	value: string;
}

const oneLine = (text: string): string => text.replace(/\n/g, ' ');

/** The fields of the form. */
const inputsOf = (page: string): Input[] =>
	[...page.matchAll(/<input [^>]*?name="([^"]*)" value="([^"]*)"/g)].map(
		([, name = '', value = '']) => ({ name, value: unescape(value) }),
	);

const shownText = (value: unknown): string =>
	typeof value === 'object' && value !== null ? JSON.stringify(value) : textIn(value);

/** With the values to correct, it tells one row from the others. The first column is a number that the page leaves out. */
function firstValueOf(run: StoryRun, { cells }: StoryRun['rows'][number]): string {
	const [, second] = run.columns;
	return shownText(givenValue(run, cells[second ?? ''] ?? { given: '' }));
}

/**
 * Corrects the rows on the page of an import that waits, as {@link typedFor} says.
 * @returns whether there was something to correct
 */
export async function typeCorrections(
	setup: NodeSetup,
	stored: IRunExecutionData,
	run: StoryRun,
): Promise<boolean> {
	const { body } = await callWaitingLink(setup, stored, 'GET', PAGE);
	if (!body.includes('data-question')) return false;
	const inputs = inputsOf(body);
	// A field of a row is named by the numbers of its row and its column.
	const offered = Object.values(groupBy(inputs, ({ name }) => name.split('.')[0]));
	const form = Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
	let action = 'finish';
	for (const row of run.rows) {
		const typed = Object.entries(typedFor(row) ?? {}).map(([name, text]) => ({
			text,
			given: shownText(givenValue(run, row.cells[name] ?? { given: '' })),
		}));
		const shown = [...typed.map(({ given }) => given), firstValueOf(run, row)];
		const own = offered.find((fields) =>
			shown.every((text) => fields.some(({ value }) => oneLine(value) === oneLine(text))),
		);
		if (typed.length === 0 || !own) continue;
		action = 'import';
		for (const { text, given } of typed) {
			const input = own.find(({ value }) => oneLine(value) === oneLine(given));
			if (input) form[input.name] = text;
		}
	}
	const { wakes } = await callWaitingLink(setup, stored, 'POST', PAGE, { ...form, action });
	if (!wakes) throw new Error('The corrections were not taken.');
	return true;
}

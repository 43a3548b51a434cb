import type { INodeParameters } from 'n8n-workflow';

import { fromList, mapAutomatically } from '../../hosts/locators';
import { longestTurnOf } from '../support/eventLoop';
import { isThorough } from '../support/randomCases';
import { type PackageOperation, packageOperations } from './support/exampleOutputs';
import { useHostileService } from './support/hostileService';
import { fewTexts, LONGEST_TURN_MS, slowTexts, texts } from './support/hostileTexts';
import { textParameters } from './support/textParameters';

/**
 * No text from a web form stops n8n. Every text parameter that the descriptions of the nodes name is tried: in
 * one operation of its node, in a thorough run in each that has it.
 */

const used = useHostileService();
const operations = packageOperations();

/** What is sent is checked with the responses. */
const asDryRun = (parameters: INodeParameters = {}): INodeParameters => ({
	...parameters,
	options: { ...(parameters.options as object), dryRun: true },
});

const nameOf = ({ nodeName, name }: PackageOperation, path: string): string =>
	`${nodeName} ${isThorough ? name : ''} ${path}`;
const pathsOf = (operation: PackageOperation): string[] =>
	textParameters(operation, {}).map(({ path }) => nameOf(operation, path));
/** The operation in which a parameter is tried: the last that has it. */
const tried = new Map(
	operations.flatMap((operation) => pathsOf(operation).map((path) => [path, operation] as const)),
);

test.each([...new Set(tried.values())])(
	'$nodeName $name: no text in a parameter stops n8n',
	async (operation) => {
		const { service } = used;
		const { parameters, items } = await service.exampleOf(operation);
		const slow: string[] = [];
		for (const { path, withText } of textParameters(operation, asDryRun(parameters))) {
			if ((tried.get(nameOf(operation, path)) ?? operation) !== operation) continue;
			if (operation.isPerItem) {
				const given = texts.map((text) => ({ json: { text } }));
				const work = async () => await service.run(operation, withText('={{ $json.text }}'), given);
				if ((await longestTurnOf(work, LONGEST_TURN_MS)) <= LONGEST_TURN_MS) continue;
			}
			const found = await slowTexts(
				fewTexts,
				async (text) => await service.run(operation, withText(text), items),
			);
			slow.push(...found.map((text) => `${path}: ${text}`));
		}
		expect(slow).toEqual([]);
	},
);

test('no header and no value of a list stops n8n', async () => {
	const operation = operations.find(({ name }) => name === 'job/createFromItems');
	if (!operation) throw new Error('Import Items is missing.');
	const base = {
		resource: 'job',
		operation: 'createFromItems',
		hosting: 'none',
		resourceType: fromList('Contacts'),
		mappingTypes: ['CreateOrUpdateContact'],
	};
	const options = { dryRun: true };
	const slow = await slowTexts(texts, async (text) => {
		const row = { [text]: 'Ann Lee', 'Last Name': 'Lee', Email: 'a@example.org', Phone: '' };
		// A header is read for each row.
		const items = Array.from({ length: 12 }, () => ({ json: row }));
		items.push({ json: { ...row, Phone: text } });
		const fieldMap = mapAutomatically;
		return await used.service.run(operation, { ...base, fieldMap, options }, items);
	});
	expect(slow).toEqual([]);
});

test.each(operations)(
	'$nodeName $name: an object that has no text, in a parameter, is no error of JavaScript',
	async (operation) => {
		const { service } = used;
		const { parameters } = await service.exampleOf(operation);
		const items = [{ json: { value: { toString: 1, valueOf: 1 } } }];
		const raw: string[] = [];
		for (const { path, withText } of textParameters(operation, asDryRun(parameters))) {
			const ran = await service.run(operation, withText('={{ $json.value }}'), items);
			const printed = JSON.stringify([ran?.outputs, ran?.error?.message]);
			if (/Cannot convert object|is not a function/.test(printed)) raw.push(path);
		}
		expect(raw).toEqual([]);
	},
);

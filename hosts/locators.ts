import type { INodeParameters } from 'n8n-workflow';

/** What the editor stores for a field with a list: a choice from the list, an ID or a name. */
const locator = (mode: string) => (value: number | string | null | undefined) => ({
	__rl: true,
	mode,
	value,
});

/** What the editor stores for fields that Map Automatically fills. */
export const mapAutomatically = {
	mappingMode: 'autoMapInputData',
	value: null,
	schema: [],
	matchingColumns: [],
} as unknown as INodeParameters;

export const fromList = locator('list');
export const byId = locator('id');
export const byName = locator('name');

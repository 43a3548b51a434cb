import type { INodeParameters } from 'n8n-workflow';

/** What the editor stores for a field with a list: a choice from the list, an ID or a name. */
const locator = (mode: string) => (value: number | string | null | undefined) => ({
	__rl: true,
	mode,
	value,
});

const fieldMap = (mappingMode: string, value: Record<string, string> | null) =>
	({ mappingMode, value, schema: [], matchingColumns: [] }) as unknown as INodeParameters;

/** What the editor stores for fields that Map Automatically fills. */
export const mapAutomatically = fieldMap('autoMapInputData', null);
/** The same for Map Each Column Manually. */
export const mapFields = (values: Record<string, string>) => fieldMap('defineBelow', values);

export const fromList = locator('list');
export const byId = locator('id');
export const byName = locator('name');

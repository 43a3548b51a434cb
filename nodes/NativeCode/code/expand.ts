import type { INodeProperties } from 'n8n-workflow';

/** Sections of a code that are not read unless asked for: service.md 6.1. */
export const expandField: INodeProperties = {
	displayName: 'Expand',
	name: 'expand',
	type: 'multiOptions',
	options: [{ name: 'Supported Entities', value: 'supportedEntities' }],
	default: ['supportedEntities'],
	description: 'What else to read; what you do not choose comes out empty',
};

/** The option `$expand` of a query, from the collection the field stands in. */
export function expandInput(collection: unknown): string | undefined {
	const expand = (collection as { expand?: unknown } | null | undefined)?.expand;
	const sections = Array.isArray(expand) ? expand.map(String) : String(expand ?? '').split(',');
	return sections.filter((section) => section.trim() !== '').join(',') || undefined;
}

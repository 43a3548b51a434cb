import type { INodeProperties } from 'n8n-workflow';

/** Sections of a code returned only on request: service.md 6.1. */
export const expandField: INodeProperties = {
	displayName: 'Sections to Include',
	name: 'expand',
	type: 'multiOptions',
	options: [{ name: 'Supported Entities', value: 'supportedEntities' }],
	default: ['supportedEntities'],
	description: 'Additional sections to return. Others are null.',
};

/** The query option `$expand`, from the collection with the field. */
export function expandInput(collection: unknown): string | undefined {
	const expand = (collection as { expand?: unknown } | null | undefined)?.expand;
	const sections = Array.isArray(expand) ? expand.map(String) : String(expand ?? '').split(',');
	return sections.filter((section) => section.trim() !== '').join(',') || undefined;
}

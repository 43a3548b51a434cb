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

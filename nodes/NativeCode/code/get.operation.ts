import type { INodeProperties } from 'n8n-workflow';

import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { simplifyFields, simplifyIfAsked } from '../../shared/parameters/simplify';
import { codeIdField } from '../../shared/service/code';
import { endpoints } from '../../shared/service/endpoints';
import { recordSchema } from '../../shared/service/requestBody';

/** Sections of a code returned only on request: service.md 6.1. */
export const expandField: INodeProperties = {
	displayName: 'Sections to Include',
	name: 'expand',
	type: 'multiOptions',
	options: [{ name: 'Supported Entities', value: 'supportedEntities' }],
	default: ['supportedEntities'],
	description: 'Additional sections to return. Others are null.',
};

export const getOperation: NodeOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get code',
	description: 'Read a code by its ID',
	calls: [endpoints.getCode],
	properties: [codeIdField, ...simplifyFields],
	options: [expandField],
	async run({ parameters, service }) {
		const codeId = parameters.id('codeId');
		const values = {
			path: { codeId },
			query: { $expand: parameters.in('options').names('expand').join(',') },
		};
		const code = await service.read(endpoints.getCode, values, recordSchema);
		return asItems(simplifyIfAsked(parameters, code));
	},
};

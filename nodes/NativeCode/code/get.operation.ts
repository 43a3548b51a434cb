import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { simplifyFields, simplifyIfAsked } from '../../shared/parameters/simplify';
import { codeIdField } from '../../shared/service/code';
import { endpoints } from '../../shared/service/endpoints';
import { expandField } from './expand';

const recordSchema = z.object({}).passthrough();

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
		return asItems(simplifyIfAsked(parameters, code as IDataObject));
	},
};

import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { asItems, type NodeOperation } from '../../shared/execution/operation';
import { simplifyFields, simplifyIfAsked } from '../../shared/parameters/simplify';
import { endpoints } from '../../shared/service/endpoints';
import { codeIdField, codeIdInput } from '../../shared/parameters/codeId';
import { expandField, expandInput } from './expand';

const recordSchema = z.object({}).passthrough();

export const getOperation: NodeOperation = {
	value: 'get',
	name: 'Get',
	action: 'Get code',
	description: 'Read a code by its ID',
	calls: [endpoints.getCode],
	properties: [codeIdField, ...simplifyFields],
	options: [expandField],
	async run({ functions, service, itemIndex }) {
		const codeId = codeIdInput(functions, itemIndex);
		const options = functions.getNodeParameter('options', itemIndex, {});
		const values = { path: { codeId }, query: { $expand: expandInput(options) } };
		const code = await service.read(endpoints.getCode, values, recordSchema);
		return asItems(simplifyIfAsked(functions, itemIndex, code as IDataObject));
	},
};

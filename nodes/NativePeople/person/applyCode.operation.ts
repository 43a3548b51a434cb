import type { NodeOperation } from '../../shared/execution/operation';
import { codeIdField, codeIdInput } from '../../shared/parameters/codeId';
import {
	personReferenceFields,
	personReferenceInput,
	personReferenceOutput,
} from '../../shared/parameters/personReference';
import { endpoints } from '../../shared/service/endpoints';
import { prepareCall } from '../../shared/service/nativeService';

export const applyCodeOperation: NodeOperation = {
	value: 'applyCode',
	name: 'Apply Code',
	action: 'Apply code to person',
	description:
		'Put a source code or a tag on a person. If the person already has it, nothing changes.',
	calls: [endpoints.applyCode],
	properties: [...personReferenceFields, codeIdField],
	write({ functions, service, itemIndex }) {
		const person = personReferenceInput(functions, itemIndex);
		const body = { codeId: codeIdInput(functions, itemIndex) };
		const who = personReferenceOutput(person, service.vocabulary);
		return {
			call: prepareCall(endpoints.applyCode, { path: { person }, body }),
			output: () => ({ applied: true, ...who, ...body }),
		};
	},
};

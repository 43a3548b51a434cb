import type { NodeOperation } from '../../shared/execution/operation';
import { bodyInput } from '../../shared/parameters/bodyForm';
import {
	personReferenceFields,
	personReferenceInput,
	personReferenceOutput,
} from '../../shared/parameters/personReference';
import { objectOf } from '../../shared/service/bodyField';
import { codeIdField } from '../../shared/service/code';
import { endpoints, prepareCall } from '../../shared/service/endpoints';
import { recordIdSchema } from '../../shared/service/bodySchema';

/** The request body: service.md 4.6. */
const fields = { codeId: { schema: recordIdSchema, screen: codeIdField } };
const personCode = { label: 'Code', fields, schema: objectOf(fields, 'codeId') };

export const applyCodeOperation: NodeOperation = {
	value: 'applyCode',
	name: 'Apply Code',
	action: 'Apply code to person',
	description:
		'Put a source code or a tag on a person. If the person already has it, nothing changes.',
	calls: [endpoints.applyCode],
	properties: [...personReferenceFields, codeIdField],
	write({ parameters, service }) {
		const person = personReferenceInput(parameters);
		const { body } = bodyInput(parameters, personCode);
		const who = personReferenceOutput(person, service.vocabulary);
		return {
			call: prepareCall(endpoints.applyCode, { path: { person }, body }),
			output: () => ({ applied: true, ...who, ...body }),
		};
	},
};

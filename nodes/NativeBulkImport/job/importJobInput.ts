import type { INodeProperties } from 'n8n-workflow';

import type { ItemContext } from '../../shared/execution/operation';
import {
	bodyInput,
	type BodyForm,
	fieldsOrJson,
	usingFields,
} from '../../shared/parameters/bodyForm';
import { screenFields } from '../../shared/service/bodyField';
import { checkImportJob, type ImportJob, importJobFields } from '../../shared/service/importJob';

export const jobForm: BodyForm = { label: 'Job', fields: importJobFields };

export const jobParameters: INodeProperties[] = [
	...fieldsOrJson(
		jobForm,
		'The whole job with description, file, actions and, if you need them, listeners',
	),
	...usingFields(jobForm, screenFields(importJobFields)),
];

/** The checked job of one item. Throws InvalidInput naming every problem in the words on the screen. */
export function importJobInput({ parameters, service }: ItemContext): ImportJob {
	const check = (input: unknown) => checkImportJob(input, service.vocabulary);
	return bodyInput(parameters, jobForm, check).job;
}

import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { lacksId } from '../service/bodySchema';
import type { PersonReference } from '../service/endpoints';
import { throwIfAny } from '../service/invalidInput';
import type { Vocabulary } from '../service/connection';
import type { ItemParameters } from './itemParameters';

export const personReferenceFields: INodeProperties[] = [
	{
		displayName: 'Identify Person By',
		name: 'identifyBy',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'ID of an Identifier Type',
				value: 'type',
				description: 'An ID from another system, stored with the person',
			},
			{
				name: 'Person ID',
				value: 'nativeId',
				description: 'The number that the service gave the person',
			},
		],
		default: 'nativeId',
		description: 'Which kind of ID you have for the person',
	},
	{
		displayName: 'Person ID',
		name: 'nativeId',
		type: 'string',
		default: '={{ $json.personId }}',
		required: true,
		placeholder: 'e.g. 100123',
		displayOptions: { show: { identifyBy: ['nativeId'] } },
		description:
			'The number the service gave the person, as the operations of the Native People node return it in personId',
	},
	{
		displayName: 'Identifier Type',
		name: 'personIdType',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. CrmId',
		displayOptions: { show: { identifyBy: ['type'] } },
		description:
			'Name of the identifier type, as it is set up in the service. Upper and lower case make no difference.',
	},
	{
		displayName: 'ID in That Type',
		name: 'personId',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. A-1',
		displayOptions: { show: { identifyBy: ['type'] } },
		description: 'The ID of the person in the identifier type above',
	},
];

function idProblem(entered: string, example: string): string | undefined {
	if (entered === '') return `is empty. Enter it, e.g. ${example}.`;
	if (/^\.{1,2}$|\p{Cc}|\p{Surrogate}/u.test(entered))
		return 'must not consist only of dots or contain an invisible character. Check the value.';
	const text = lacksId(entered);
	return text && `${text}.`;
}

/** The person chosen for one item. Throws InvalidInput naming the field on the screen. */
export function personReferenceInput(parameters: ItemParameters): PersonReference {
	if (parameters.choice('identifyBy', ['nativeId', 'type']) === 'nativeId')
		return parameters.id('nativeId');
	const personIdType = parameters.text('personIdType');
	const personId = parameters.text('personId');
	const colonProblem = 'must not contain a colon. Enter the type alone, e.g. CrmId.';
	const found: Array<[field: string, text: string | undefined]> = [
		['Identifier Type', idProblem(personIdType, 'CrmId')],
		['Identifier Type', personIdType.includes(':') ? colonProblem : undefined],
		['ID in That Type', idProblem(personId, 'A-1')],
	];
	throwIfAny(found.flatMap(([field, text]) => (text === undefined ? [] : { field, text })));
	return { personIdType, personId };
}

/** The person in an output: `personId` is always the service's own ID, as later nodes expect. */
export function personReferenceOutput(
	person: PersonReference,
	{ personId }: Vocabulary,
): IDataObject {
	return typeof person === 'number'
		? { personId: person, [personId]: person }
		: { personIdType: person.personIdType, externalId: person.personId };
}

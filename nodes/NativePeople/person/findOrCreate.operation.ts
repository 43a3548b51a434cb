import { endpoints } from '../../shared/service/endpoints';
import { findOrCreateOperation } from '../findOrCreate';

export const findOrCreatePersonOperation = findOrCreateOperation(endpoints.findOrCreatePerson, {
	name: 'Find or Create',
	action: 'Find or create person',
	description:
		'Find a person by email, phone, or name and address, or create one. To be sure that new data reaches a matched person, use Update afterwards.',
});

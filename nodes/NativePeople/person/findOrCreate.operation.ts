import { endpoints } from '../../shared/service/endpoints';
import { findOrCreateOperation } from '../findOrCreate';

export const findOrCreatePersonOperation = findOrCreateOperation(endpoints.findOrCreatePerson, {
	name: 'Find or Create',
	action: 'Find or create a person',
	description:
		'Look for a person by email, phone, or name and address, and store a new one if there is none. Output says in matchStatus whether the person was matched or created. To be sure that new data goes into a matched person, use Update afterwards.',
});

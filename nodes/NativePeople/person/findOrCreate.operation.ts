import { endpoints } from '../../shared/service/endpoints';
import { findOrCreateOperation } from '../findOrCreate';

export const findOrCreatePersonOperation = findOrCreateOperation(endpoints.findOrCreatePerson, {
	name: 'Find or Create',
	action: 'Find or create person',
	description:
		'Look for a person by email, phone, or name and address, and store a new one if nobody matches. In the output, matchStatus is matched or created. To be sure that new data reaches a matched person, use Update afterwards.',
});

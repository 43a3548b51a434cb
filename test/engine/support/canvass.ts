import { byId } from '../../../hosts/locators';

/** The parameters of a canvass response of Avery, who was not at home. */
export const CANVASS = {
	resource: 'canvassResponse',
	operation: 'create',
	nativeId: '100001',
	canvassContext: { contactTypeId: byId(2) },
	resultCodeId: byId(1),
};

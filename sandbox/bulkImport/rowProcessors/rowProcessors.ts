import { findPersonByIdentifier } from '../../store/matching';
import { mergePerson } from '../../store/people';
import { mailingAddress } from './addressRow';
import { email, phones } from './contactMethodRows';
import { PROCESSED, rejected, type PersonProcessor } from './rowProcessor';

const applyExternalId: PersonProcessor = ({ store }, person, values) => {
	const typeId = Number(values.get('ExternalIdTypeID'));
	const type = store.setup.externalIdTypes.find((one) => one.externalIdTypeId === typeId);
	const externalId = values.get('ExternalId');
	if (!type || externalId === undefined) return rejected('Invalid value for ExternalIdTypeID');
	const holder = findPersonByIdentifier(store, type.name, externalId);
	if (holder && holder !== person) {
		return rejected('External ID already belongs to another contact');
	}
	mergePerson(store, person, { identifiers: [{ type: type.name, externalId }] });
	return PROCESSED;
};

/**
 * By mapping type name. CreateOrUpdateContact is not among them: it finds the person of the row. The values of
 * others are checked and not stored: nothing reads them.
 */
export const PERSON_PROCESSORS: ReadonlyMap<string, PersonProcessor> = new Map([
	['MailingAddress', mailingAddress],
	['Phones', phones],
	['Email', email],
	['ApplyExternalID', applyExternalId],
]);

import { activistCode, canvassResults } from './activityRows';
import { mailingAddress } from './addressRow';
import { email, phones } from './contactMethodRows';
import { contributionAdjustments, editContributionData } from './contributionRows';
import { applyOrganizingTurfs, jobs } from './jobAndTurfRows';
import {
	applyContactCustomFields,
	applyExternalId,
	applyRelationships,
	originSourceCode,
	salutations,
	suppressions,
} from './personAttributeRows';
import type { ContributionProcessor, PersonProcessor } from './rowProcessor';

/** By mapping type name. CreateOrUpdateContact is not among them: it finds the person of the row. */
export const PERSON_PROCESSORS: ReadonlyMap<string, PersonProcessor> = new Map([
	['MailingAddress', mailingAddress],
	['Phones', phones],
	['Email', email],
	['ApplyExternalID', applyExternalId],
	['ApplyContactCustomFields', applyContactCustomFields],
	['ActivistCode', activistCode],
	['CanvassResults', canvassResults],
	['Suppressions', suppressions],
	['OriginSourceCode', originSourceCode],
	['Salutations', salutations],
	['ApplyRelationships', applyRelationships],
	['ApplyOrganzingTurfs', applyOrganizingTurfs],
	['Jobs', jobs],
]);

export const CONTRIBUTION_PROCESSORS: ReadonlyMap<string, ContributionProcessor> = new Map([
	['ContributionAdjustments', contributionAdjustments],
	['EditContributionDataContacts', editContributionData],
]);

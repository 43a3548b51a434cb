import { activistCode, canvassResults } from './activityRows';
import { mailingAddress } from './addressRow';
import { email, phones } from './contactMethodRows';
import { contributionAdjustments, editContributionData } from './contributionRows';
import { applyOrganizingTurfs, jobs, jobsProblem, turfProblem } from './jobAndTurfRows';
import {
	applyContactCustomFields,
	applyExternalId,
	applyRelationships,
	originSourceCode,
	salutations,
	suppressions,
} from './personAttributeRows';
import type { ContributionProcessor, JobCheck, PersonProcessor } from './rowProcessor';

/** By mapping type name: where one invalid row fails the whole job (service.md 2.7). */
export const JOB_CHECKS: ReadonlyMap<string, JobCheck> = new Map([
	['ApplyOrganzingTurfs', turfProblem],
	['Jobs', jobsProblem],
]);

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

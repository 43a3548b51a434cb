import { defineMappingType, needs, type MappingTypeDefinition } from './mappingType';
import { ADJUSTMENT_TYPES } from './predefinedValues';

const RESOURCE_TYPES = ['Contributions', 'ContributionAdjustments'];

/**
 * The contract names these mapping types but not their fields (service.md 2.6), so the fields are the
 * sandbox's own and clients must discover them.
 */
export function contributionMappingTypes(): MappingTypeDefinition[] {
	return [
		defineMappingType(
			{
				name: 'ContributionAdjustments',
				displayName: 'Contribution Adjustments',
				allowMultipleMode: 'Multiple',
				resourceTypes: RESOURCE_TYPES,
			},
			[
				{
					name: 'AdjustmentAmount',
					description: 'Amount to add to the contribution; negative for a refund',
					isRequired: true,
				},
				{
					name: 'AdjustmentTypeID',
					description: 'Kind of adjustment',
					values: ADJUSTMENT_TYPES,
					parents: needs('AdjustmentAmount'),
				},
				{
					name: 'AdjustmentDate',
					description: 'Date of the adjustment',
					parents: needs('AdjustmentAmount'),
				},
				{
					name: 'AdjustmentNotes',
					description: 'Notes',
					parents: needs('AdjustmentAmount'),
				},
			],
		),
		defineMappingType(
			{
				name: 'EditContributionDataContacts',
				displayName: 'Edit Contribution Data',
				allowMultipleMode: 'Single',
				resourceTypes: RESOURCE_TYPES,
			},
			[
				{ name: 'DateReceived', description: 'Date received' },
				{ name: 'Designation', description: 'Designation' },
				{ name: 'CheckNumber', description: 'Check number' },
				{ name: 'CheckDate', description: 'Check date', parents: needs('CheckNumber') },
				{ name: 'DepositNumber', description: 'Deposit number' },
				{ name: 'Notes', description: 'Notes' },
			],
		),
	];
}

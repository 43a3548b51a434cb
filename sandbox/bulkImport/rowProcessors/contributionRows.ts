import { calendarDay } from '../../store/calendarDay';
import type { RowValues } from '../mapping/rowValues';
import { PROCESSED, rejected, type ContributionProcessor } from './rowProcessor';

const AMOUNT = /^-?\d+(\.\d{1,2})?$/;

function invalidDateField(values: RowValues): string | undefined {
	return ['AdjustmentDate', 'DateReceived', 'CheckDate'].find((name) => {
		const written = values.get(name);
		return written !== undefined && calendarDay(written) === null;
	});
}

export const contributionAdjustments: ContributionProcessor = (_context, contribution, values) => {
	const amount = values.get('AdjustmentAmount') ?? '';
	if (!AMOUNT.test(amount)) return rejected('Invalid value for AdjustmentAmount');
	const invalidDate = invalidDateField(values);
	if (invalidDate !== undefined) return rejected(`Invalid value for ${invalidDate}`);

	// Whole cents, so that adding amounts leaves no binary fraction behind.
	const cents = Math.round(contribution.amount * 100) + Math.round(Number(amount) * 100);
	if (cents < 0) return rejected('The adjustment is larger than the contribution');
	contribution.amount = cents / 100;
	Object.assign(contribution.fields, Object.fromEntries(values));
	return PROCESSED;
};

export const editContributionData: ContributionProcessor = (_context, contribution, values) => {
	const invalidDate = invalidDateField(values);
	if (invalidDate !== undefined) return rejected(`Invalid value for ${invalidDate}`);

	const { DateReceived, Designation, ...others } = Object.fromEntries(values);
	if (DateReceived !== undefined) {
		contribution.dateReceived = calendarDay(DateReceived) ?? contribution.dateReceived;
	}
	if (Designation !== undefined) contribution.designation = Designation;
	Object.assign(contribution.fields, others);
	return PROCESSED;
};

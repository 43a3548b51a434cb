import { calendarDay } from '../mapping/calendarDay';
import { JOB_FIELDS } from '../mapping/knownMappingTypes';
import { PROCESSED, type PersonProcessor } from './rowProcessor';

const YES_OR_NO = /^(y|n|yes|no|true|false|1|0)$/i;
const NUMBER = /^-?\d+(\.\d+)?$/;
const YES_OR_NO_FIELDS = [
	'IsTerminated',
	'IsExcluded',
	'MembershipCardSigned',
	'AuthorizationCardSigned',
];
const NUMBER_FIELDS = [
	'Wage',
	'WealthcareContribution',
	'HoursPerWeek',
	'SickDays',
	'VacationDays',
];
const DATE_FIELDS = JOB_FIELDS.filter((name) => name.endsWith('Date'));

/** A row is about the job that agrees with it in those of these fields that it gives. */
const IDENTIFYING_FIELDS = ['Employer', 'EmployeeID', 'Worksite'];

export const jobs: PersonProcessor = {
	/** Invalid values fail the job (service.md 2.7). */
	jobProblem(_context, values) {
		const isInvalid = (name: string, isValid: (value: string) => boolean) => {
			const value = values.get(name);
			return value !== undefined && !isValid(value);
		};
		const invalid =
			DATE_FIELDS.find((name) => isInvalid(name, (value) => calendarDay(value) !== null)) ??
			YES_OR_NO_FIELDS.find((name) => isInvalid(name, (value) => YES_OR_NO.test(value))) ??
			NUMBER_FIELDS.find((name) => isInvalid(name, (value) => NUMBER.test(value)));
		return invalid === undefined ? null : `Invalid value for ${invalid}`;
	},

	/** Several jobs per contact; values of an existing job are overwritten (service.md 2.6, rule 4). */
	apply(_context, person, values) {
		const given = Object.fromEntries(
			JOB_FIELDS.flatMap((name) => {
				const value = values.get(name);
				return value === undefined ? [] : [[name, value]];
			}),
		);
		const held = person.jobs.find((job) =>
			IDENTIFYING_FIELDS.every(
				(name) =>
					given[name] === undefined || given[name].toLowerCase() === job[name]?.toLowerCase(),
			),
		);
		if (held) Object.assign(held, given);
		else person.jobs.push(given);
		return PROCESSED;
	},
};

/** One turf per contact, all levels, overwritten (service.md 2.6, rule 3). */
export const applyOrganizingTurfs: PersonProcessor = {
	/** Values outside the turf hierarchy fail the job (service.md 2.7). */
	jobProblem({ store }, values) {
		const { levels, paths } = store.setup.organizingTurfs;
		const isInHierarchy = paths.some((path) =>
			levels.every((level, depth) => path[depth] === values.get(level)),
		);
		return isInHierarchy ? null : 'Turf values are outside the current turf hierarchy';
	},

	apply(_context, person, values) {
		person.organizingTurf = Object.fromEntries(values);
		return PROCESSED;
	},
};

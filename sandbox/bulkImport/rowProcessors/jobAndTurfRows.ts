import { calendarDay } from '../../store/calendarDay';
import { JOB_FIELDS } from '../mapping/knownMappingTypes';
import { PROCESSED, type JobCheck, type PersonProcessor } from './rowProcessor';

const isDay = (value: string) => calendarDay(value) !== null;
const isYesOrNo = (value: string) => /^(y|n|yes|no|true|false|1|0)$/i.test(value);
const isNumber = (value: string) => /^-?\d+(\.\d+)?$/.test(value);

/** What the values of a job must be; other fields take any text. */
const VALUE_CHECKS: Record<string, (value: string) => boolean> = {
	...Object.fromEntries(
		JOB_FIELDS.filter((name) => name.endsWith('Date')).map((name) => [name, isDay]),
	),
	IsTerminated: isYesOrNo,
	IsExcluded: isYesOrNo,
	MembershipCardSigned: isYesOrNo,
	AuthorizationCardSigned: isYesOrNo,
	Wage: isNumber,
	WealthcareContribution: isNumber,
	HoursPerWeek: isNumber,
	SickDays: isNumber,
	VacationDays: isNumber,
};

/** A row is about the job that agrees with it in those of these fields that it gives. */
const IDENTIFYING_FIELDS = ['Employer', 'EmployeeID', 'Worksite'];

/** Invalid values fail the job (service.md 2.7). */
export const jobsProblem: JobCheck = (_context, values) => {
	const invalid = [...values].find(([name, value]) => VALUE_CHECKS[name]?.(value) === false);
	return invalid ? `Invalid value for ${invalid[0]}` : null;
};

/** Several jobs per contact; values of an existing job are overwritten (service.md 2.6, rule 4). */
export const jobs: PersonProcessor = (_context, person, values) => {
	const given: Record<string, string> = Object.fromEntries(values);
	const held = person.jobs.find((job) =>
		IDENTIFYING_FIELDS.every(
			(name) => given[name] === undefined || given[name].toLowerCase() === job[name]?.toLowerCase(),
		),
	);
	if (held) Object.assign(held, given);
	else person.jobs.push(given);
	return PROCESSED;
};

/** Values outside the turf hierarchy fail the job (service.md 2.7). */
export const turfProblem: JobCheck = ({ store }, values) => {
	const { levels, paths } = store.setup.organizingTurfs;
	const isInHierarchy = paths.some((path) =>
		levels.every((level, depth) => path[depth] === values.get(level)),
	);
	return isInHierarchy ? null : 'Turf values are outside the current turf hierarchy';
};

/** One turf per contact, all levels, overwritten (service.md 2.6, rule 3). */
export const applyOrganizingTurfs: PersonProcessor = (_context, person, values) => {
	person.organizingTurf = Object.fromEntries(values);
	return PROCESSED;
};

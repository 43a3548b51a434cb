import type { LifePlan } from './lifePlan';
import type { Report } from './report';
import type { ServiceJob, VirtualService } from './virtualService';

/** Sentences that leave it to the user to look whether rows were stored. */
const IN_DOUBT = /look in the service|check in the service|do not import|outcome is unknown/i;

function names(text: string, { id, description }: ServiceJob): boolean {
	return new RegExp(`\\b${id}\\b`).test(text) || text.includes(description);
}

/** What is wrong with a claim about a row, now. */
function problemOf(
	status: string,
	name: string,
	jobId: number | null,
	service: VirtualService,
): string | undefined {
	const jobs = service.jobsWith(name);
	const stored = jobs.filter(
		(job) => service.hasEnded(job) && job.rows.some((row) => row.name === name && row.isAccepted),
	);
	switch (status) {
		case 'imported':
			if (stored.length === 0) return 'is not in the service';
			if (jobId !== null && !stored.some(({ id }) => id === jobId)) return 'is of another job';
			return undefined;
		case 'failed':
			return stored.length > 0 ? 'is in the service' : undefined;
		case 'invalid':
		case 'notSent':
			return jobs.length > 0 ? `was sent with job ${jobs[0]?.id}` : undefined;
		case 'missing':
			// Where the service leaves out a row, a row that was not sent can look the same.
			return service.jobs.some(({ fate }) => fate === 'resultsOmitARow')
				? undefined
				: 'is in no file, or its results have it';
		case 'unknown':
			return undefined;
		default:
			return 'is no status';
	}
}

/** What is wrong with a report at the time it is given. */
export function problemsOfReport(
	plan: LifePlan,
	report: Report,
	service: VirtualService,
): string[] {
	const problems = [...report.problems];
	for (const [position, { status, jobId }] of report.rows) {
		const name = plan.rows[position]?.name ?? '';
		const problem = problemOf(status, name, jobId, service);
		if (problem !== undefined)
			problems.push(`row ${position} is reported as ${status}, but ${problem}`);
	}
	return problems;
}

/** What is wrong with a life as a whole. */
export function problemsOfLife(
	plan: LifePlan,
	last: Report | undefined,
	everything: string,
	usesReferences: boolean,
	service: VirtualService,
): string[] {
	if (!last) return ['nothing is ever reported'];
	const problems: string[] = [];
	for (const [position, { name, expected }] of plan.rows.entries()) {
		const jobs = service.jobsWith(name);
		if (jobs.length > 1) {
			const ids = jobs.map(({ id }) => id).join(' and ');
			problems.push(`row ${position} was sent twice, with jobs ${ids}`);
		}
		const row = last.rows.get(position);
		const isRefused = plan.answer === 'cancel' || plan.answer === 'none';
		const calm = isRefused && expected !== 'invalid' ? 'notSent' : expected;
		// A reference of a job does not tell of rows that are in no file.
		const isUntold = expected === 'invalid' && usesReferences;
		if (row && plan.isCalm && row.status !== calm && !isUntold)
			problems.push(`row ${position} is ${row.status} on a calm day, not ${calm}`);
		if (!row && last.errors.length === 0 && last.started.length === 0)
			problems.push(`row ${position} is not reported`);
	}
	if (plan.answer === 'cancel' || plan.answer === 'none')
		for (const { id } of service.jobs) problems.push(`job ${id} was started without a release`);
	const errors = last.errors.join(' ');
	for (const job of service.jobs) {
		// It has stored nothing.
		if (job.fate === 'fails') continue;
		const isInDoubt =
			IN_DOUBT.test(errors) ||
			job.rows.every((row) => {
				const position = plan.rows.findIndex(({ name }) => name === row.name);
				return last.rows.get(position)?.status === 'unknown';
			});
		if (!names(everything, job) && !isInDoubt) problems.push(`job ${job.id} is named nowhere`);
	}
	return problems;
}

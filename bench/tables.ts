/** Formats figures and tables for docs/performance.md and bench/pace/results.md. */

export const number = (value: number) =>
	value.toLocaleString('en-US', { maximumFractionDigits: 0 });
export const decimal = (value: number) => value.toFixed(1);
/** @param share 1 is all */
export const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
export const verdict = (isMet: boolean) => (isMet ? 'met' : 'missed');
export const table = (head: string[], rows: string[][]) =>
	[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

/** A figure, what it should be, and whether it is. */
export type Goal = [name: string, measured: string, goal: string, isMet: boolean];
export const goalTable = (goals: Goal[], title = '') =>
	table(
		[title, 'measured', 'goal', ''],
		goals.map(([name, measured, goal, isMet]) => [name, measured, goal, verdict(isMet)]),
	);
export const atMost = (name: string, value: number, most: number, unit: string): Goal => [
	name,
	`${number(value)} ${unit}`,
	`at most ${most} ${unit}`,
	value <= most,
];

/** The middle one, so that a single disturbance says nothing. */
export const median = (values: readonly number[]) =>
	[...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
export const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
export const mean = (values: readonly number[]) => total(values) / values.length;

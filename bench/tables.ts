/** Formats figures and tables for docs/performance.md and bench/pace/results.md. */

export const number = (value: number) =>
	value.toLocaleString('en-US', { maximumFractionDigits: 0 });
export const decimal = (value: number) => value.toFixed(1);
/** @param share 1 is all */
export const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
export const verdict = (isMet: boolean) => (isMet ? 'met' : 'missed');
export const table = (head: string[], rows: string[][]) =>
	[head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

export const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
export const mean = (values: readonly number[]) => total(values) / values.length;

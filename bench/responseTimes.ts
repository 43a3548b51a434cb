import { atTheLimit, HIGH, POSTS, type Posted } from './posts';
import { number, percent, table, verdict } from './tables';

/** How long the service takes to respond, in milliseconds. */
const RESPONSE_TIMES = [1, 100, 300, 500, 1000];
const GOAL = 0.98;

/** The pace that this package's node keeps with services of different speed: lines of Markdown. */
export async function responseTimes(): Promise<string[]> {
	const rows: Array<[number, Posted]> = [];
	for (const ms of RESPONSE_TIMES) rows.push([ms, await atTheLimit(1, 'http', ms)]);
	return [
		'## Services of different speed',
		'',
		`${number(POSTS)} canvass responses to as many people, ${HIGH} per second, over http. The pace is counted from the arrival of the first request to that of the last, the start included; the last response is not waited for. The goal is ${percent(GOAL)} of the limit.`,
		'',
		table(
			['response time (ms)', 'of the limit', 'rejected', 'lost', 'extra memory (MB)', 'goal'],
			rows.map(([ms, of]) => [
				number(ms),
				percent(of.perSecond / HIGH),
				percent(of.rejected / of.sent),
				number(of.lost),
				number(of.megabytes),
				verdict(of.perSecond / HIGH >= GOAL),
			]),
		),
		'',
	];
}

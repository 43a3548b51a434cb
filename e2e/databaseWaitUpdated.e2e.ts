import assert from 'node:assert/strict';
import { it } from 'node:test';
import { givenN8n } from '../hosts/givenN8n';
import {
	installN8nHost,
	isNewestN8nHost,
	N8N_HOSTS,
	NEWEST_N8N_HOST as NEWEST,
} from '../hosts/n8nHost';
import { assertWaitsSurvive, SLOWEST_UPDATE, waitsForTests } from './databaseWaits';

const [OLDEST] = N8N_HOSTS;

// Where only the oldest is tested, the newest need not be installed.
const isRun = isNewestN8nHost() && givenN8n() === undefined;
const setting = isRun ? waitsForTests({ host: OLDEST }) : undefined;

it(
	`imports that wait in the database go on once, after ${OLDEST} was updated to ${NEWEST}`,
	{ skip: !isRun },
	async () => {
		assert.ok(setting);
		const { running } = setting;
		const newest = await installN8nHost(NEWEST);
		await assertWaitsSurvive(setting, async (untilNoneWakes) => {
			running.n8nOptions.hostDir = newest;
			await untilNoneWakes(SLOWEST_UPDATE);
			await running.crashN8n();
		});
	},
);

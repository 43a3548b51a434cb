import { it } from 'node:test';
import { givenN8n } from '../hosts/givenN8n';
import { chosenN8nHost, installN8nHost, N8N_HOSTS } from '../hosts/n8nHost';
import { assertWaitsSurvive, waitsForTests } from './databaseWaits';

const [OLDEST] = N8N_HOSTS;
const NEWEST = N8N_HOSTS[N8N_HOSTS.length - 1] ?? OLDEST;

const { running, imports } = waitsForTests();

it(
	`imports that wait in the database go on once, after ${OLDEST} was updated to ${NEWEST}`,
	{ skip: chosenN8nHost() !== OLDEST || givenN8n() !== undefined },
	async () => {
		// The first time takes minutes: longer than the sandbox waits for a file.
		const newest = await installN8nHost(NEWEST);
		await assertWaitsSurvive({ running, imports }, async (untilNoneWakes) => {
			running.n8nOptions.hostDir = newest;
			await untilNoneWakes();
			await running.crashN8n();
		});
	},
);

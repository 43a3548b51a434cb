import { it } from 'node:test';
import { assertKillsHold } from './askedKills';
import { waitsForTests } from './databaseWaits';

const setting = waitsForTests();

it('imports that ask first are released once and sent once, killed in any phase', async () => {
	await assertKillsHold(setting, setting.running.crashN8n);
});

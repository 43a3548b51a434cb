/** `npm run e2e -- prepare <folder> <url>`: what an n8n needs that is started elsewhere, for `N8N_URL`. */
import { resolve } from 'node:path';
import { prepareFolder } from '../hosts/givenN8n';
import { runProgram, say } from '../hosts/runWithProgress.mjs';

async function main(): Promise<void> {
	const [folder, url] = process.argv.slice(2);
	if (folder === undefined || url === undefined || !/^https:\/\/127\.0\.0\.1:\d+$/.test(url)) {
		throw new Error('Usage: npm run e2e -- prepare <folder> https://127.0.0.1:<port>');
	}
	const path = resolve(folder);
	await prepareFolder(path, url);
	say(
		`Start n8n with the settings in ${path}/n8n.env, so that it sees this folder at the same path. Then:`,
	);
	say(`  N8N_URL=${url} N8N_FOLDER=${path} npm run e2e`);
	say('Set N8N_KILL and N8N_START to commands that do so, for the tests that need them.');
}

runProgram(main);

/**
 * `npm run bench`: what the nodes cost, measured side by side in the real n8n, and written to
 * docs/performance.md. Needs Linux, for its count of memory. `npm run bench -- posts` measures one part
 * and only prints it.
 */
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { say } from '../hosts/runWithProgress.mjs';
import { importFiles } from './importFiles';
import { KNOWN_LIMITS } from './knownLimits';
import { longImports } from './longImports';
import { posts } from './posts';
import { responseTimes } from './responseTimes';

const parts: Record<string, () => Promise<string[]>> = {
	posts,
	responseTimes,
	importFiles,
	longImports,
};

async function writePage(lines: string[]): Promise<string> {
	const path = join(__dirname, '..', 'docs', 'performance.md');
	const document = [
		'# Performance',
		'',
		`Written by \`npm run bench\`; do not edit. Measured in n8n 2.8.4 on Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, in one run. Every variant has an n8n process of its own; the service is the sandbox of this package, in another process.`,
		'',
		...lines,
		...KNOWN_LIMITS,
	].join('\n');
	writeFileSync(path, await format(document, { ...(await resolveConfig(path)), filepath: path }));
	return document;
}

async function main(): Promise<void> {
	if (process.platform !== 'linux') throw new Error('The bench counts memory as Linux does.');
	const [only] = process.argv.slice(2);
	if (only !== undefined) {
		const part = parts[only];
		if (!part) throw new Error(`There is no part ${only}: ${Object.keys(parts).join(', ')}.`);
		say(`\n${(await part()).join('\n')}`);
		return;
	}
	const lines: string[] = [];
	for (const part of Object.values(parts)) lines.push(...(await part()));
	say(`\n${await writePage(lines)}`);
}

main().catch((error: unknown) => {
	process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});

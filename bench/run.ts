/**
 * `npm run bench`: what the nodes cost, measured side by side in the real n8n, and written to
 * docs/performance.md part by part. Needs Linux, for its count of memory. `npm run bench -- posts`
 * measures one part only; `npm run bench -- pace` simulates instead (bench/pace/results.md).
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { runProgram, say } from '../hosts/runWithProgress.mjs';
import { duplicates } from './duplicates';
import { importFiles } from './importFiles';
import { itemImports } from './itemImports';
import { KNOWN_LIMITS } from './knownLimits';
import { longImports } from './longImports';
import { simulatePace } from './pace/run';
import { posts } from './posts';
import { processedData } from './processedData';
import { responseTimes } from './responseTimes';
import { sharedKey } from './sharedKey';
import { stalls } from './stalls';
import { survey } from './survey';
import { takeBack } from './takeBack';

const parts: Record<string, () => Promise<string[]>> = {
	posts,
	responseTimes,
	sharedKey,
	stalls,
	importFiles,
	itemImports,
	longImports,
	survey,
	duplicates,
	takeBack,
	processedData,
};

const PAGE = join(__dirname, '..', 'docs', 'performance.md');

/** The sections that the page has, by heading. */
function writtenSections(): Map<string, string> {
	const [, ...sections] = readFileSync(PAGE, 'utf8').split(/^(?=## )/m);
	return new Map(sections.map((text) => [text.slice(0, text.indexOf('\n')), text]));
}

/** What the tables of a section say was missed. */
function missedGoals(section: string): string[] {
	const heading = section.slice(3, section.indexOf('\n'));
	return [...section.matchAll(/^\| *([^|]+?) *\|([^|]*)\|.*\| missed +\|$/gm)].map(
		([, name = '', measured = '']) => `${heading}: ${name} (${measured.trim()})`,
	);
}

async function formatPage(text: string): Promise<string> {
	return await format(text, { ...(await resolveConfig(PAGE)), filepath: PAGE });
}

/** Puts the measured sections into the page; the others stay. */
async function writePage(measured: string[]): Promise<void> {
	const sections = writtenSections();
	for (const text of `${measured.join('\n')}\n`.split(/^(?=## )/m))
		sections.set(text.slice(0, text.indexOf('\n')), text);
	for (const text of KNOWN_LIMITS.join('\n').split(/^(?=## )/m)) {
		const heading = text.slice(0, text.indexOf('\n'));
		// At the end of the page.
		sections.delete(heading);
		sections.set(heading, `${text}\n`);
	}
	sections.delete(MISSED);
	const body = await formatPage([...sections.values()].join(''));
	const missed = body.split(/^(?=## )/m).flatMap(missedGoals);
	const page = [
		'# Performance',
		'',
		`Written by \`npm run bench\`; do not edit. Measured in n8n 2.8.4 on Node ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}, each section in one run. The service is the sandbox of this package, in another process.`,
		'',
		MISSED,
		'',
		...(missed.length === 0 ? ['None.'] : missed.map((name) => `- ${name}`)),
		'',
		body,
	].join('\n');
	writeFileSync(PAGE, await formatPage(page));
}

const MISSED = '## Goals that are missed';

async function main(): Promise<void> {
	if (process.platform !== 'linux') throw new Error('The bench counts memory as Linux does.');
	const [only] = process.argv.slice(2);
	if (only === 'pace') return await simulatePace();
	if (only !== undefined && !parts[only])
		throw new Error(`There is no part ${only}: ${Object.keys(parts).join(', ')}, pace.`);
	for (const [name, part] of Object.entries(parts)) {
		if (only !== undefined && only !== name) continue;
		const [heading = '', ...body] = await part();
		const lines = [heading, '', `Measured by \`npm run bench -- ${name}\`.`, ...body];
		say(`\n${lines.join('\n')}`);
		await writePage(lines);
	}
}

runProgram(main);

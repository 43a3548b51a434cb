/**
 * `npm run guide`: follows the pages that lead through a change, each in a copy of the repository, with the
 * code and the commands of the page itself, and fails at the step that does not hold. With the name of a
 * page, such as add-a-feature, only that one.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { inTemporaryFolder } from '../hosts/temporaryFolder';
import { copyRepository } from './copyRepository';
import { root } from './dependencies.mjs';

interface Guide {
	page: string;
	maxFiles: number;
	maxLines: number;
}

const GUIDES: Guide[] = [
	{ page: 'docs/add-a-feature.md', maxFiles: 3, maxLines: 80 },
	{ page: 'docs/add-an-operation.md', maxFiles: 5, maxLines: 120 },
];

interface Block {
	/** The heading above it. */
	step: string;
	language: string;
	/** Undefined for commands. */
	file: string | undefined;
	lines: string[];
}

function blocksOf(page: string): Block[] {
	return page.split(/^## /m).flatMap((section) => {
		const step = section.slice(0, section.indexOf('\n'));
		const blocks = section.matchAll(/(?:^`([^`\n]+)`:\n\n)?^```(ts|diff|sh)\n(.*?)\n```$/gms);
		return [...blocks].map(([, file, language = '', text = '']) => ({
			step,
			language,
			file,
			lines: text.split('\n'),
		}));
	});
}

const withSign = (lines: readonly string[], signs: string): string =>
	lines
		.filter((line) => signs.includes(line.charAt(0)))
		.map((line) => `${line.slice(1)}\n`)
		.join('');

/** @returns how many lines it adds */
function applyBlock({ file = '', language, lines }: Block, folder: string): number {
	const path = join(folder, file);
	if (language === 'ts') {
		if (existsSync(path)) throw new Error(`${file} exists already.`);
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, `${lines.join('\n')}\n`);
		return lines.length;
	}
	const text = readFileSync(path, 'utf8');
	const [before = '', after, ...more] = text.split(withSign(lines, ' '));
	// Added lines are before, after or between existing lines.
	if (after === undefined || more.length > 0) {
		throw new Error(`${file} does not hold the lines without "+" exactly once.`);
	}
	writeFileSync(path, `${before}${withSign(lines, ' +')}${after}`);
	return lines.filter((line) => line.startsWith('+')).length;
}

function runCommand(command: string, folder: string): void {
	console.log(`\n$ ${command}`);
	const { status } = spawnSync(command, { cwd: folder, shell: true, stdio: 'inherit' });
	if (status !== 0) throw new Error(`"${command}" fails.`);
}

function follow({ page, maxFiles, maxLines }: Guide, folder: string): void {
	const blocks = blocksOf(readFileSync(join(root, page), 'utf8'));
	const files = new Set<string>();
	let lineCount = 0;
	for (const block of blocks) {
		try {
			if (block.language === 'sh') {
				for (const command of block.lines) runCommand(command, folder);
			} else {
				if (block.file === undefined) throw new Error('A block of code names no file.');
				files.add(block.file);
				lineCount += applyBlock(block, folder);
			}
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			throw new Error(`${page}, step "${block.step}": ${reason}`);
		}
	}
	if (files.size > maxFiles || lineCount > maxLines || !blocks.some(({ file }) => file)) {
		throw new Error(
			`${page} edits ${files.size} files and adds ${lineCount} lines: at most ${maxFiles} and ${maxLines}.`,
		);
	}
	console.log(`\n${page}: ${files.size} files by hand, ${lineCount} lines: every step holds`);
}

async function main(): Promise<void> {
	const [name = ''] = process.argv.slice(2);
	for (const guide of GUIDES.filter(({ page }) => page.includes(name)))
		await inTemporaryFolder((folder) => {
			copyRepository(folder);
			follow(guide, folder);
		});
}

main().catch((error: unknown) => {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
});

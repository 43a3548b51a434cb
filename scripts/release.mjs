/**
 * `npm run release`: checks that the version of package.json can be published, and tags it.
 *
 *   npm run release -- --dry-run     checks and shows what would be published; changes nothing
 *   npm run release                  the same, then makes the tag; pushing it publishes
 *   npm run release -- --tag v0.1.0  only checks that this tag is the version: for the workflow
 *
 * Works without a network. `n8n-node release` is not used, because it writes the changelog out of
 * commit messages and downloads the tools for that while it runs.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { root } from './dependencies.mjs';
import { placeholders } from './placeholders.mjs';
import { npm, runProgram, runWithProgress, say } from '../hosts/runWithProgress.mjs';

/** The only branch that is released. */
const BRANCH = 'main';

/** @param {...string} args */
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

/** @param {string} file */
const read = (file) => readFileSync(join(root, file), 'utf8');

/**
 * The date of a version in the changelog, e.g. `2026-12-01` or `Unreleased`.
 *
 * @param {string} version
 * @throws {Error} if the version has no heading, or says nothing
 */
function changelogDate(version) {
	const sections = read('CHANGELOG.md').split(/^## /m).slice(1);
	const section = sections.find((text) => text.startsWith(`[${version}] - `));
	if (!section)
		throw new Error(`CHANGELOG.md has no heading "## [${version}] - …". Say what changes.`);
	const [heading = '', ...lines] = section.split('\n');
	if (!lines.some((line) => line.startsWith('- ')))
		throw new Error(`CHANGELOG.md says nothing of ${version}. List what changes.`);
	return heading.slice(`[${version}] - `.length).trim();
}

/** @typedef {import('./placeholders.mjs').Owner & { name: string, version: string }} Manifest */

/**
 * @param {Manifest} manifest
 * @returns {string | undefined}
 */
function placeholderProblem(manifest) {
	const names = placeholders(manifest);
	if (names.length === 0) return undefined;
	return `package.json still has placeholders: ${names.join(', ')}. Set them there, then run "npm run generate", which writes the address everywhere else.`;
}

/**
 * Reasons not to release, one sentence each.
 *
 * @param {Manifest} manifest
 * @param {string} tag
 */
function problems(manifest, tag) {
	const { version } = manifest;
	const found = [];
	const placeholders = placeholderProblem(manifest);
	if (placeholders) found.push(placeholders);
	const lock = JSON.parse(read('package-lock.json'));
	if (lock.version !== version || lock.packages[''].version !== version)
		found.push(
			`package-lock.json has version ${lock.version}: run npm install --package-lock-only.`,
		);
	if (!/^\d{4}-\d{2}-\d{2}$/.test(changelogDate(version)))
		found.push(`CHANGELOG.md has no date for ${version}: "## [${version}] - YYYY-MM-DD".`);
	const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
	if (branch !== BRANCH)
		found.push(`This is the branch ${branch}; releases are made of ${BRANCH}.`);
	if (git('tag', '--list', tag) !== '')
		found.push(`The tag ${tag} is there already. Raise the version.`);
	return found;
}

async function main() {
	const { values } = parseArgs({
		options: { 'dry-run': { type: 'boolean' }, tag: { type: 'string' } },
	});
	/** @type {Manifest} */
	const manifest = JSON.parse(read('package.json'));
	const { name, version } = manifest;
	const tag = `v${version}`;
	if (values.tag !== undefined) {
		if (values.tag !== tag)
			throw new Error(`The tag is ${values.tag}, but package.json has version ${version}.`);
		if (changelogDate(version) === 'Unreleased')
			throw new Error(`CHANGELOG.md has no date for ${version}.`);
		const placeholders = placeholderProblem(manifest);
		if (placeholders) throw new Error(placeholders);
		say(`${values.tag} is ${name} ${version}`);
		return;
	}
	const changes = git('status', '--porcelain');
	if (changes !== '') throw new Error(`There are changes that are not committed:\n${changes}`);
	const against = problems(manifest, tag);
	if (!values['dry-run'] && against.length > 0) throw new Error(against.join('\n'));

	say(
		await runWithProgress('Building and checking the package', npm('run', 'check'), { cwd: root }),
	);
	const packed = await runWithProgress(
		'Packing',
		npm('pack', '--dry-run', '--json', '--ignore-scripts', '--offline'),
		{ cwd: root },
	);
	const [{ filename, size, unpackedSize, files }] = JSON.parse(packed);
	const kilobytes = (/** @type {number} */ bytes) => `${Math.round(bytes / 1000)} kB`;
	for (const { path, size: fileSize } of files)
		say(`  ${kilobytes(fileSize).padStart(7)}  ${path}`);
	say(
		`${filename}: ${files.length} files, ${kilobytes(size)} packed, ${kilobytes(unpackedSize)} unpacked`,
	);

	if (values['dry-run']) {
		say(`\n${name} ${version} would be published by the workflow "Publish" after`);
		say(`  git tag --annotate ${tag} && git push origin ${tag}`);
		for (const problem of against) say(`Before that: ${problem}`);
		say('This was a dry run: nothing was tagged or published.');
		return;
	}
	git('tag', '--annotate', tag, '--message', `${name} ${version}`);
	say(`\nTagged ${tag}. To publish it: git push origin ${tag}`);
}

runProgram(main);

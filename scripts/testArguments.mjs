/** What `npm test` is asked to run: see test.mjs. */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import lodash from 'lodash';
import ts from 'typescript';

import { root } from './dependencies.mjs';

/**
 * Patterns of the names of tests, by the path of their file; null for all tests of the file.
 *
 * @typedef {Record<string, string[] | null>} ChosenTests
 */

const FEATURES = 'nodes/NativeBulkImport/importItems/features/';

/**
 * Reads what stands before the first option of jest.
 *
 * @param {string[]} args
 */
export function readArguments(args) {
	/** @type {{ named: string[], isChanged: boolean, seed: string | undefined, jest: string[] }} */
	const chosen = { named: [], isChanged: false, seed: undefined, jest: [] };
	for (let i = 0; i < args.length; i++) {
		const arg = args[i] ?? '';
		if (arg === '--changed') chosen.isChanged = true;
		else if (arg === '--thorough') chosen.seed ??= String(randomInt(2 ** 31));
		else if (arg === '--seed') {
			chosen.seed = args[++i] ?? '';
			if (!/^\d+$/.test(chosen.seed)) throw new Error('--seed needs a number.');
		} else if (arg.startsWith('-')) return { ...chosen, jest: args.slice(i) };
		else chosen.named.push(arg);
	}
	return chosen;
}

/**
 * A pattern of the names that a test gets from a text, or from a template of jest's; undefined if its name is
 * computed.
 *
 * @param {ts.Node | undefined} name
 */
function namePattern(name) {
	/** @param {string} text */
	const pattern = (text) =>
		text
			.split(/%[psdifjo#$%]|\$[\w.#]+/)
			.map(lodash.escapeRegExp)
			.join('.*');
	if (!name) return undefined;
	if (ts.isStringLiteralLike(name)) return `^${pattern(name.text)}$`;
	if (!ts.isTemplateExpression(name)) return undefined;
	const spans = name.templateSpans.map(({ literal }) => pattern(literal.text));
	return `^${[pattern(name.head.text), ...spans].join('.*')}$`;
}

/**
 * The tests of a file that a word stands in; null if it stands in anything else of the file, too, which any test
 * may use.
 *
 * @param {string} path
 * @param {string} text
 * @param {RegExp} word
 */
function testsWith(path, text, word) {
	const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
	const places = Array.from(text.matchAll(new RegExp(word, 'g')), ({ index }) => index);
	/** @type {Set<string>} */
	const patterns = new Set();
	/** @type {(node: ts.Node) => void} */
	const look = (node) => {
		const inside = places.filter((place) => place >= node.pos && place < node.end);
		if (inside.length === 0) return;
		const isTest =
			ts.isCallExpression(node) && /^(it|test)\b/.test(node.expression.getText(source));
		const pattern = isTest ? namePattern(node.arguments[0]) : undefined;
		if (pattern === undefined) return node.forEachChild(look);
		patterns.add(pattern);
		for (const place of inside) places.splice(places.indexOf(place), 1);
	};
	look(source);
	return places.length > 0 ? null : [...patterns];
}

/** @returns {{ path: string, text: string }[]} */
function testFiles() {
	return readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => join('test', file))
		.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/**
 * The files of tests with this name in their path, and the tests that name it in their text: as a word, or as the
 * beginning of one (`skipUnchanged` is the beginning of `skipUnchangedBy`).
 *
 * @param {string} name
 * @param {{ path: string, text: string }[]} files
 * @returns {ChosenTests}
 */
function testsOf(name, files) {
	if (existsSync(join(root, name)) && name.endsWith('.ts')) return { [name]: null };
	const word = new RegExp(`(?<!\\w)${lodash.escapeRegExp(name)}(?![a-z_])`);
	return Object.fromEntries(
		files.flatMap(({ path, text }) => {
			if (path.includes(name)) return [[path, null]];
			return word.test(text) ? [[path, testsWith(path, text, word)]] : [];
		}),
	);
}

/**
 * What is chosen by any of these.
 *
 * @param {ChosenTests[]} all
 */
function together(all) {
	/** @type {ChosenTests} */
	const chosen = {};
	for (const [path, patterns] of all.flatMap((each) => Object.entries(each))) {
		const others = chosen[path];
		chosen[path] = patterns && others !== null ? [...(others ?? []), ...patterns] : null;
	}
	return chosen;
}

/**
 * The tests that have one of these names or name it.
 *
 * @param {string[]} names
 */
export function testsNaming(names) {
	const files = testFiles();
	return together(
		names.map((name) => {
			const tests = testsOf(name, files);
			if (Object.keys(tests).length > 0) return tests;
			throw new Error(`No test is called "${name}", and none names it.`);
		}),
	);
}

/** @param {string[]} args */
function git(...args) {
	const { stdout, status } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
	return status === 0 ? stdout.trim() : undefined;
}

/** What a change is compared with: the main branch, or the last commit where there is none. */
export function baseOfChange() {
	const isThere = (/** @type {string} */ name) => git('rev-parse', '--verify', '--quiet', name);
	return ['origin/main', 'main'].find(isThere) ?? 'HEAD';
}

/** @param {string} base */
export function changedFiles(base) {
	const changed = git('diff', '--name-only', git('merge-base', base, 'HEAD') ?? base) ?? '';
	const added = git('ls-files', '--others', '--exclude-standard') ?? '';
	return `${changed}\n${added}`.split('\n').filter((path) => /\.[cm]?[jt]s$/.test(path));
}

/**
 * The tests of a change of features and their tests alone; undefined if more is changed. Every import reaches
 * every feature: what names a feature says more of it.
 *
 * @param {string[]} changed
 */
export function testsOfFeatures(changed) {
	const files = testFiles();
	/** @type {ChosenTests[]} */
	const chosen = [];
	for (const path of changed) {
		if (path.endsWith('.test.ts')) {
			if (existsSync(join(root, path))) chosen.push({ [path]: null });
			continue;
		}
		if (!path.startsWith(FEATURES)) return undefined;
		const parts = path.slice(FEATURES.length).split('/');
		for (const part of new Set(parts)) chosen.push(testsOf(basename(part, '.ts'), files));
	}
	const tests = together(chosen);
	return Object.keys(tests).length > 0 ? tests : undefined;
}

/** What `npm test` is asked to run: see test.mjs. */
import { randomInt } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './dependencies.mjs';

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
 * The files of tests with one of these names in their path, or as a word in their text.
 *
 * @param {string[]} names
 */
export function filesNaming(names) {
	const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.test.ts'))
		.map((file) => ({ path: join('test', file), text: '' }));
	for (const file of files) file.text = readFileSync(join(root, file.path), 'utf8');
	return names.flatMap((name) => {
		const word = new RegExp(`(?<!\\w)${name.replace(/[^\w\s]/g, '\\$&')}(?!\\w)`);
		const isFile = existsSync(join(root, name)) && name.endsWith('.ts');
		const found = isFile
			? [{ path: name }]
			: files.filter(({ path, text }) => path.includes(name) || word.test(text));
		if (found.length === 0) throw new Error(`No test is called "${name}", and none names it.`);
		return found.map(({ path }) => path);
	});
}

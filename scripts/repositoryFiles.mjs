import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './dependencies.mjs';

/** Paths of all files that are, or could be, committed. @returns {string[]} */
export const repositoryFiles = () =>
	execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '-z'], {
		cwd: root,
		encoding: 'utf8',
	})
		.split('\0')
		.filter((file) => file !== '' && existsSync(join(root, file)));

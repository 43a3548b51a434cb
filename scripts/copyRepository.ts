import { execFileSync } from 'node:child_process';
import { cpSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './dependencies.mjs';
import { repositoryFiles } from './repositoryFiles.mjs';

/** Copies all files that are, or could be, committed; the copy shares the installed packages. */
export function copyRepository(folder: string): void {
	for (const file of repositoryFiles()) cpSync(join(root, file), join(folder, file));
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
	// Older than the installed packages: nothing is to be installed through the link.
	utimesSync(join(folder, 'package-lock.json'), 0, 0);
	execFileSync('git', ['init', '--quiet'], { cwd: folder });
}

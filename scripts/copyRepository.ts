import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(__dirname, '..');

/** Copies all files that are, or could be, committed; the copy shares the installed packages. */
export function copyRepository(folder: string): void {
	const list = ['ls-files', '--cached', '--others', '--exclude-standard', '-z'];
	const files = execFileSync('git', list, { cwd: root, encoding: 'utf8' }).split('\0');
	for (const file of files.filter((name) => name !== '' && existsSync(join(root, name)))) {
		cpSync(join(root, file), join(folder, file));
	}
	symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
	// Older than the installed packages: nothing is to be installed through the link.
	utimesSync(join(folder, 'package-lock.json'), 0, 0);
	execFileSync('git', ['init', '--quiet'], { cwd: folder });
}

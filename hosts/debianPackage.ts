import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runWithProgress } from './runWithProgress.mjs';

/** The folders in which a program is looked for that is called by its name alone. */
export function pathFolders(): string[] {
	return (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
}

/** Where a program is; undefined if none of the folders has it. */
export function programIn(folders: readonly string[], program: string): string | undefined {
	return folders
		.map((folder) => join(folder, program))
		.find((path) => {
			try {
				accessSync(path, constants.X_OK);
				return true;
			} catch {
				return false;
			}
		});
}

/**
 * Installs packages of Debian, where that is possible: as root, with apt-get.
 *
 * @param what they bring, as the error names it
 * @throws Error with a sentence that says what to install by hand
 */
export async function installDebianPackages(
	packages: readonly string[],
	what: string,
): Promise<void> {
	const byHand = `${what} is needed: install it (on Debian and Ubuntu: sudo apt-get install ${packages.join(' ')}) and run the same command again.`;
	if (process.getuid?.() !== 0 || programIn(pathFolders(), 'apt-get') === undefined) {
		throw new Error(byHand);
	}
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	try {
		await runWithProgress('Reading the list of packages', ['apt-get', 'update'], { cwd: '/', env });
		await runWithProgress(
			`Installing ${packages.join(' and ')}`,
			['apt-get', 'install', '-y', '--no-install-recommends', ...packages],
			{ cwd: '/', env },
		);
	} catch (error) {
		throw new Error(`${error instanceof Error ? error.message : String(error)}\n${byHand}`);
	}
}

/**
 * Finds a program on the path, and installs Debian's package where it is missing and may be installed.
 *
 * @returns its path
 * @throws Error with a sentence that says what to install
 */
export async function ensureProgram(program: string, packageName = program): Promise<string> {
	const installed = programIn(pathFolders(), program);
	if (installed !== undefined) return installed;
	await installDebianPackages([packageName], `The program ${program}`);
	const found = programIn(pathFolders(), program);
	if (found === undefined) {
		throw new Error(`The package ${packageName} is installed, but ${program} is not on the path.`);
	}
	return found;
}

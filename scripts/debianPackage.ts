import { execFileSync } from 'node:child_process';
import { say } from './shownCommand.mjs';

const INSTALL_TIMEOUT_MS = 10 * 60 * 1000;

/** Where a program is on the path; undefined if it is not there. */
function programPath(program: string): string | undefined {
	try {
		return execFileSync('sh', ['-c', 'command -v "$0"', program], { encoding: 'utf8' }).trim();
	} catch {
		return undefined;
	}
}

function install(packageName: string): void {
	const aptGet = (...args: string[]) =>
		execFileSync('apt-get', [...args, '-qq'], {
			env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
			stdio: 'inherit',
			timeout: INSTALL_TIMEOUT_MS,
		});
	aptGet('update');
	aptGet('install', '-y', '--no-install-recommends', packageName);
}

/**
 * Where a program is that a Debian package brings. Installs the package if it is missing and this process
 * may: as root, where there is an apt-get.
 *
 * @param program as one would type it, such as `chromium`
 * @param packageName of Debian, if it is not the name of the program
 * @returns its path
 * @throws Error with a sentence that says what to install
 */
export function ensureProgram(program: string, packageName = program): string {
	const found = programPath(program);
	if (found !== undefined) return found;
	if (process.getuid?.() === 0 && programPath('apt-get') !== undefined) {
		say(`Installing ${packageName} with apt-get …`);
		install(packageName);
		const installed = programPath(program);
		if (installed !== undefined) return installed;
	}
	throw new Error(
		`The program ${program} is needed and is not on the path. Install it, on Debian as root with: apt-get install -y ${packageName}`,
	);
}

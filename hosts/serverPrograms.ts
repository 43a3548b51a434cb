import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

const PROGRAMS = {
	redisServer: 'redis-server',
	redisCli: 'redis-cli',
	initdb: 'initdb',
	postgres: 'postgres',
	pgIsReady: 'pg_isready',
};
/** Where the programs of Redis and PostgreSQL are. */
type ServerPrograms = Record<keyof typeof PROGRAMS, string>;

/** Debian keeps the programs of a database server out of the path, one folder for each version. */
const POSTGRESQL = '/usr/lib/postgresql';

const run = promisify(execFile);

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

/** @returns an error that says what to install */
export function missingProgram(what: string, packages: string): Error {
	return new Error(
		`${what} must be installed. On Debian and Ubuntu: sudo apt-get install ${packages}`,
	);
}

export function serverPrograms(): ServerPrograms {
	const versions = existsSync(POSTGRESQL) ? readdirSync(POSTGRESQL) : [];
	const newestFirst = versions.map(Number).filter(Number.isFinite);
	newestFirst.sort((a, b) => b - a);
	const folders = [
		...pathFolders(),
		...newestFirst.map((version) => join(POSTGRESQL, String(version), 'bin')),
	];
	const found = Object.entries(PROGRAMS).map(([key, name]) => [key, programIn(folders, name)]);
	if (found.every(([, path]) => path !== undefined))
		return Object.fromEntries(found) as ServerPrograms;
	throw missingProgram('Redis and PostgreSQL', 'redis-server postgresql');
}

/**
 * PostgreSQL refuses to run as root: then it runs as the user of its package, or as nobody.
 *
 * @throws Error when there is neither
 */
export async function findUnprivilegedUser(): Promise<{ uid?: number; gid?: number }> {
	if (process.getuid?.() !== 0) return {};
	for (const name of ['postgres', 'nobody']) {
		try {
			const [uid, gid] = await Promise.all(
				['-u', '-g'].map(async (which) => Number((await run('id', [which, name])).stdout)),
			);
			if (uid !== undefined && gid !== undefined) return { uid, gid };
		} catch {
			// There is no such user.
		}
	}
	throw new Error(
		'PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody to run it as.',
	);
}

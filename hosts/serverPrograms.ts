import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { missingProgram, pathFolders, programIn } from './programs';

const PROGRAMS = {
	redisServer: 'redis-server',
	redisCli: 'redis-cli',
	initdb: 'initdb',
	postgres: 'postgres',
	pgIsReady: 'pg_isready',
};
/** Where the programs of Redis and PostgreSQL are. */
export type ServerPrograms = Record<keyof typeof PROGRAMS, string>;

/** Debian keeps the programs of a database server out of the path, one folder for each version. */
const POSTGRESQL = '/usr/lib/postgresql';

const run = promisify(execFile);

/** @throws Error with a sentence that says what to install */
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

/** Whom a server runs as. */
interface ServerUser {
	uid?: number;
	gid?: number;
}

/**
 * PostgreSQL refuses to run as root: then it runs as the user of its package, or as nobody.
 *
 * @throws Error when there is neither
 */
export async function findUnprivilegedUser(): Promise<ServerUser> {
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

import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { runShown } from './shownCommand.mjs';

/** Where the programs of Redis and PostgreSQL are. */
export interface ServerPrograms {
	redisServer: string;
	redisCli: string;
	initdb: string;
	postgres: string;
	pgIsReady: string;
}

/** Debian keeps the programs of a database server out of the path, one folder for each version. */
const POSTGRESQL = '/usr/lib/postgresql';
const PACKAGES = ['redis-server', 'postgresql'];

const run = promisify(execFile);

function found(program: string, folders: readonly string[]): string | undefined {
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

function installedPrograms(): ServerPrograms | undefined {
	const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
	const versions = existsSync(POSTGRESQL) ? readdirSync(POSTGRESQL) : [];
	const newestFirst = versions.map(Number).filter(Number.isFinite);
	newestFirst.sort((a, b) => b - a);
	const folders = [
		...path,
		...newestFirst.map((version) => join(POSTGRESQL, String(version), 'bin')),
	];
	const redisServer = found('redis-server', folders);
	const redisCli = found('redis-cli', folders);
	const initdb = found('initdb', folders);
	const postgres = found('postgres', folders);
	const pgIsReady = found('pg_isready', folders);
	return redisServer && redisCli && initdb && postgres && pgIsReady
		? { redisServer, redisCli, initdb, postgres, pgIsReady }
		: undefined;
}

/**
 * Finds the programs, and installs Debian's packages where they are missing and may be installed.
 *
 * @throws Error with a sentence that says what to install
 */
export async function serverPrograms(): Promise<ServerPrograms> {
	const installed = installedPrograms();
	if (installed) return installed;
	const byHand = `Redis and PostgreSQL are needed: install them (on Debian and Ubuntu: sudo apt-get install ${PACKAGES.join(' ')}) and run the same command again.`;
	const isRoot = process.getuid?.() === 0;
	if (!isRoot || !found('apt-get', (process.env.PATH ?? '').split(delimiter))) {
		throw new Error(byHand);
	}
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	try {
		await runShown('Reading the list of packages', ['apt-get', 'update'], { cwd: '/', env });
		await runShown(
			`Installing ${PACKAGES.join(' and ')}`,
			['apt-get', 'install', '-y', '--no-install-recommends', ...PACKAGES],
			{ cwd: '/', env },
		);
	} catch (error) {
		throw new Error(`${error instanceof Error ? error.message : String(error)}\n${byHand}`);
	}
	const programs = installedPrograms();
	if (!programs) throw new Error(byHand);
	return programs;
}

/** Whom a server runs as. */
export interface ServerUser {
	uid?: number;
	gid?: number;
}

/**
 * PostgreSQL refuses to run as root: then it runs as the user of its package, or as nobody.
 *
 * @throws Error when there is neither
 */
export async function unprivilegedUser(): Promise<ServerUser> {
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

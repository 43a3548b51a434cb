import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './freePort.mjs';
import { findUnprivilegedUser, serverPrograms } from './serverPrograms';
import type { StartedProcess, StartedProcesses } from './startedProcesses';
import { waitUntil } from './waitUntil';

const run = promisify(execFile);

async function waitUntilReady(
	name: string,
	server: StartedProcess,
	program: string,
	args: readonly string[],
	env?: NodeJS.ProcessEnv,
): Promise<void> {
	const isReady = async () => {
		if (server.hasEnded()) throw new Error(`${name} ended.`);
		try {
			const { stdout } = await run(program, args, { env: { ...process.env, ...env } });
			return !/LOADING|NOAUTH/.test(stdout);
		} catch {
			return false;
		}
	};
	try {
		await waitUntil(`${name} starts`, isReady, { everyMs: 100 });
	} catch (error) {
		throw new Error(`${String(error)}\n${server.output().slice(-3000)}`);
	}
}

export type RedisServer = Awaited<ReturnType<typeof startRedis>>;

/** A separate Redis on loopback that writes nothing to disk unless it is to keep its data. */
export async function startRedis(processes: StartedProcesses) {
	const { redisServer, redisCli } = serverPrograms();
	const password = randomBytes(16).toString('hex');
	const folder = join(processes.folder, 'redis');
	mkdirSync(folder);
	const port = await freePort();
	const config = [
		`port ${port}`,
		'bind 127.0.0.1',
		`dir "${folder}"`,
		`requirepass ${password}`,
		// Like Debian's redis.conf: it saves after changes, and when it is stopped in good order.
		'save 3600 1 300 100 60 10000',
	];
	let server: StartedProcess | undefined;
	const startAgain = async () => {
		// From standard input: an argument with the password would be there for all to see.
		server = processes.start(redisServer, ['-'], {}, config.join('\n'));
		await waitUntilReady('Redis', server, redisCli, ['-p', String(port), 'ping'], {
			REDISCLI_AUTH: password,
		});
	};
	await startAgain();
	return {
		port,
		password,
		/** On the same port, with what it saved when it was stopped. */
		startAgain,
		/** In good order: it saves what it holds. */
		stop: async () => await server?.end('SIGTERM'),
		/** Acts like a power failure: its data is lost. */
		kill: async () => await server?.end('SIGKILL'),
	};
}

/** A PostgreSQL of its own on loopback, with an empty database. */
export async function startPostgres(processes: StartedProcesses) {
	const { initdb, postgres, pgIsReady } = serverPrograms();
	const user = await findUnprivilegedUser();
	const folder = join(processes.folder, 'postgres');
	mkdirSync(folder, { mode: 0o700 });
	const password = randomBytes(16).toString('hex');
	const passwordFile = join(folder, 'password');
	writeFileSync(passwordFile, password, { mode: 0o600 });
	if (user.uid !== undefined && user.gid !== undefined) {
		chownSync(folder, user.uid, user.gid);
		chownSync(passwordFile, user.uid, user.gid);
	}
	const data = join(folder, 'data');
	const asUser = { ...user, cwd: folder };
	const port = await freePort();
	try {
		await run(
			initdb,
			[
				['--pgdata', data],
				['--username', 'n8n'],
				['--pwfile', passwordFile],
				['--auth', 'scram-sha-256'],
				['--encoding', 'UTF8'],
				['--no-locale', '--no-sync'],
			].flat(),
			asUser,
		);
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new Error(`PostgreSQL could not make its database in ${data}: ${reason}`);
	}
	const settings = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '' };
	const server = processes.start(
		postgres,
		[
			'-D',
			data,
			...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
		],
		asUser,
	);
	await waitUntilReady('PostgreSQL', server, pgIsReady, ['-h', '127.0.0.1', '-p', String(port)]);
	return { port, user: 'n8n', password, database: 'postgres' };
}

import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from './freePort.mjs';
import { serverPrograms, findUnprivilegedUser, type ServerPrograms } from './serverPrograms';
import type { StartedProcess, StartedProcesses } from './startedProcesses';
import { waitUntil } from './waitUntil';

const START_TIMEOUT_MS = 60_000;

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
		await waitUntil(`${name} starts`, isReady, { withinMs: START_TIMEOUT_MS, everyMs: 100 });
	} catch (error) {
		throw new Error(`${String(error)}\n${server.output().slice(-3000)}`);
	}
}

/** A separate Redis on loopback that writes nothing to disk unless it is to keep its data. */
export class RedisServer {
	readonly password = randomBytes(16).toString('hex');
	private server: StartedProcess | undefined;

	private constructor(
		private readonly processes: StartedProcesses,
		private readonly programs: ServerPrograms,
		private readonly folder: string,
		readonly port: number,
	) {}

	static async start(processes: StartedProcesses): Promise<RedisServer> {
		const folder = join(processes.folder, 'redis');
		mkdirSync(folder);
		const redis = new RedisServer(processes, serverPrograms(), folder, await freePort());
		await redis.startAgain();
		return redis;
	}

	/** On the same port, with what it saved when it was stopped. */
	async startAgain(): Promise<void> {
		const config = [
			`port ${this.port}`,
			'bind 127.0.0.1',
			`dir "${this.folder}"`,
			`requirepass ${this.password}`,
			// As Debian's redis.conf: saves after changes, and when it is stopped in good order.
			'save 3600 1 300 100 60 10000',
		];
		const { redisServer, redisCli } = this.programs;
		// From standard input: an argument with the password would be there for all to see.
		this.server = this.processes.start(redisServer, ['-'], {}, config.join('\n'));
		await waitUntilReady('Redis', this.server, redisCli, ['-p', String(this.port), 'ping'], {
			REDISCLI_AUTH: this.password,
		});
	}

	/** In good order: it saves what it holds. */
	async stop(): Promise<void> {
		await this.server?.end('SIGTERM');
	}

	/** As a power failure would: its data is lost. */
	async kill(): Promise<void> {
		await this.server?.end('SIGKILL');
	}
}

interface PostgresServer {
	port: number;
	user: string;
	password: string;
	database: string;
}

/** A PostgreSQL of its own on loopback, with an empty database. */
export async function startPostgres(processes: StartedProcesses): Promise<PostgresServer> {
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

import { createRequire } from 'node:module';
import { join } from 'node:path';
import { z } from 'zod';
import type { SandboxedN8n } from './sandboxedN8n';

/** What this file uses of n8n's own modules for its databases. */
interface Sqlite {
	Database: new (
		path: string,
		opened: (error: Error | null) => void,
	) => {
		run(
			sql: string,
			values: string[],
			done: (this: { changes: number }, error: Error | null) => void,
		): void;
		close(closed: (error: Error | null) => void): void;
	};
}
interface Postgres {
	Client: new (settings: Record<string, unknown>) => {
		connect(): Promise<void>;
		query(sql: string, values: string[]): Promise<{ rowCount: number | null }>;
		end(): Promise<void>;
	};
}

const postgresSchema = z.object({
	DB_POSTGRESDB_HOST: z.string(),
	DB_POSTGRESDB_PORT: z.string(),
	DB_POSTGRESDB_USER: z.string(),
	DB_POSTGRESDB_PASSWORD: z.string(),
	DB_POSTGRESDB_DATABASE: z.string(),
});

async function runInSqlite(
	{ Database }: Sqlite,
	path: string,
	sql: string,
	values: string[],
): Promise<number> {
	return await new Promise((resolve, reject) => {
		const database = new Database(path, (error) => {
			if (error) reject(error);
		});
		database.run(sql, values, function (error) {
			const { changes } = this;
			database.close(() => {
				if (error) reject(error);
				else resolve(changes);
			});
		});
	});
}

async function runInPostgres(
	{ Client }: Postgres,
	env: Record<string, string>,
	sql: string,
	values: string[],
): Promise<number> {
	const settings = postgresSchema.parse(env);
	const client = new Client({
		host: settings.DB_POSTGRESDB_HOST,
		port: Number(settings.DB_POSTGRESDB_PORT),
		user: settings.DB_POSTGRESDB_USER,
		password: settings.DB_POSTGRESDB_PASSWORD,
		database: settings.DB_POSTGRESDB_DATABASE,
	});
	await client.connect();
	try {
		return (await client.query(sql, values)).rowCount ?? 0;
	} finally {
		await client.end();
	}
}

/**
 * Replaces a text in what n8n's database holds of an execution, as somebody who can write into it.
 *
 * @throws Error if the database holds no such execution
 */
export async function replaceInExecution(
	{ n8nOptions: { hostDir, userFolder, env = {} } }: SandboxedN8n,
	executionId: string,
	[before, after]: readonly [string, string],
): Promise<void> {
	const requireOfHost = createRequire(join(hostDir, 'package.json'));
	const requireOfN8n = createRequire(requireOfHost.resolve('n8n/package.json'));
	const sql =
		'UPDATE execution_data SET data = replace(data, $1, $2) WHERE CAST("executionId" AS TEXT) = $3';
	const values = [before, after, executionId];
	const changed =
		env.DB_TYPE === 'postgresdb'
			? await runInPostgres(requireOfN8n('pg') as Postgres, env, sql, values)
			: await runInSqlite(
					requireOfN8n('sqlite3') as Sqlite,
					join(userFolder, '.n8n', 'database.sqlite'),
					sql,
					values,
				);
	if (changed !== 1) throw new Error(`n8n's database holds ${changed} executions ${executionId}.`);
}

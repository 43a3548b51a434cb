import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export interface SftpServer {
	host: string;
	port: number;
	user: string;
	password: string;
	/** What was uploaded, by its path. */
	files: Map<string, Buffer>;
	/** Downloads a file of this server as the service does, with the user and password of the address. */
	download(url: URL): Promise<Buffer>;
	close(): Promise<void>;
}

/** The part of the SSH library that is used here; it has no types. */
interface Emitter {
	on(event: string, listener: (...values: never[]) => unknown): void;
}
interface SftpSession extends Emitter {
	status(id: number, code: number): void;
	handle(id: number, handle: Buffer): void;
	data(id: number, data: Buffer): void;
	attrs(id: number, attributes: object): void;
	name(id: number, names: object[]): void;
}
interface Authentication {
	username: string;
	password?: string;
	accept(): void;
	reject(methods: string[]): void;
}

const FOLDER = 0o40755;
const FILE = 0o100644;

/**
 * An SFTP server that keeps its files in memory.
 *
 * @param hostDir an installed n8n: its FTP node brings the SSH library
 */
export async function startSftpServer(hostDir: string): Promise<SftpServer> {
	const load = createRequire(join(hostDir, 'node_modules', 'n8n', 'package.json'));
	const { Server, utils } = load('ssh2');
	const SftpClient = load('ssh2-sftp-client');
	const { STATUS_CODE } = utils.sftp;
	const files = new Map<string, Buffer>();
	const user = 'office';
	const password = 'a-password-of-the-test';

	const attributes = (path: string) => {
		const size = files.get(path)?.length;
		const mode = size === undefined ? FOLDER : FILE;
		return { mode, size: size ?? 0, uid: 0, gid: 0, atime: 0, mtime: 0 };
	};
	const serve = (sftp: SftpSession) => {
		const handles = new Map<string, string>();
		const pathOf = (handle: Buffer) => handles.get(handle.toString()) ?? '';
		const done = (id: number) => sftp.status(id, STATUS_CODE.OK);
		sftp.on('OPEN', (id: number, path: string, flags: number) => {
			const isNew = (flags & utils.sftp.OPEN_MODE.WRITE) !== 0;
			if (isNew) files.set(path, Buffer.alloc(0));
			if (!files.has(path)) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
			const handle = String(handles.size);
			handles.set(handle, path);
			sftp.handle(id, Buffer.from(handle));
		});
		sftp.on('WRITE', (id: number, handle: Buffer, offset: number, data: Buffer) => {
			const before = files.get(pathOf(handle)) ?? Buffer.alloc(0);
			const after = Buffer.alloc(Math.max(before.length, offset + data.length));
			before.copy(after);
			data.copy(after, offset);
			files.set(pathOf(handle), after);
			done(id);
		});
		sftp.on('READ', (id: number, handle: Buffer, offset: number, length: number) => {
			const data = files.get(pathOf(handle))?.subarray(offset, offset + length);
			if (data === undefined || data.length === 0) sftp.status(id, STATUS_CODE.EOF);
			else sftp.data(id, data);
		});
		sftp.on('FSTAT', (id: number, handle: Buffer) => sftp.attrs(id, attributes(pathOf(handle))));
		sftp.on('FSETSTAT', done);
		sftp.on('CLOSE', done);
		sftp.on('REALPATH', (id: number, path: string) => sftp.name(id, [{ filename: path }]));
		for (const look of ['STAT', 'LSTAT'])
			sftp.on(look, (id: number, path: string) => {
				if (files.has(path) || !path.includes('.')) sftp.attrs(id, attributes(path));
				else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
			});
	};
	// Of the keys that the library itself makes, it cannot read one in 250.
	const { privateKey } = generateKeyPairSync('ec', {
		namedCurve: 'P-256',
		publicKeyEncoding: { type: 'spki', format: 'pem' },
		privateKeyEncoding: { type: 'sec1', format: 'pem' },
	});
	const server = new Server({ hostKeys: [privateKey] }, (client: Emitter) => {
		client.on('error', () => undefined);
		client.on('authentication', (context: Authentication) => {
			if (context.username === user && context.password === password) context.accept();
			else context.reject(['password']);
		});
		client.on('session', (accept: () => Emitter) => {
			accept().on('sftp', (acceptSftp: () => SftpSession) => serve(acceptSftp()));
		});
	});
	const host = '127.0.0.1';
	server.listen(0, host);
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;

	return {
		host,
		port,
		user,
		password,
		files,
		download: async (url) => {
			assert.equal(url.host, `${host}:${port}`);
			const client = new SftpClient();
			await client.connect({
				host,
				port,
				username: decodeURIComponent(url.username),
				password: decodeURIComponent(url.password),
			});
			try {
				return await client.get(decodeURIComponent(url.pathname));
			} finally {
				await client.end();
			}
		},
		close: async () => {
			server.close();
			await once(server, 'close');
		},
	};
}

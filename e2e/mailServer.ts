import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

/** Without the line breaks and signs that mail adds. */
const decode = (mail: string): string =>
	mail
		.replaceAll(/=\r?\n/g, '')
		.replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));

/** A mail server that delivers nothing. @returns what it was sent so far */
export async function startMailServer() {
	const mails: string[] = [];
	const open = new Set<Socket>();
	const server = createServer((socket) => {
		const say = (line: string) => socket.write(`${line}\r\n`);
		let mail: string[] | undefined;
		open.add(socket);
		say('220 mail.example.org');
		createInterface({ input: socket }).on('line', (line) => {
			if (mail && line !== '.') mail.push(line);
			else if (mail) {
				mails.push(decode(mail.join('\n')));
				mail = undefined;
				say('250 OK');
			} else if (/^DATA/i.test(line)) {
				mail = [];
				say('354 Go on');
			} else say(/^QUIT/i.test(line) ? '221 Bye' : '250 OK');
		});
		socket.on('error', () => socket.destroy());
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const close = async () => {
		for (const socket of open) socket.destroy();
		server.close();
		await once(server, 'close');
	};
	return { mails, port: (server.address() as AddressInfo).port, close };
}

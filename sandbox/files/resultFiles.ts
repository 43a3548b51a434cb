import { randomBytes } from 'node:crypto';

/** Result links are valid for 24 hours (service.md 2.8). */
const VALID_MS = 24 * 60 * 60 * 1000;

/** With seven fraction digits and an offset, as the service writes it. */
function serviceDate(time: number): string {
	return new Date(time).toISOString().replace('Z', '0000+00:00');
}

interface ResultFile {
	content: string;
	expiresAt: number;
}

/** Result files of bulk import jobs behind unguessable links. */
export class ResultFiles {
	private readonly files = new Map<string, ResultFile>();
	private published = 0;

	constructor(
		private readonly clock: () => number,
		private readonly linkBase: () => string,
	) {}

	publish(content: string): { url: string; dateExpired: string } {
		const name = `${randomBytes(24).toString('base64url')}/${++this.published}.csv`;
		const expiresAt = this.clock() + VALID_MS;
		this.files.set(name, { content, expiresAt });
		return { url: `${this.linkBase()}/results/${name}`, dateExpired: serviceDate(expiresAt) };
	}

	read(signature: string, name: string): { status: 200; content: string } | { status: 403 | 404 } {
		const file = this.files.get(`${signature}/${name}`);
		if (!file) return { status: 404 };
		if (file.expiresAt <= this.clock()) return { status: 403 };
		return { status: 200, content: file.content };
	}

	expireAll(): void {
		for (const file of this.files.values()) file.expiresAt = this.clock();
	}

	clear(): void {
		this.files.clear();
	}
}

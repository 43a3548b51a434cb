import { randomBytes } from 'node:crypto';
import type { PublishedFile } from '../bulkImport/resultFile';

/** Result links are valid for 24 hours (service.md 2.8). */
const VALID_MS = 24 * 60 * 60 * 1000;

/** With seven fraction digits and an offset, as the service writes it. */
function serviceDate(time: number): string {
	return new Date(time).toISOString().replace('Z', '0000+00:00');
}

interface ResultFile extends PublishedFile {
	expiresAt: number;
	downloads: number;
}

/** Result files of bulk import jobs behind unguessable links. */
export class ResultLinks {
	private readonly files = new Map<string, ResultFile>();
	private published = 0;

	constructor(
		private readonly clock: () => number,
		private readonly linkBase: () => string,
	) {}

	publish(file: PublishedFile): { url: string; dateExpired: string } {
		const name = `${randomBytes(24).toString('base64url')}/${++this.published}.csv`;
		const expiresAt = this.clock() + (file.link === 'expired' ? 0 : VALID_MS);
		if (file.link !== 'missing') this.files.set(name, { ...file, expiresAt, downloads: 0 });
		return { url: `${this.linkBase()}/results/${name}`, dateExpired: serviceDate(expiresAt) };
	}

	/** @param name the path below `/results/` */
	read(name: string): { status: 200; content: Buffer } | { status: 403 | 404 } {
		const file = this.files.get(name);
		const content = file?.contents[Math.min(file.downloads, file.contents.length - 1)];
		if (!file || !content) return { status: 404 };
		if (file.expiresAt <= this.clock()) return { status: 403 };
		file.downloads++;
		return { status: 200, content };
	}

	expireAll(): void {
		for (const file of this.files.values()) file.expiresAt = this.clock();
	}

	clear(): void {
		this.files.clear();
	}
}

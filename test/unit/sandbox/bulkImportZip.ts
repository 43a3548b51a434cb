import { downloadZip } from 'client-zip';

/** The bytes of a zip archive of text or binary files by name. */
export async function zipOf(files: Record<string, string | Uint8Array>): Promise<Buffer> {
	const entries = Object.entries(files).map(([name, input]) => ({ name, input }));
	return Buffer.from(await downloadZip(entries).arrayBuffer());
}

import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { fromBuffer, type Entry, type Options, type ZipFile } from 'yauzl';

const open = promisify<Buffer, Options, ZipFile>(fromBuffer);

/** The files of a zip archive by name. A second reader of the format; it checks sizes, this checks checksums. */
export async function unzip(zip: Buffer): Promise<Map<string, Buffer>> {
	const archive = await open(zip, { lazyEntries: true, validateEntrySizes: true });
	const files = new Map<string, Buffer>();
	return await new Promise((resolve, reject) => {
		archive.on('entry', (entry: Entry) => {
			archive.openReadStream(entry, (error, stream) => {
				if (error) return reject(error);
				buffer(stream).then((content) => {
					const checksum = crc32(content);
					const local = zip.readUInt32LE(entry.relativeOffsetOfLocalHeader + 14);
					if (entry.crc32 !== checksum || local !== checksum)
						return reject(new Error(`The checksum of ${entry.fileName} is wrong.`));
					files.set(entry.fileName, content);
					archive.readEntry();
				}, reject);
			});
		});
		archive.on('end', () => resolve(files));
		archive.on('error', reject);
		archive.readEntry();
	});
}

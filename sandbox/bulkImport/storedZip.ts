import { crc32 } from 'node:zlib';

/** A zip archive with one file that is stored, not compressed. */
export function storedZip(name: string, content: Buffer): Buffer {
	const version = 20;
	const fields = Buffer.alloc(26);
	fields.writeUInt16LE(version);
	fields.writeUInt32LE(crc32(content), 10);
	fields.writeUInt32LE(content.length, 14);
	fields.writeUInt32LE(content.length, 18);
	fields.writeUInt16LE(name.length, 22);
	const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), content]);
	const central = Buffer.concat([
		Buffer.from('PK\x01\x02'),
		Buffer.from([version, 0]),
		fields,
		Buffer.alloc(14),
		Buffer.from(name),
	]);
	const end = Buffer.alloc(22);
	end.write('PK\x05\x06', 'latin1');
	end.writeUInt16LE(1, 8);
	end.writeUInt16LE(1, 10);
	end.writeUInt32LE(central.length, 12);
	end.writeUInt32LE(local.length, 16);
	return Buffer.concat([local, central, end]);
}

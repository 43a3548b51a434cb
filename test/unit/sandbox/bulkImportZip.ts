import { transformSync } from '@swc/core';
import type * as ClientZip from 'client-zip';
import { readFileSync } from 'node:fs';

/** client-zip is an ES module, which jest cannot load from the CommonJS that tests are compiled to. */
function loadClientZip(): typeof ClientZip {
	const source = readFileSync(require.resolve('client-zip'), 'utf8');
	const { code } = transformSync(source, { module: { type: 'commonjs' } });
	const loaded = { exports: {} as typeof ClientZip };
	new Function('module', 'exports', code)(loaded, loaded.exports);
	return loaded.exports;
}

const { downloadZip } = loadClientZip();

/** The bytes of a zip archive of text or binary files by name. */
export async function zipOf(files: Record<string, string | Uint8Array>): Promise<Buffer> {
	const entries = Object.entries(files).map(([name, input]) => ({ name, input }));
	return Buffer.from(await downloadZip(entries).arrayBuffer());
}

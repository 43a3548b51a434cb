import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { npm, runWithProgress } from './runWithProgress.mjs';

const root = join(__dirname, '..');

export const packageManifest = z
	.object({
		name: z.string(),
		version: z.string(),
		n8n: z.object({ nodes: z.array(z.string()) }),
	})
	.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));

/** Names a package that was packed before, for all who would pack it. */
export const TARBALL_VARIABLE = 'NATIVE_NODES_TARBALL';

const packOutput = z.tuple([z.object({ filename: z.string() })]);

/** Packs what would be published, from a `dist/` that was built before. @returns the path of the tarball */
export async function packPackage(folder: string): Promise<string> {
	const packed = process.env[TARBALL_VARIABLE];
	if (packed) return packed;
	if (!existsSync(join(root, 'dist', 'nodes'))) {
		throw new Error('There is nothing to pack: run "npm run build" first.');
	}
	const response = await runWithProgress(
		'Packing the package',
		npm('pack', '--json', '--ignore-scripts', '--pack-destination', folder),
		{ cwd: root },
	);
	const [{ filename }] = packOutput.parse(JSON.parse(response));
	return join(folder, filename);
}

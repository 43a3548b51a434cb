import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { z } from 'zod';

const root = resolve(__dirname, '../../..');
const manifestSchema = z.object({ n8n: z.object({ nodes: z.array(z.string()) }) });

export interface PackageNode {
	node: INodeType;
	/** Of its sources. */
	folder: string;
}

/**
 * The nodes that package.json names, by the name of their class, from the sources. The file name is
 * spelled out, because `X.node` is taken for the codex file `X.node.json` outside of Jest.
 */
export function packageNodes(): Map<string, PackageNode> {
	const load = createRequire(__filename);
	const { n8n } = manifestSchema.parse(
		JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')),
	);
	return new Map(
		n8n.nodes.map((built) => {
			const source = join(root, built.replace(/^dist\//, '').replace(/\.js$/, '.ts'));
			const name = basename(source, '.node.ts');
			const classes = load(source) as Record<string, new () => INodeType>;
			const NodeClass = classes[name];
			if (!NodeClass) throw new Error(`${source} has no class ${name}.`);
			return [name, { node: new NodeClass(), folder: dirname(source) }];
		}),
	);
}

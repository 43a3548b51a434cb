import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import type { INodeType } from 'n8n-workflow';
import { z } from 'zod';

import type { NodeResource } from '../../../nodes/shared/execution/operation';

const root = resolve(__dirname, '../../..');
const manifestSchema = z.object({ n8n: z.object({ nodes: z.array(z.string()) }) });

type NodeModule = Record<string, new () => INodeType> & { resources?: NodeResource[] };

export interface PackageNode {
	node: INodeType;
	/** None of a trigger. */
	resources: NodeResource[];
	/** Of its sources. */
	folder: string;
}

/**
 * The nodes that package.json names, by the name of their class, from the sources. The file name is
 * spelled out, because `X.node` is mistaken for the codex file `X.node.json` outside of Jest.
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
			const { resources = [], ...classes } = load(source) as NodeModule;
			const NodeClass = classes[name];
			if (!NodeClass) throw new Error(`${source} has no class ${name}.`);
			return [name, { node: new NodeClass(), resources, folder: dirname(source) }];
		}),
	);
}

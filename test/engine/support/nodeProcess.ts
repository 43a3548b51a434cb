/** Runs a node in a process of its own, which a test can kill: killedNode.ts. */
import { readFileSync } from 'node:fs';
import type { INodeParameters } from 'n8n-workflow';

import { NativeApi } from '../../../credentials/NativeApi.credentials';
import { packageNodes } from './packageNodes';
import { runNode, storeBinary } from './engine';
import { processedData as data } from './processedData';
import { sandboxCredential } from './sandboxed';

export interface NodeProcess {
	node: string;
	url: string;
	parameters: INodeParameters;
	/** The path of a file for the binary field `data`. */
	csv?: string;
	items?: Array<Record<string, string>>;
	memory: string;
	/** See `ProcessedData`. */
	hangAfter?: number;
	hangBefore?: number;
	hangsAfterRemoval?: boolean;
}

async function main(): Promise<void> {
	const given = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as NodeProcess;
	const { url, parameters, memory, csv, hangAfter } = given;
	data.path = memory;
	if (hangAfter !== undefined) data.hangAfter = hangAfter;
	if (given.hangBefore !== undefined) data.hangBefore = given.hangBefore;
	data.hangsAfterRemoval = given.hangsAfterRemoval === true;
	data.onHang = () => console.log('hangs');
	const alive = setInterval(() => undefined, 1000);
	const node = packageNodes().get(given.node)?.node;
	if (!node) throw new Error(`There is no node ${given.node}.`);
	const file = { fileName: 'list.csv', mimeType: 'text/csv' };
	const stored = csv === undefined ? undefined : await storeBinary(readFileSync(csv), file);
	const { outputs, error } = await runNode({
		node,
		parameters,
		credentialTypes: [new NativeApi()],
		credentials: { nativeApi: sandboxCredential(url) },
		items: stored
			? [{ json: {}, binary: { data: stored } }]
			: (given.items ?? []).map((json) => ({ json })),
		onError: 'continueRegularOutput',
	});
	clearInterval(alive);
	console.log(
		JSON.stringify({ items: outputs[0]?.map(({ json }) => json), error: error?.message }),
	);
}

void main();

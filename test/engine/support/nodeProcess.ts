/** Runs a node in a process of its own, which a test can kill: killedNode.ts. */
import { readFileSync } from 'node:fs';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';

import { NativeApi } from '../../../credentials/NativeApi.credentials';
import { NativeBulkImport } from '../../../nodes/NativeBulkImport/NativeBulkImport.node';
import { NativeCanvassResponse } from '../../../nodes/NativeCanvassResponse/NativeCanvassResponse.node';
import { runNode, storeBinary } from './engine';
import { processedData as data } from './processedData';

/** Those that a process can run. */
const NODES = { NativeBulkImport, NativeCanvassResponse };

export interface NodeProcess {
	node: keyof typeof NODES;
	credential: ICredentialDataDecryptedObject;
	parameters: INodeParameters;
	/** The path of a file for the binary field `data`. */
	csv?: string;
	items?: Array<Record<string, string>>;
	/** See `ProcessedData`. */
	hangAfter?: number;
	hangBefore?: number;
	hangsAfterRemoval?: boolean;
}

async function main([given = '', remembered = '']: string[]): Promise<void> {
	const { node, credential, parameters, csv, hangAfter, ...more } = JSON.parse(
		readFileSync(given, 'utf8'),
	) as NodeProcess;
	data.readFrom(remembered);
	data.file = remembered;
	if (hangAfter !== undefined) data.hangAfter = hangAfter;
	if (more.hangBefore !== undefined) data.hangBefore = more.hangBefore;
	data.hangsAfterRemoval = more.hangsAfterRemoval === true;
	data.onHang = () => console.log('hangs');
	const alive = setInterval(() => undefined, 1000);
	const file = { fileName: 'list.csv', mimeType: 'text/csv' };
	const stored = csv === undefined ? undefined : await storeBinary(readFileSync(csv), file);
	const { outputs, error } = await runNode({
		node: new NODES[node](),
		parameters,
		credentialTypes: [new NativeApi()],
		credentials: { nativeApi: credential },
		items: stored
			? [{ json: {}, binary: { data: stored } }]
			: (more.items ?? []).map((json) => ({ json })),
		onError: 'continueRegularOutput',
	});
	clearInterval(alive);
	console.log(
		JSON.stringify({ items: outputs[0]?.map(({ json }) => json), error: error?.message }),
	);
}

void main(process.argv.slice(2));

import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { outputExamples, type Examples, type ExampleService } from './outputExamples';
import { packageNodes, type PackageNode } from './packageNodes';
import { Sandboxed } from './sandboxed';

/** An operation of a node of the package. */
export interface PackageOperation extends PackageNode {
	/** Of the class. */
	nodeName: string;
	/** `resource/operation` */
	name: string;
	examples: Examples | undefined;
}

/** Every operation of the package, by what the nodes describe; triggers have none. */
export function packageOperations(): PackageOperation[] {
	return [...packageNodes()].flatMap(([nodeName, { node, folder }]) =>
		node.description.properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [], displayOptions }) =>
				(displayOptions?.show?.resource ?? []).flatMap((resource) =>
					options.flatMap((option) => {
						if (!('value' in option)) return [];
						const name = `${String(resource)}/${String(option.value)}`;
						return [{ nodeName, node, folder, name, examples: outputExamples[nodeName]?.[name] }];
					}),
				),
			),
	);
}

/**
 * What an operation puts out when its examples run on a sandbox as it was seeded.
 *
 * @throws the error of a run that fails
 */
export async function exampleOutputs(
	{ node, name, examples }: PackageOperation,
	credential: ICredentialDataDecryptedObject = {},
): Promise<IDataObject[]> {
	const service = await Sandboxed.start();
	const { url, httpsUrl } = service.sandbox;
	const run: ExampleService['run'] = async (operationName, { parameters, items }) => {
		const [resource = '', operation = ''] = operationName.split('/');
		const { error, outputs } = await service.run(
			node,
			{ resource, operation, ...parameters },
			{ items, credential },
		);
		if (error) throw error;
		return (outputs[0] ?? []).map(({ json }) => json);
	};
	const outputs: IDataObject[] = [];
	try {
		const runs = await examples?.({
			uploadUrl: `${url}/drop/{file}?sig=1`,
			downloadUrl: `${httpsUrl}/drop/{file}`,
			host: async (fileName, text) => await service.host(fileName, text),
			run,
		});
		for (const example of runs ?? []) outputs.push(...(await run(name, example)));
	} finally {
		await service.close();
	}
	return outputs;
}

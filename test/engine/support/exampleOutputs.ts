import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import type { NodeOperation } from '../../../nodes/shared/execution/operation';
import { outputExamples, type Examples, type ExampleService } from './outputExamples';
import { packageNodes, type PackageNode } from './packageNodes';
import { Sandboxed } from './sandboxed';

/** An operation of a node of the package. */
export interface PackageOperation extends PackageNode {
	/** Of the class. */
	nodeName: string;
	/** `resource/operation` */
	name: string;
	calls: NodeOperation['calls'];
	/** Whether it handles each item alone. */
	isPerItem: boolean;
	examples: Examples | undefined;
}

/** Every operation of the package; triggers have none. */
export function packageOperations(): PackageOperation[] {
	return [...packageNodes()].flatMap(([nodeName, packageNode]) =>
		packageNode.resources.flatMap((resource) =>
			resource.operations.map((operation) => {
				const { value, calls } = operation;
				const name = `${resource.value}/${value}`;
				return {
					...packageNode,
					nodeName,
					name,
					calls,
					isPerItem: 'run' in operation || 'write' in operation,
					examples: outputExamples[nodeName]?.[name],
				};
			}),
		),
	);
}

/**
 * What an operation puts out when its examples run on a sandbox as it was seeded.
 *
 * @param onCall called for each call of the examples, with its path below the version
 * @throws the error of a run that fails
 */
export async function exampleOutputs(
	{ node, name, examples }: PackageOperation,
	credential: ICredentialDataDecryptedObject = {},
	onCall: (method: string, path: string) => void = () => {},
): Promise<IDataObject[]> {
	const service = await Sandboxed.start();
	const { url, httpsUrl } = service.sandbox;
	const outputsOf: ExampleService['outputs'] = async (operationName, { parameters, items }) => {
		const [resource = '', operation = ''] = operationName.split('/');
		const before = service.calls().length;
		const { error, outputs } = await service.run(
			node,
			{ resource, operation, ...parameters },
			{ items, credential },
		);
		if (error) throw error;
		if (operationName === name) {
			for (const { method, path } of service.calls().slice(before))
				onCall(method, path.replace(/^\/v\d+/, ''));
		}
		return outputs[0] ?? [];
	};
	const run: ExampleService['run'] = async (operation, example) =>
		(await outputsOf(operation, example)).map(({ json }) => json);
	const outputs: IDataObject[] = [];
	try {
		const runs = await examples?.({
			uploadUrl: `${url}/drop/{file}?sig=1`,
			downloadUrl: `${httpsUrl}/drop/{file}`,
			host: async (fileName, text) => await service.host(fileName, text),
			run,
			outputs: outputsOf,
		});
		for (const example of runs ?? []) outputs.push(...(await run(name, example)));
	} finally {
		await service.close();
	}
	return outputs;
}

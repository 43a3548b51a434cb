import { CredentialTestContext, LoadOptionsContext } from 'n8n-core';
import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodePropertyOptions,
	INodeType,
	ResourceMapperFields,
} from 'n8n-workflow';

import { additionalDataFor, workflowWith, type NodeSetup } from './engine';

/** What the editor asks for while a user fills in the parameters of a node. */
interface EditorRequest extends NodeSetup {
	/** Name of the method. */
	method: string;
	/** Parameter that is being filled in, e.g. `parameters.mappingTypes`. */
	path?: string;
}

function editorContext(request: EditorRequest): LoadOptionsContext {
	const { workflow, node } = workflowWith(request);
	const additionalData = additionalDataFor(request, 'internal');
	additionalData.currentNodeParameters = node.parameters;
	return new LoadOptionsContext(workflow, node, additionalData, request.path ?? 'parameters.any');
}

function defined<T>(method: T | undefined, { node, method: name }: EditorRequest): T {
	if (!method) throw new Error(`${node.description.name} has no method "${name}".`);
	return method;
}

/** The entries of a resource locator's "From List". */
export async function searchList(
	request: EditorRequest & { filter?: string; paginationToken?: string },
): Promise<INodeListSearchResult> {
	const method = defined(request.node.methods?.listSearch?.[request.method], request);
	return await method.call(editorContext(request), request.filter, request.paginationToken);
}

/** The entries of a drop-down list. */
export async function loadOptions(request: EditorRequest): Promise<INodePropertyOptions[]> {
	const method = defined(request.node.methods?.loadOptions?.[request.method], request);
	return await method.call(editorContext(request));
}

/** The fields of a resource mapper. */
export async function mapperFields(request: EditorRequest): Promise<ResourceMapperFields> {
	const method = defined(request.node.methods?.resourceMapping?.[request.method], request);
	return await method.call(editorContext(request));
}

/** What happens when a user saves the credential: a node of the package tests it (`testedBy`). */
export async function testCredential(
	type: ICredentialType,
	values: ICredentialDataDecryptedObject,
	nodes: INodeType[],
): Promise<INodeCredentialTestResult> {
	const setup = { credentialTypes: [type], credentials: { [type.name]: values } };
	const additionalData = additionalDataFor(setup, 'internal');
	const details = { id: type.name, name: type.name };
	const data = await additionalData.credentialsHelper.getDecrypted(
		additionalData,
		details,
		type.name,
		'internal',
	);
	for (const { description, methods } of nodes) {
		const tester = description.credentials?.find(({ name }) => name === type.name)?.testedBy;
		const test = typeof tester === 'string' ? methods?.credentialTest?.[tester] : undefined;
		if (!test) continue;
		const context = new CredentialTestContext(additionalData);
		return await test.call(context, { ...details, type: type.name, data });
	}
	throw new Error(`No node tests the credential "${type.name}".`);
}

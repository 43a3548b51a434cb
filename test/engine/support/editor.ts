import { CredentialTestContext, ExecuteContext, LoadOptionsContext, RoutingNode } from 'n8n-core';
import {
	createEmptyRunExecutionData,
	NodeConnectionTypes,
	type ICredentialDataDecryptedObject,
	type ICredentialsDecrypted,
	type ICredentialTestRequest,
	type ICredentialType,
	type INodeCredentialTestResult,
	type INodeListSearchResult,
	type INodePropertyOptions,
	type INodeType,
	type ResourceMapperFields,
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

/** Stands for the node whose declarative request is the credential's test. */
class CredentialsTest implements INodeType {
	description: INodeType['description'];

	constructor(type: ICredentialType, test: ICredentialTestRequest) {
		this.description = {
			displayName: 'Temp-Node',
			name: 'credentialsTest',
			group: ['input'],
			version: 1,
			description: 'Carries the test request of a credential',
			defaults: {},
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			credentials: [{ name: type.name, required: true }],
			properties: [
				{
					displayName: 'Temp',
					name: 'temp',
					type: 'string',
					routing: { request: test.request },
					default: '',
				},
			],
		};
	}
}

/**
 * What happens when a user saves the credential: a node of the package that tests it
 * (`testedBy`), else the test request of the credential itself, judged as n8n judges it.
 */
export async function testCredential(
	type: ICredentialType,
	values: ICredentialDataDecryptedObject,
	nodes: INodeType[] = [],
): Promise<INodeCredentialTestResult> {
	const setup = { credentialTypes: [type], credentials: { [type.name]: values } };
	const additionalData = additionalDataFor(setup, 'internal');
	const details = { id: type.name, name: type.name };
	const decrypted: ICredentialsDecrypted = {
		...details,
		type: type.name,
		data: await additionalData.credentialsHelper.getDecrypted(
			additionalData,
			details,
			type.name,
			'internal',
		),
	};

	for (const { description, methods } of nodes) {
		const tester = description.credentials?.find(({ name }) => name === type.name)?.testedBy;
		const test = typeof tester === 'string' ? methods?.credentialTest?.[tester] : undefined;
		if (test) return await test.call(new CredentialTestContext(additionalData), decrypted);
	}
	if (!type.test)
		return { status: 'Error', message: 'No testing function found for this credential.' };
	return await testByRequest(type, type.test, decrypted, setup);
}

/** The parts of a failed request's error by which n8n judges it. */
interface RequestFailure {
	message: string;
	cause?: { code?: string; response?: { status: number; statusText?: string } };
}

async function testByRequest(
	type: ICredentialType,
	test: ICredentialTestRequest,
	decrypted: ICredentialsDecrypted,
	setup: Omit<NodeSetup, 'node'>,
): Promise<INodeCredentialTestResult> {
	const nodeType = new CredentialsTest(type, test);
	const { workflow, node } = workflowWith({ ...setup, node: nodeType });
	const input = { main: [[{ json: {} }]] };
	const context = new ExecuteContext(
		workflow,
		node,
		additionalDataFor(setup, 'internal'),
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		input,
		{ node, data: {}, source: null },
		[],
	);

	let response;
	try {
		response = await new RoutingNode(context, nodeType, decrypted).runNode();
	} catch (error) {
		const { message, cause } = error as RequestFailure;
		if (!cause?.response) return { status: 'Error', message: cause?.code ?? message };
		const { status, statusText } = cause.response;
		const rule = test.rules?.find(
			({ type: kind, properties }) => kind === 'responseCode' && properties.value === status,
		);
		return {
			status: 'Error',
			message: rule?.properties.message ?? (statusText || `Received HTTP status code: ${status}`),
		};
	}
	const rejection = test.rules?.find(
		(rule) =>
			rule.type === 'responseSuccessBody' &&
			response?.[0]?.[0]?.json[rule.properties.key] === rule.properties.value,
	);
	return rejection
		? { status: 'Error', message: rejection.properties.message }
		: { status: 'OK', message: 'Connection successful!' };
}

import type {
	ICredentialDataDecryptedObject,
	ICredentialsExpressionResolveValues,
	ICredentialType,
	IExecuteData,
	IHttpRequestOptions,
	INodeParameters,
	INodeProperties,
	IRequestOptionsSimplified,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { ICredentials, ICredentialsHelper, NodeHelpers } from 'n8n-workflow';

/** What a user typed into each credential, by name of the credential type. */
export type CredentialValues = Record<string, ICredentialDataDecryptedObject>;

class StoredCredential extends ICredentials {
	constructor(
		type: string,
		private readonly values: ICredentialDataDecryptedObject,
	) {
		super({ id: type, name: type }, type);
	}

	async getData() {
		return this.values;
	}

	getDataToSave(): never {
		throw new Error('Nothing is stored.');
	}

	async setData(): Promise<never> {
		throw new Error('Nothing is stored.');
	}

	async updateData(): Promise<never> {
		throw new Error('Nothing is stored.');
	}
}

/**
 * Replaces n8n's database of credentials. As n8n does, it fills in the defaults of the
 * fields, evaluates expressions for an item, and lets the credential type authenticate requests.
 */
export class CredentialStore extends ICredentialsHelper {
	constructor(
		private readonly types: ICredentialType[],
		private readonly values: CredentialValues,
	) {
		super();
	}

	private type(name: string): ICredentialType {
		const type = this.types.find((candidate) => candidate.name === name);
		if (!type) throw new Error(`The test gave no credential type "${name}".`);
		return type;
	}

	getParentTypes(name: string): string[] {
		const parents = this.type(name).extends ?? [];
		return parents.flatMap((parent) => [parent, ...this.getParentTypes(parent)]);
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getCredentialsProperties(name: string): INodeProperties[] {
		return this.type(name).properties;
	}

	async getCredentials(_details: unknown, name: string): Promise<ICredentials> {
		const values = this.values[name];
		if (!values) throw new Error(`Credential with ID "${name}" does not exist for type "${name}".`);
		return new StoredCredential(name, values);
	}

	async getDecrypted(
		_additionalData: unknown,
		details: unknown,
		name: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		given?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const values = await (await this.getCredentials(details, name)).getData();
		const complete = NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(name),
			values as INodeParameters,
			true,
			false,
			null,
			null,
		);
		const data = complete ?? {};
		if (!given) return data as ICredentialDataDecryptedObject;
		const { workflow, runExecutionData, runIndex, itemIndex, node, connectionInputData } = given;
		return workflow.expression.getParameterValue(
			data,
			runExecutionData,
			runIndex,
			itemIndex,
			node.name,
			connectionInputData,
			mode,
			{},
			executeData,
		) as ICredentialDataDecryptedObject;
	}

	async preAuthentication(): Promise<undefined> {
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		return undefined;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		name: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const options = requestOptions as IHttpRequestOptions;
		const { authenticate } = this.type(name);
		if (typeof authenticate === 'function') return await authenticate(credentials, options);
		if (!authenticate) return options;
		throw new Error(`The credential "${name}" does not write its requests itself.`);
	}

	async updateCredentials(): Promise<void> {
		throw new Error('Nothing is stored.');
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new Error('Nothing is stored.');
	}
}

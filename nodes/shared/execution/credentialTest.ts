import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { readConnection } from '../service/connection';
import { endpoints } from '../service/endpoints';
import { errorEntries } from '../service/errorEnvelope';
import { readJsonBody } from '../service/jsonText';
import { pageOf } from '../service/listPages';
import { CHECK_ADDRESS, CHECK_KEY } from '../service/serviceErrors';
import { credentialTestSender, type HttpResponse, sendRequest } from '../transport/httpRequest';
import { isInsecure, RequestFailure } from '../transport/requestFailure';

const TIMEOUT_SECONDS = 20;

function failureMessage({ kind, code }: RequestFailure): string {
	const named = code === '' ? '' : ` (${code})`;
	if (isInsecure(code))
		return `No secure connection to the service could be made${named}. ${CHECK_ADDRESS}. If they are right, have the administrator of this n8n trust the certificate (NODE_EXTRA_CA_CERTS).`;
	if (kind === 'timeout')
		return `The service did not respond within ${TIMEOUT_SECONDS} seconds. ${CHECK_ADDRESS}, and the network of this n8n.`;
	return `The service could not be reached${named}. ${CHECK_ADDRESS}, and the network of this n8n.`;
}

function verdict(response: HttpResponse, target: string): INodeCredentialTestResult {
	const { status, text } = response;
	const error = (message: string): INodeCredentialTestResult => ({ status: 'Error', message });
	// Other services also report errors, but without this code.
	const hasEntries = errorEntries(text).some(({ code }) => code !== undefined);
	if (status >= 300 && status < 400)
		return error(
			`The service responded with a redirect to another address, and the key was not sent there. ${CHECK_ADDRESS}: enter the address of the service itself.`,
		);
	if (status === 401) return error(`The service did not accept this key: ${target}. ${CHECK_KEY}.`);
	if (status === 403 && hasEntries)
		return {
			status: 'OK',
			message: `The key works: ${target}. It may not read code types, which this test uses. A node reports an error if the key may not use its operation.`,
		};
	if (status === 404) return error(`There is no such service at this address. ${CHECK_ADDRESS}.`);
	if (status === 429)
		return error('The rate limit of this key is used up at the moment. Test again in a minute.');
	if (status >= 500)
		return error(`The service failed with status ${status}. Test again in a few minutes.`);
	if (status >= 400 && hasEntries)
		return error(
			`The service did not list its code types, which this test reads: it reported an error, with status ${status}. ${CHECK_ADDRESS}. If they are right, ask the service operator.`,
		);
	if (status >= 400 || !pageOf(readJsonBody(response).body, false))
		return error(
			`Something other than the service responded, with status ${status}: a web page or an empty response. ${CHECK_ADDRESS}; a login page or a proxy may be in between.`,
		);
	return { status: 'OK', message: `The service accepted the key: ${target}.` };
}

/**
 * Tests the credential by reading the code types. n8n's declarative test shows its own messages in
 * several versions, and cannot tell a web page from a list.
 */
export async function testConnection(
	this: ICredentialTestFunctions,
	{ data }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const connection = readConnection(data);
		const { method, path } = endpoints.listCodeTypes;
		const response = await sendRequest(
			credentialTestSender(this, connection.authenticationHeaders),
			{
				method,
				url: `${connection.root}${path}`,
				accept: 'application/json',
				timeoutMs: TIMEOUT_SECONDS * 1000,
			},
			undefined,
		);
		// n8n's editor shows the message of a failed test, and words of its own for a success.
		return verdict(response, connection.target.text);
	} catch (error) {
		const message =
			error instanceof RequestFailure
				? failureMessage(error)
				: error instanceof Error
					? error.message.replace(/Credential → /g, '')
					: String(error);
		return { status: 'Error', message };
	}
}

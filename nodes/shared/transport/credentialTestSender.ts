import type { ICredentialTestFunctions } from 'n8n-workflow';

import type { Sender } from './httpRequest';

interface LegacyResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body?: Buffer | string;
}

/**
 * A sender that uses the only request helper a credential test gets from n8n.
 * @param headers carry the key
 */
export function credentialTestSender(
	{ helpers }: ICredentialTestFunctions,
	headers: Record<string, string>,
): Sender {
	return async (options) => {
		const response = (await helpers.request({
			method: options.method,
			uri: options.url,
			headers: { ...options.headers, ...headers },
			timeout: options.timeout,
			encoding: null,
			followRedirect: false,
			simple: false,
			resolveWithFullResponse: true,
		})) as LegacyResponse;
		async function* body(): AsyncGenerator<Buffer | string> {
			if (response.body !== undefined) yield response.body;
		}
		return { ...response, body: Object.assign(body(), { destroy: () => undefined }) };
	};
}

import { readFileSync } from 'node:fs';
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { memoize } from 'lodash';
import { Agent, request } from 'undici';

function trustedCertificates(ownCa: string): string[] {
	const extraFile = process.env.NODE_EXTRA_CA_CERTS;
	return [...rootCertificates, ...(extraFile ? [readFileSync(extraFile, 'utf8')] : []), ownCa];
}

/** By certificate of a sandbox: to read all the others takes as long as a whole job. */
const trusting = memoize(
	(ownCa: string): SecureContext => createSecureContext({ ca: trustedCertificates(ownCa) }),
);

/**
 * Fetches the zip archives of bulk import jobs as the service would: from outside, with nothing but what
 * the URL says.
 */
export class SourceFileFetcher {
	private agent: Agent | undefined;

	constructor(
		private readonly ownCa: string,
		private readonly fetchSftp?: (url: URL) => Promise<Buffer>,
	) {}

	private madeAgent(): Agent {
		const secureContext = trusting(this.ownCa);
		// A test can hold a file back for as long as it needs: undici alone would give up after five minutes.
		const timeouts = { headersTimeout: 0, bodyTimeout: 0 };
		return new Agent({ connect: { secureContext }, keepAliveTimeout: 1, ...timeouts });
	}

	/**
	 * @param sourceUrl https; user and password parts are sent as Basic credentials.
	 * @throws Error whose message is the job's error; it does not repeat the URL, which may hold a password.
	 */
	async fetch(sourceUrl: string): Promise<Buffer> {
		const url = new URL(sourceUrl);
		if (url.protocol === 'sftp:' && this.fetchSftp) return await this.fetchSftp(url);
		if (url.protocol === 'sftp:' || url.protocol === 'ftps:') {
			throw new Error('The sandbox cannot fetch sftp/ftps addresses; use https.');
		}
		if (url.protocol !== 'https:') throw new Error('The file address must be https.');
		const userInfo = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
		url.username = '';
		url.password = '';
		const { statusCode, body } = await request(url, {
			dispatcher: (this.agent ??= this.madeAgent()),
			headers: {
				...(userInfo !== ':' && {
					authorization: `Basic ${Buffer.from(userInfo).toString('base64')}`,
				}),
			},
		});
		if (statusCode !== 200) {
			await body.dump();
			throw new Error(`The file host returned ${statusCode}.`);
		}
		return Buffer.from(await body.arrayBuffer());
	}

	async close(): Promise<void> {
		await this.agent?.destroy();
	}
}

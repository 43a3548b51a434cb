import { once } from 'lodash';
import { generate } from 'selfsigned';

const YEAR_MS = 366 * 24 * 60 * 60 * 1000;

/** A private key and its certificate, both PEM. */
export interface Certificate {
	key: string;
	cert: string;
}

/**
 * A certificate for the https listener that can itself be trusted as a CA (NODE_EXTRA_CA_CERTS), valid
 * for loopback only.
 * @param names further names of this machine that a test makes up, e.g. `*.service.example.org`
 */
export async function loopbackCertificate(names: string[] = []): Promise<Certificate> {
	const now = Date.now();
	const { private: key, cert } = await generate([{ name: 'commonName', value: 'Native sandbox' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		notBeforeDate: new Date(now - YEAR_MS / 366),
		notAfterDate: new Date(now + YEAR_MS),
		extensions: [
			{ name: 'basicConstraints', cA: true, critical: true },
			{ name: 'keyUsage', digitalSignature: true, keyCertSign: true, critical: true },
			{ name: 'extKeyUsage', serverAuth: true },
			{
				name: 'subjectAltName',
				altNames: [
					...['localhost', ...names].map((value) => ({ type: 2 as const, value })),
					{ type: 7, ip: '127.0.0.1' },
				],
			},
		],
	});
	return { key, cert };
}

/** The same for all sandboxes of a process. */
export const certificateOfProcess = once(async () => await loopbackCertificate());

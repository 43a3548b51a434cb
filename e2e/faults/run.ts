/** `npm run e2e -- faults`: what users get when the service or the network fails, compared with docs/faults.md. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { loopbackCertificate } from '../../sandbox';
import { PROXY_DOMAIN } from './faultProxy';

/** Node reads the certificates it trusts when it starts, so the matrix is a process of its own. */
async function main(): Promise<number> {
	const folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-faults-'));
	try {
		const { cert, key } = await loopbackCertificate([`*.${PROXY_DOMAIN}`]);
		const certificateFile = join(folder, 'cert.pem');
		const keyFile = join(folder, 'key.pem');
		writeFileSync(certificateFile, cert);
		writeFileSync(keyFile, key, { mode: 0o600 });
		const matrix = spawn(
			process.execPath,
			[...process.execArgv, join(__dirname, 'compare.ts'), ...process.argv.slice(2)],
			{
				stdio: 'inherit',
				env: { ...process.env, NODE_EXTRA_CA_CERTS: certificateFile, FAULTS_KEY_FILE: keyFile },
			},
		);
		const [code] = (await once(matrix, 'exit')) as [number | null];
		return code ?? 1;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

void main().then((code) => {
	process.exitCode = code;
});

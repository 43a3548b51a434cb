/**
 * `npm run e2e -- faults`: what users get when the service or the network fails, compared with docs/faults.md;
 * `--write` writes the page, `--only "POST /codes; 429"` runs the cells whose title contains that.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';

import { say } from '../../hosts/runWithProgress.mjs';
import { inTemporaryFolder } from '../../hosts/temporaryFolder';
import { loopbackCertificate, type Certificate } from '../../sandbox';
import { PROXY_DOMAIN } from './faultProxy';
import { faultsPage, faultTable } from './faultsPage';
import { faultMatrix } from './matrix';

const PAGE = join(__dirname, '../../docs/faults.md');

/** Node reads the certificates it trusts when it starts, so the matrix is a process of its own. */
async function runWithCertificate(): Promise<number> {
	return await inTemporaryFolder(async (folder) => {
		const certificate = await loopbackCertificate([`*.${PROXY_DOMAIN}`]);
		const file = join(folder, 'cert.pem');
		writeFileSync(file, certificate.cert);
		const env = { NODE_EXTRA_CA_CERTS: file, FAULTS_CERTIFICATE: JSON.stringify(certificate) };
		const matrix = spawn(
			process.execPath,
			[...process.execArgv, __filename, ...process.argv.slice(2)],
			{ stdio: 'inherit', env: { ...process.env, ...env } },
		);
		const [code] = (await once(matrix, 'exit')) as [number | null];
		return code ?? 1;
	});
}

async function compare(trusted: Certificate): Promise<number> {
	const { values } = parseArgs({
		options: { write: { type: 'boolean' }, only: { type: 'string' } },
	});
	const cells = await faultMatrix(trusted, values.only);
	if (cells.length === 0) {
		say(`No title of a cell contains "${values.only}".\n0 passed, 1 failed`);
		return 1;
	}
	const config = await resolveConfig(PAGE);
	const formatPage = async (text: string) => await format(text, { ...config, parser: 'markdown' });
	say(await formatPage(faultTable(cells)));

	const bad = cells.filter(({ problems }) => problems.length > 0);
	for (const { call, fault, shape, problems } of bad)
		say(`✖ ${call.title}; ${fault.name}, ${shape}: ${problems.join('; ')}`);
	const page = await formatPage(faultsPage(cells));
	let isCurrent = true;
	if (values.only !== undefined) say('docs/faults.md was not compared.');
	else if (values.write) writeFileSync(PAGE, page);
	else isCurrent = readFileSync(PAGE, 'utf8') === page;
	if (!isCurrent) {
		say(
			'✖ docs/faults.md does not say what this run saw. If the change is meant, run "npm run e2e -- faults --write" and commit the page.',
		);
	}
	const failed = bad.length + (isCurrent ? 0 : 1);
	say(`\n${cells.length + 1 - failed} passed, ${failed} failed`);
	return failed === 0 ? 0 : 1;
}

const given = process.env.FAULTS_CERTIFICATE;
void (given === undefined ? runWithCertificate() : compare(JSON.parse(given) as Certificate)).then(
	(code) => process.exit(code),
);

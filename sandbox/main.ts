import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startSandbox } from './index';
import { tierNameSchema, TIERS } from './tenants/rateGate';

const USAGE = `Usage: npm run sandbox -- [options]
  --port <n>         plain http on loopback (default 4010)
  --https-port <n>   https on loopback (default 4011)
  --tier <name>      startup | standard | preferred | custom | legacy (default custom)
  --ca-file <path>   where to write the certificate to trust
  --link-base <s>    http | https: scheme of result and drop links (default https)
  --quiet            no line per request
`;

function portOf(text: string): number {
	const port = Number(text);
	if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`Not a port: ${text}`);
	return port;
}

async function main(): Promise<void> {
	const { values } = parseArgs({
		options: {
			port: { type: 'string', default: '4010' },
			'https-port': { type: 'string', default: '4011' },
			tier: { type: 'string', default: 'custom' },
			'ca-file': { type: 'string', default: '' },
			'link-base': { type: 'string', default: 'https' },
			quiet: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const say = (line: string) => process.stdout.write(`${line}\n`);
	if (values.help) {
		say(USAGE);
		return;
	}
	const { data: tier } = tierNameSchema.safeParse(values.tier);
	if (!tier) throw new Error(`Not a tier: ${values.tier}`);
	const sandbox = await startSandbox({
		port: portOf(values.port),
		httpsPort: portOf(values['https-port']),
		tier,
		linkBase: values['link-base'] === 'http' ? 'http' : 'https',
		...(!values.quiet && { logTo: say }),
	});
	if (values['ca-file']) writeFileSync(values['ca-file'], sandbox.caCertificatePem);

	say(`http:   ${sandbox.url}/v2   (also /v4; control under ${sandbox.url}/_sandbox/)`);
	say(`https:  ${sandbox.httpsUrl}/v2`);
	if (values['ca-file']) say(`trust:  NODE_EXTRA_CA_CERTS=${values['ca-file']}`);
	for (const { name, key, tier } of sandbox.tenants) {
		const limits = typeof tier === 'string' && tier !== 'legacy' ? TIERS[tier] : undefined;
		const rates = limits ? `, ${limits.high}/${limits.medium}/${limits.low} calls a second` : '';
		say(`tenant: ${name.padEnd(10)} key ${key} (made up), tier ${String(tier)}${rates}`);
	}

	const end = () => {
		void sandbox.close().then(() => process.exit(0));
	};
	process.once('SIGINT', end);
	process.once('SIGTERM', end);
}

main().catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
});

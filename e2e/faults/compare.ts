/**
 * Runs the matrix, prints its table, and compares docs/faults.md with it; `--write` writes the page,
 * `--only "POST /codes; 429"` runs the cells whose title contains that.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';

import { faultsPage, faultTable } from './faultsPage';
import { faultMatrix } from './matrix';

const PAGE = join(__dirname, '../../docs/faults.md');

async function main(): Promise<boolean> {
	const onlyAt = process.argv.indexOf('--only');
	const only = onlyAt === -1 ? undefined : process.argv[onlyAt + 1];
	const cells = await faultMatrix(only);
	const config = await resolveConfig(PAGE);
	const formatPage = async (text: string) => await format(text, { ...config, parser: 'markdown' });
	process.stdout.write(`${await formatPage(faultTable(cells))}\n`);

	const bad = cells.filter(({ problems }) => problems.length > 0);
	for (const { call, fault, shape, problems } of bad) {
		process.stdout.write(`✖ ${call.title}; ${fault.name}, ${shape}: ${problems.join('; ')}\n`);
	}
	const page = await formatPage(faultsPage(cells));
	let isCurrent = true;
	if (only !== undefined) process.stdout.write('docs/faults.md was not compared.\n');
	else if (process.argv.includes('--write')) writeFileSync(PAGE, page);
	else isCurrent = readFileSync(PAGE, 'utf8') === page;
	if (!isCurrent) {
		process.stdout.write(
			'✖ docs/faults.md does not say what this run saw. If the change is meant, run "npm run e2e -- faults --write" and commit the page.\n',
		);
	}
	const failed = bad.length + (isCurrent ? 0 : 1);
	process.stdout.write(
		`\n${cells.length - bad.length + (isCurrent ? 1 : 0)} passed, ${failed} failed\n`,
	);
	return failed === 0;
}

void main().then((ok) => process.exit(ok ? 0 : 1));

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

import { Linter } from 'eslint';
import { parser } from 'typescript-eslint';

import dependencyRules from '../../.dependency-cruiser.cjs';
import sourceRules from '../../scripts/structure/sourceRules.cjs';

const config = [
	{ files: ['**/*.ts'], languageOptions: { parser } },
	...sourceRules,
] as Linter.Config[];
const violationsOf = (path: string, text: string) =>
	new Linter()
		.verify(text, config, path)
		.map(({ column, endColumn }) => text.slice(column - 1, (endColumn ?? 0) - 1));

describe('the rule that only the transport sends requests', () => {
	const path = 'nodes/NativeCode/code/write.operations.ts';

	test.each([
		['this.helpers.httpRequest(options);', 'this.helpers.httpRequest'],
		['const { httpRequest: send } = this.helpers;', 'httpRequest: send'],
		[
			"helpers['httpRequestWithAuthentication'].call(this, x);",
			"helpers['httpRequestWithAuthentication']",
		],
		['const { requestWithAuthentication } = this.helpers;', 'requestWithAuthentication'],
		['await this.helpers.request(x);', 'this.helpers.request'],
		["await fetch('https://example.org');", "fetch('https://example.org')"],
		["globalThis.fetch('https://example.org');", "globalThis.fetch('https://example.org')"],
	])('rejects %s', (text, found) => {
		expect(violationsOf(path, text)).toEqual([found]);
	});

	it('lets the transport send', () => {
		expect(violationsOf('nodes/shared/transport/send.ts', 'helpers.httpRequest(x);')).toEqual([]);
	});

	test.each([
		["const test: { request: IHttpRequestOptions } = { request: { url: '/x' } };"],
		["const httpRequest = { method: 'GET' };"],
	])('lets %s pass', (text) => {
		expect(violationsOf('credentials/NativeApi.credentials.ts', text)).toEqual([]);
	});
});

describe('the rule that only the endpoint table spells paths', () => {
	const path = 'nodes/NativeBulkImport/job/read.operations.ts';

	test.each([
		["call('/bulkImportJobs');", "'/bulkImportJobs'"],
		['call(`bulkImportJobs/${id}`);', '`bulkImportJobs/${'],
		['call(`${base}/people/${id}`);', '}/people/${'],
		["call('people/find?x=1');", "'people/find?x=1'"],
	])('rejects %s', (text, found) => {
		expect(violationsOf(path, text)).toEqual([found]);
	});

	test.each([
		["import { find } from '../people/find';"],
		["const resource = 'people';"],
		["const hint = 'The key may not call GET /bulkImportJobs.';"],
		["const date = '01/02/2026';"],
	])('lets %s pass', (text) => {
		expect(violationsOf(path, text)).toEqual([]);
	});
});

describe('the rules of the import graph', () => {
	const root = resolve(__dirname, '../..');
	/** For each rule, files that break it. */
	const badExamples: Record<string, Record<string, string>> = {
		'no-circular': {
			'nodes/A/two.ts': "import './one';",
			'nodes/A/one.ts': "import './two';",
		},
		'no-unresolvable': { 'nodes/A/three.ts': "import './nowhere';" },
		'no-orphans': { 'nodes/A/alone.ts': 'export {};' },
		'no-unused-modules': {
			'nodes/A/A.node.ts': "import './operation';",
			'nodes/A/unused.ts': "import './operation';",
		},
		'nodes-apart': { 'nodes/A/apart.ts': "import '../B/operation';" },
		'import-items-on-top': {
			'nodes/NativeBulkImport/importItems/plan.ts': 'export {};',
			'nodes/NativeBulkImport/job/read.ts': "import '../importItems/plan';",
		},
		'rows-on-nothing': {
			'nodes/NativeBulkImport/rows/up.ts': "import '../importItems/plan';",
		},
		'wait-on-nothing': {
			'nodes/NativeBulkImport/wait/up.ts': "import '../importItems/plan';",
		},
		'import-items-whatShouldHappen': {
			'nodes/NativeBulkImport/importItems/whatShouldHappen.ts': "import './plan';",
		},
		'import-items-stops': {
			'nodes/NativeBulkImport/importItems/stops.ts': "import './plan';",
		},
		'import-items-mapping': {
			'nodes/NativeBulkImport/importItems/mapping/up.ts': "import '../plan';",
		},
		'import-items-model': {
			'nodes/NativeBulkImport/importItems/model.ts': "import './plan';",
		},
		'import-items-feature': {
			'nodes/NativeBulkImport/importItems/feature.ts': "import './plan';",
		},
		'import-items-start': {
			'nodes/NativeBulkImport/importItems/start/up.ts': "import '../plan';",
		},
		'import-items-outcome': {
			'nodes/NativeBulkImport/importItems/outcome/up.ts': "import '../plan';",
		},
		'import-items-features': {
			'nodes/NativeBulkImport/importItems/features/up.ts': "import '../plan';",
		},
		'import-items-importLife': {
			'nodes/NativeBulkImport/importItems/importLife.ts': "import './plan';",
		},
		'import-items-features-apart': {
			'nodes/NativeBulkImport/importItems/features/two/two.ts': 'export {};',
			'nodes/NativeBulkImport/importItems/features/one.ts': "import './two/two';",
		},
		'shared-knows-no-node': { 'nodes/shared/execution/up.ts': "import '../../A/operation';" },
		'execution-reads-parameters-only': {
			'nodes/shared/execution/run.ts': "import '../parameters/field';",
		},
		'operations-on-top': { 'nodes/shared/parameters/up.ts': "import '../operations/describe';" },
		'parameters-beside-execution': {
			'nodes/shared/parameters/list.ts': "import '../execution/runner';",
		},
		'service-made-by-connect': {
			'nodes/shared/service/nativeService.ts': "import '../transport/call';",
			'nodes/A/client.ts': "import '../shared/service/nativeService';",
		},
		'service-below-execution': { 'nodes/shared/service/up.ts': "import '../execution/runner';" },
		'import-file-on-service-only': {
			'nodes/shared/importFile/send.ts': "import '../transport/call';",
		},
		'transport-at-the-bottom': {
			'nodes/shared/transport/up.ts': "import type { x } from '../service/endpoints';",
		},
		'pure-without-n8n': {
			'nodes/shared/service/n8n.ts': "import { sleep } from 'n8n-workflow'; void sleep;",
		},
		'credentials-on-service-only': {
			'credentials/Calls.credentials.ts': "import '../nodes/shared/transport/call';",
		},
		'package-apart-from-tools': { 'nodes/A/tool.ts': "import '../../sandbox/main';" },
		'sandbox-wire-on-nothing': { 'sandbox/wire/up.ts': "import '../main';" },
		'sandbox-store-on-wire': { 'sandbox/store/up.ts': "import '../main';" },
		'sandbox-bulkImport-on-store|wire': { 'sandbox/bulkImport/up.ts': "import '../main';" },
		'sandbox-tenants-on-bulkImport|store|wire': { 'sandbox/tenants/up.ts': "import '../main';" },
		'sandbox-files-on-tenants|bulkImport|wire': { 'sandbox/files/up.ts': "import '../main';" },
		'sandbox-routes-on-tenants|store|wire': { 'sandbox/routes/up.ts': "import '../main';" },
		'sandbox-mapping-below-jobs': {
			'sandbox/bulkImport/mapping/up.ts': "import '../jobs';",
		},
		'hosts-below-tests': { 'hosts/up.ts': "import '../e2e/first';" },
		'sandbox-apart-from-package': { 'sandbox/copy.ts': "import '../nodes/A/operation';" },
	};
	/** What the bad examples import, and what is allowed. */
	const goodExamples: Record<string, string> = {
		'nodes/A/operation.ts': "import '../shared/operations/describe';",
		'nodes/shared/operations/describe.ts':
			"import '../execution/runner'; import '../parameters/field';",
		'nodes/B/operation.ts': "import '../shared/parameters/field';",
		'nodes/shared/execution/runner.ts': "import '../service/endpoints';",
		'nodes/shared/parameters/field.ts': "import '../service/endpoints';",
		'nodes/shared/service/endpoints.ts':
			"import type { IDataObject } from 'n8n-workflow'; import '../transport/call'; export type x = IDataObject;",
		'nodes/shared/transport/call.ts': "import 'n8n-workflow';",
		'sandbox/main.ts': "import 'node:http';",
		'sandbox/bulkImport/jobs.ts': "import 'node:http';",
		'e2e/first.ts': "import '../sandbox/main';",
	};

	let folder: string;
	let broken: Array<{ rule: string; from: string }>;

	beforeAll(() => {
		folder = mkdtempSync(join(tmpdir(), 'n8n-nodes-native-structure-'));
		for (const file of ['.dependency-cruiser.cjs', 'tsconfig.json', 'tsconfig.check.json']) {
			cpSync(join(root, file), join(folder, file));
		}
		symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
		for (const [file, text] of Object.values({ ...badExamples, goodExamples }).flatMap(
			Object.entries,
		)) {
			mkdirSync(dirname(join(folder, file)), { recursive: true });
			writeFileSync(join(folder, file), text);
		}
		const { stdout } = spawnSync(
			process.execPath,
			[
				join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs'),
				...['--config', '.dependency-cruiser.cjs', '--output-type', 'json'],
				...['nodes', 'credentials', 'sandbox', 'e2e', 'hosts'],
			],
			{ cwd: folder, encoding: 'utf8' },
		);
		broken = JSON.parse(stdout).summary.violations.map(
			(violation: { rule: { name: string }; from: string; to: string }) => ({
				rule: violation.rule.name,
				// A module that is not reached is where the arrow would have pointed to.
				from: violation.rule.name === 'no-unused-modules' ? violation.to : violation.from,
			}),
		);
	});

	afterAll(() => rmSync(folder, { recursive: true }));

	test.each(Object.entries(badExamples))('reject a breach of %s', (rule, files) => {
		expect(broken).toContainEqual({ rule, from: Object.keys(files).at(-1) });
	});

	it('have a bad example each', () => {
		const names = dependencyRules.forbidden?.map(({ name }) => name);
		expect(Object.keys(badExamples)).toEqual(names);
	});

	it('leave what is allowed alone', () => {
		// Only node A is there to reach anything.
		const reached = [
			'nodes/A/operation.ts',
			'nodes/shared/operations/describe.ts',
			'nodes/shared/execution/runner.ts',
		];
		const wrong = broken.filter(({ rule, from }) =>
			rule === 'no-unused-modules' ? reached.includes(from) : from in goodExamples,
		);
		expect(wrong).toEqual([]);
	});
});

const asyncHooks = require('node:async_hooks');
const { statSync } = require('node:fs');
const { createRequire } = require('node:module');
const { dirname, join, sep } = require('node:path');
const { compileFunction } = require('node:vm');

/** What the sources are translated for. */
const TRANSFORMATION = {
	isInternalModule: false,
	supportsDynamicImport: false,
	supportsExportNamespaceFrom: false,
	supportsStaticESM: false,
	supportsTopLevelAwait: false,
};

/** By source: where jest wrote its source map. */
const sourceMaps = new Map();
/** By source: what runs it, and the time of the source. */
const compiled = new Map();
/** @type {(file: string) => string} */
let translate;

const SANDBOX = join(__dirname, '../../sandbox/');

/** @param {string} file */
const isOurs = (file) => !file.includes(`${sep}node_modules${sep}`) && !file.startsWith(__dirname);

/**
 * Compiled once for all test files, each of which runs it anew.
 * @param {string} file
 */
function compile(file) {
	const { mtimeMs } = statSync(file);
	const known = compiled.get(file);
	if (known?.mtimeMs === mtimeMs) return known.run;
	const names = ['exports', 'require', 'module', '__filename', '__dirname'];
	const run = compileFunction(translate(file), names, { filename: file });
	compiled.set(file, { run, mtimeMs });
	return run;
}

/** A node is two files, `X.node.ts` and `X.node.json`: who imports `X.node` means the first. */
function loadTypeScript() {
	const { '.json': json, '.node': addon } = require.extensions;
	for (const name of ['.json', '.node']) delete require.extensions[name];
	/** @param {NodeJS.Module} module */
	const load = (module, /** @type {string} */ file) =>
		compile(file).call(
			module.exports,
			module.exports,
			createRequire(file),
			module,
			file,
			dirname(file),
		);
	Object.assign(require.extensions, { '.ts': load, '.json': json, '.node': addon });
}
loadTypeScript();

/**
 * Replaces the `AsyncLocalStorage` in which jest keeps the test that runs: it makes each promise in the process
 * several times slower, and tests that run in sequence do not need it.
 * @template Store
 */
class SequentialStorage {
	/** @type {Store | undefined} */
	store;

	getStore() {
		return this.store;
	}

	/**
	 * @param {Store} store
	 * @param {() => Promise<unknown>} work
	 */
	async run(store, work) {
		const before = this.store;
		this.store = store;
		try {
			return await work();
		} finally {
			this.store = before;
		}
	}
}

/**
 * How jest loads the modules of a test file: as Node does. n8n's engine and the other dependencies stay
 * loaded from one file to the next, which jest's own runtime would load anew for each. So does the sandbox:
 * what it knows is in the servers that are started. The other modules of this repository are loaded anew, so
 * that no file meets what another one left in them.
 */
module.exports = class ProcessRuntime {
	/**
	 * @param {unknown} _config
	 * @param {import('./processEnvironment.cjs')} environment
	 * @param {unknown} _resolver
	 * @param {import('@jest/transform').ScriptTransformer} transformer
	 */
	constructor(_config, { moduleMocker }, _resolver, transformer) {
		this.moduleMocker = moduleMocker;
		this.require = createRequire(__filename);
		translate = (file) => {
			const options = /** @type {Parameters<typeof transformer.transform>[1]} */ (TRANSFORMATION);
			const { code, sourceMapPath } = transformer.transform(file, options);
			if (sourceMapPath !== null) sourceMaps.set(file, sourceMapPath);
			return code;
		};
		const jest = {
			fn: moduleMocker.fn.bind(moduleMocker),
			spyOn: moduleMocker.spyOn.bind(moduleMocker),
			restoreAllMocks: moduleMocker.restoreAllMocks.bind(moduleMocker),
		};
		Object.assign(globalThis, { jest });
	}

	unstable_shouldLoadAsEsm() {
		return false;
	}

	/** @param {string} file */
	requireModule(file) {
		return this.require(file);
	}

	/**
	 * A part of jest that keeps what it knows of one test file.
	 * @param {string} file
	 */
	requireInternalModule(file) {
		delete require.cache[file];
		const { AsyncLocalStorage } = asyncHooks;
		Object.assign(asyncHooks, { AsyncLocalStorage: SequentialStorage });
		try {
			return require(file);
		} finally {
			Object.assign(asyncHooks, { AsyncLocalStorage });
		}
	}

	getSourceMaps() {
		return sourceMaps;
	}

	getAllCoverageInfoCopy() {
		return undefined;
	}

	setGlobalsForRuntime() {}
	enterTestCode() {}
	leaveTestCode() {}

	restoreAllMocks() {
		this.moduleMocker.restoreAllMocks();
	}

	teardown() {
		this.restoreAllMocks();
		for (const [file, loaded] of Object.entries(require.cache)) {
			if (isOurs(file) && !file.startsWith(SANDBOX)) delete require.cache[file];
			// Who loaded it first would stay in memory with it.
			else if (loaded) Object.assign(loaded, { parent: undefined });
		}
	}
};

const asyncHooks = require('node:async_hooks');
const { readFileSync, statSync } = require('node:fs');
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

const ROOT = join(__dirname, '../..');
const SANDBOX = join(ROOT, 'sandbox/');
/** Their modules add hooks to the test file that loads them. */
const TESTS = [join(ROOT, 'test/'), join(ROOT, 'e2e/')];

/** @param {string} file */
const isOurs = (file) => !file.includes(`${sep}node_modules${sep}`) && !file.startsWith(__dirname);

/** Classes whose instances stay the same, or keep only what belongs to a live object. */
const UNCHANGING =
	/^(RegExp|Intl\.\w+|Weak(Map|Set)|Uint16Array|WaitChoice|ImportScreen|InvalidRow|NoRecord|OtherHeader|ServiceError|UnusableBeforeFile)$/;

/**
 * Whether a module can remember something: it has a variable, or a constant that can change, such as a `Map`
 * whose type is not `ReadonlyMap`.
 * @param {string} source
 */
function hasState(source) {
	const constants = source.matchAll(
		/^(?:export )?const \w+(?:: ([^=]+))? =\s+(?:new ([\w.]+)|(?:\[\]|\{\})(?:;| as ))/gm,
	);
	return (
		/^(export )?(let|var) |^\s+(private |public )?static (?!async|readonly)\w+( =|:)/m.test(
			source,
		) ||
		[...constants].some(
			([, type = '', made = '']) => !/^readonly/i.test(type) && !UNCHANGING.test(made),
		)
	);
}

/** By source: whether it is loaded anew for each test file, whatever it imports. */
const fresh = new Map();

/** @param {string} file */
function isFresh(file) {
	const isTest = file.endsWith('.test.ts') || TESTS.some((folder) => file.startsWith(folder));
	const known =
		fresh.get(file) ??
		(isOurs(file) &&
			!file.startsWith(SANDBOX) &&
			(isTest || 'LOAD_ANEW' in process.env || hasState(readFileSync(file, 'utf8'))));
	fresh.set(file, known);
	return known;
}

/**
 * The loaded modules that can remember something of a test file: those with state, and all that import one, or
 * one that a test has deleted from the cache.
 */
function modulesToForget() {
	const loaded = Object.values(require.cache).filter((each) => each !== undefined);
	const importers = new Map(loaded.map((each) => [each, /** @type {NodeJS.Module[]} */ ([])]));
	for (const each of loaded)
		for (const imported of each.children) importers.get(imported)?.push(each);
	const forgotten = new Set(
		loaded.filter(
			({ children, filename }) =>
				isFresh(filename) ||
				(isOurs(filename) && children.some((each) => require.cache[each.filename] !== each)),
		),
	);
	for (const each of forgotten)
		for (const importer of importers.get(each) ?? [])
			if (isOurs(importer.filename)) forgotten.add(importer);
	return forgotten;
}

/**
 * Compiled once, however often it is loaded.
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

/**
 * With it, a module knows what it has imported.
 * @param {NodeJS.Module} module
 */
const requireFor = (module) =>
	Object.assign(module.require.bind(module), createRequire(module.filename));

/** A node is two files, `X.node.ts` and `X.node.json`: who imports `X.node` means the first. */
function loadTypeScript() {
	const { '.json': json, '.node': addon } = require.extensions;
	for (const name of ['.json', '.node']) delete require.extensions[name];
	/** @param {NodeJS.Module} module */
	const load = (module, /** @type {string} */ file) =>
		compile(file).call(
			module.exports,
			module.exports,
			requireFor(module),
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
 * what it knows is in the servers that are started. Of the other modules of this repository, those that can
 * remember something are loaded anew, and so is what imports them: no file meets what another one left there.
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
		for (const { filename } of modulesToForget()) delete require.cache[filename];
		// Who loaded it first would stay in memory with it.
		for (const loaded of Object.values(require.cache))
			if (loaded) Object.assign(loaded, { parent: undefined });
	}
};

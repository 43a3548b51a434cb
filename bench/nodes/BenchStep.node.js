/**
 * The steps of a measured workflow, inside n8n: what comes between `rows` or `file` and `mark` is measured;
 * `meter` reads what the whole process used so far, `given` puts out items from a file.
 */
const { createReadStream, readFileSync, writeFileSync } = require('node:fs');
const { Session } = require('node:inspector/promises');
const { constants, PerformanceObserver } = require('node:perf_hooks');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { contactRow } = require('../contactRows');

/** A line of /proc/self/status in kilobytes.
 * @param {string} name */
function kilobytes(name) {
	const status = readFileSync('/proc/self/status', 'utf8');
	return Number(new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(status)?.[1]);
}

/** What the process used: processor time since its start, and the most memory since the last look. */
function meter() {
	const { user, system } = process.cpuUsage();
	const used = {
		cpuMs: (user + system) / 1000,
		peakKilobytes: kilobytes('VmHWM'),
		kilobytes: kilobytes('VmRSS'),
	};
	resetPeak();
	return used;
}

/** proc(5), /proc/pid/clear_refs. */
function resetPeak() {
	writeFileSync('/proc/self/clear_refs', '5');
}

let startedAt = 0;
let memoryAtStart = 0;
/** Times in which the event loop did not turn. `monitorEventLoopDelay` misses those at both ends.
 * @type {Array<{ from: number, to: number }>} */
let stalls = [];
/** Major collections of V8's garbage: they walk all that n8n holds, whoever allocates at that moment.
 * Without a profile only their ends are known, not the steps in which they mark what is alive.
 * @type {Array<{ from: number, to: number }>} */
let collections = [];
/** Collections of what was made just before.
 * @type {Array<{ from: number, to: number }>} */
let minorCollections = [];
const collectionObserver = new PerformanceObserver((list) => addCollections(list.getEntries()));
collectionObserver.observe({ entryTypes: ['gc'] });
/** @type {Session | undefined} */
let profiling;
let lastTurn = 0;
let cpuAtStart = process.cpuUsage();
let cpuAtTurn = cpuAtStart;
/** @type {NodeJS.Timeout | undefined} */
let ticking;

/** @param {Array<{ startTime: number, duration: number, detail?: { kind?: number } }>} entries */
function addCollections(entries) {
	for (const { detail, startTime, duration } of entries) {
		const from = performance.timeOrigin + startTime;
		const span = { from, to: from + duration };
		if (detail?.kind === constants.NODE_PERFORMANCE_GC_MINOR) minorCollections.push(span);
		if (detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR && !profiling) collections.push(span);
	}
}

/** From now on, collections are taken from a profile. */
async function startProfile() {
	profiling = new Session();
	profiling.connect();
	await profiling.post('Profiler.enable');
	await profiling.post('Profiler.setSamplingInterval', { interval: 500 });
	await profiling.post('Profiler.start');
}

/** @param {Session} session */
async function endProfile(session) {
	const { profile } = await session.post('Profiler.stop');
	session.disconnect();
	profiling = undefined;
	/** @param {string} name of what V8 calls a function without being one */
	const idOf = (name) => profile.nodes.find(({ callFrame }) => callFrame.functionName === name)?.id;
	const collecting = idOf('(garbage collector)');
	const idle = idOf('(idle)');
	// A profile has microseconds of a clock of its own: process.hrtime's.
	const shift = Date.now() - Number(process.hrtime.bigint()) / 1e6;
	let at = profile.startTime / 1000;
	const { samples = [], timeDeltas = [] } = profile;
	samples.forEach((sample, index) => {
		at += (timeDeltas[index] ?? 0) / 1000;
		const next = at + (timeDeltas[index + 1] ?? 0) / 1000;
		const span = { from: at + shift, to: next + shift };
		if (sample === collecting) collections.push(span);
		if (sample === idle) return;
		for (const work of works) work.busyMs += Math.max(0, overlap(span, work));
	});
}

function turn() {
	const now = Date.now();
	const { user, system } = process.cpuUsage(cpuAtTurn);
	// What the machine gave to other processes is no stall of this one.
	const ms = Math.min(now - lastTurn, (user + system) / 1000);
	if (ms > 2) stalls.push({ from: now - ms, to: now });
	lastTurn = now;
	cpuAtTurn = process.cpuUsage();
}

/** Collects what making the items left young in memory, or the node behind would have to. */
function collectYoung() {
	setFlagsFromString('--expose-gc');
	/** @type {(options: { type: 'minor' }) => void} */
	const collect = runInNewContext('gc');
	// What is alive is young until its second collection.
	for (let time = 0; time < 2; time++) collect({ type: 'minor' });
}

function begin() {
	collectYoung();
	resetPeak();
	memoryAtStart = kilobytes('VmRSS');
	watchNodes();
	stalls = [];
	collections = [];
	minorCollections = [];
	works = [];
	lastTurn = Date.now();
	cpuAtStart = cpuAtTurn = process.cpuUsage();
	ticking = setInterval(turn, 1);
	startedAt = performance.now();
}

/** The nodes whose own time is watched: what n8n does before and after them is not theirs. */
const WATCHED = /\/(NativeBulkImport|NativeCanvassResponse|ConvertToFile|Compression)\.node\.js$/;

/** When watched nodes worked, how long the main thread was busy then, and how much memory grew.
 * @type {Array<{ from: number, to: number, busyMs: number, kilobytes: number }>} */
let works = [];
const wrapped = new WeakSet();

/** n8n has loaded every node of a workflow by the time its first one runs. */
function watchNodes() {
	for (const module of Object.values(require.cache)) {
		if (!module || !WATCHED.test(module.filename)) continue;
		for (const { prototype } of Object.values(module.exports)) {
			if (typeof prototype?.execute !== 'function' || wrapped.has(prototype)) continue;
			wrapped.add(prototype);
			const { execute } = prototype;
			/** @param {unknown[]} given */
			prototype.execute = async function (...given) {
				resetPeak();
				const memory = kilobytes('VmRSS');
				const from = Date.now();
				const output = await execute.apply(this, given);
				const to = Date.now();
				works.push({ from, to, busyMs: 0, kilobytes: kilobytes('VmHWM') - memory });
				return output;
			};
		}
	}
}

/** How long two spans of time overlap; 0 or less if they do not.
 * @param {{ from: number, to: number }} one
 * @param {{ from: number, to: number }} other */
const overlap = (one, other) => Math.min(one.to, other.to) - Math.max(one.from, other.from);

/** How much of a time the spans take, if they do not overlap each other.
 * @param {Array<{ from: number, to: number }>} spans
 * @param {{ from: number, to: number }} time */
const shareOf = (spans, time) =>
	spans.reduce((sum, span) => sum + Math.max(0, overlap(span, time)), 0);

/** The times in which a node kept the event loop from turning: in all, and without major collections.
 * @param {boolean} isProfiled */
function stallLengths(isProfiled) {
	return works.flatMap((work) =>
		stalls.flatMap((stall) => {
			const within = { from: Math.max(stall.from, work.from), to: Math.min(stall.to, work.to) };
			const all = within.to - within.from;
			if (all <= 0) return [];
			// A profile does not distinguish the two kinds of collections.
			const minor = isProfiled ? shareOf(minorCollections, within) : 0;
			return [{ all, own: all - Math.max(0, shareOf(collections, within) - minor) }];
		}),
	);
}

async function measured() {
	const ms = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(cpuAtStart);
	clearInterval(ticking);
	turn();
	addCollections(collectionObserver.takeRecords());
	const isProfiled = profiling !== undefined;
	if (profiling) await endProfile(profiling);
	const lengths = stallLengths(isProfiled);
	return {
		ms,
		cpuMs: (user + system) / 1000,
		kilobytes: kilobytes('VmHWM') - memoryAtStart,
		stallMs: Math.max(0, ...lengths.map(({ own }) => own)),
		wholeStallMs: Math.max(0, ...lengths.map(({ all }) => all)),
		works: works.map(({ from, to, ...work }) => ({ ...work, ms: to - from })),
	};
}

/** What n8n needs to remember texts for a node: milliseconds, and the longest time in which it did nothing else.
 * @param {import('n8n-workflow').IExecuteFunctions} functions
 * @param {number} count */
async function memoryCosts(functions, count) {
	/** @type {import('n8n-workflow').ICheckProcessedOptions} */
	const options = { mode: 'entries' };
	const { checkProcessedAndRecord, removeProcessed, getProcessedDataCount } = functions.helpers;
	const texts = Array.from({ length: count }, (_, index) => `text ${index}`);
	const some = texts.slice(-Math.min(200, count));
	/** @type {Record<string, { ms: number, stallMs: number }>} */
	const costs = {};
	/** @param {string} name
	 * @param {() => Promise<unknown>} work */
	const measure = async (name, work) => {
		const from = performance.now();
		let last = from;
		let stallMs = 0;
		const look = () => {
			const now = performance.now();
			stallMs = Math.max(stallMs, now - last);
			last = now;
		};
		const watching = setInterval(look, 1);
		await work();
		look();
		clearInterval(watching);
		costs[name] = { ms: performance.now() - from, stallMs };
	};
	await measure('record', () => checkProcessedAndRecord(texts, 'node', options));
	await measure('look', () =>
		checkProcessedAndRecord([...texts, 'last'], 'node', { ...options, maxEntries: 1 }),
	);
	await measure('putBack', () => checkProcessedAndRecord(texts, 'node', options));
	await measure('removeSome', () => removeProcessed(some, 'node', options));
	await measure('addSome', () => checkProcessedAndRecord(some, 'node', options));
	await measure('count', () => getProcessedDataCount('node', options));
	return costs;
}

class BenchStep {
	description = {
		displayName: 'Bench Step',
		name: 'benchStep',
		group: ['transform'],
		version: 1,
		description: 'Begins or ends a measurement',
		defaults: { name: 'Bench Step' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			{ displayName: 'Step', name: 'step', type: 'string', default: 'mark' },
			{ displayName: 'Rows', name: 'rows', type: 'number', default: 0 },
			{ displayName: 'Profile', name: 'profile', type: 'boolean', default: false },
			{ displayName: 'Path', name: 'path', type: 'string', default: '' },
		],
	};

	/** @this {import('n8n-workflow').IExecuteFunctions} */
	async execute() {
		const step = this.getNodeParameter('step', 0);
		if (step === 'mark') {
			const result = await measured();
			return [[{ json: { ...result, first: this.getInputData()[0]?.json ?? {} } }]];
		}
		if (step === 'meter') return [[{ json: meter() }]];
		if (step === 'given') {
			/** @type {import('n8n-workflow').IDataObject[]} */
			const given = JSON.parse(readFileSync(String(this.getNodeParameter('path', 0)), 'utf8'));
			return [given.map((json) => ({ json }))];
		}
		if (step === 'memory') {
			const count = Number(this.getNodeParameter('rows', 0));
			return [[{ json: await memoryCosts(this, count) }]];
		}
		/** @type {import('n8n-workflow').INodeExecutionData[]} */
		let items;
		if (step === 'file') {
			const path = String(this.getNodeParameter('path', 0));
			const stream = createReadStream(path);
			items = [
				{ json: {}, binary: { data: await this.helpers.prepareBinaryData(stream, 'rows.csv') } },
			];
		} else {
			const rows = Number(this.getNodeParameter('rows', 0));
			items = Array.from({ length: rows }, (_, index) => ({ json: contactRow(index) }));
		}
		begin();
		if (this.getNodeParameter('profile', 0)) await startProfile();
		return [items];
	}
}

module.exports = { BenchStep };

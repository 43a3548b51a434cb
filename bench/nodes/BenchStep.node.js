/**
 * The steps of a measured workflow, inside n8n: what comes between `rows` or `file` and `mark` is measured;
 * `meter` reads what the whole process used so far, `given` puts out items from a file.
 */
const { createReadStream, readFileSync, writeFileSync } = require('node:fs');
const { constants, PerformanceObserver } = require('node:perf_hooks');
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
 * @type {Array<{ from: number, to: number }>} */
let collections = [];
const collectionObserver = new PerformanceObserver((list) => addCollections(list.getEntries()));
collectionObserver.observe({ entryTypes: ['gc'] });
let lastTurn = 0;
let cpuAtStart = process.cpuUsage();
let cpuAtTurn = cpuAtStart;
/** @type {NodeJS.Timeout | undefined} */
let ticking;

/** @param {Array<{ startTime: number, duration: number, detail?: { kind?: number } }>} entries */
function addCollections(entries) {
	for (const { detail, startTime, duration } of entries) {
		if (detail?.kind !== constants.NODE_PERFORMANCE_GC_MAJOR) continue;
		const from = performance.timeOrigin + startTime;
		collections.push({ from, to: from + duration });
	}
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

function begin() {
	resetPeak();
	memoryAtStart = kilobytes('VmRSS');
	watchNodes();
	stalls = [];
	collections = [];
	works = [];
	lastTurn = Date.now();
	cpuAtStart = cpuAtTurn = process.cpuUsage();
	ticking = setInterval(turn, 1);
	startedAt = performance.now();
}

/** The nodes whose own time is watched: what n8n does before and after them is not theirs. */
const WATCHED = /\/(NativeBulkImport|NativeCanvassResponse|ConvertToFile|Compression)\.node\.js$/;

/** When watched nodes worked.
 * @type {Array<{ from: number, to: number }>} */
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
				const from = Date.now();
				const output = await execute.apply(this, given);
				works.push({ from, to: Date.now() });
				return output;
			};
		}
	}
}

/** How long two spans of time overlap; 0 or less if they do not.
 * @param {{ from: number, to: number }} one
 * @param {{ from: number, to: number }} other */
const overlap = (one, other) => Math.min(one.to, other.to) - Math.max(one.from, other.from);

/** The longest time in which a node kept the event loop from turning, without major collections. */
function longestStall() {
	const lengths = works.flatMap((work) =>
		stalls.map((stall) => {
			const within = { from: Math.max(stall.from, work.from), to: Math.min(stall.to, work.to) };
			const collecting = collections.map((collection) => Math.max(0, overlap(collection, within)));
			return within.to - within.from - collecting.reduce((sum, ms) => sum + ms, 0);
		}),
	);
	return Math.max(0, ...lengths);
}

/** The longest major collection while a node worked. */
function longestCollection() {
	const lengths = works.flatMap((work) => collections.map((each) => overlap(each, work)));
	return Math.max(0, ...lengths);
}

function measured() {
	const ms = performance.now() - startedAt;
	const { user, system } = process.cpuUsage(cpuAtStart);
	clearInterval(ticking);
	turn();
	addCollections(collectionObserver.takeRecords());
	return {
		ms,
		cpuMs: (user + system) / 1000,
		kilobytes: kilobytes('VmHWM') - memoryAtStart,
		stallMs: longestStall(),
		collectionMs: longestCollection(),
		watched: works.length,
	};
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
			{ displayName: 'Path', name: 'path', type: 'string', default: '' },
		],
	};

	/** @this {import('n8n-workflow').IExecuteFunctions} */
	async execute() {
		const step = this.getNodeParameter('step', 0);
		if (step === 'mark') {
			const result = measured();
			return [[{ json: { ...result, first: this.getInputData()[0]?.json ?? {} } }]];
		}
		if (step === 'meter') return [[{ json: meter() }]];
		if (step === 'given') {
			/** @type {import('n8n-workflow').IDataObject[]} */
			const given = JSON.parse(readFileSync(String(this.getNodeParameter('path', 0)), 'utf8'));
			return [given.map((json) => ({ json }))];
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
		return [items];
	}
}

module.exports = { BenchStep };

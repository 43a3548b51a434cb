import { countBy } from 'lodash';
import { type IExecuteFunctions, type INodeProperties, sleep } from 'n8n-workflow';

import { InvalidInput } from '../service/invalidInput';
import { endpoints, type PreparedCall } from '../service/endpoints';
import type { NativeService } from '../service/nativeService';
import { comparableName } from '../service/nearestName';
import { ServiceError } from '../service/serviceErrors';
import { systemClock } from '../transport/clock';
import { asItems } from './itemResult';
import { NodeMemory, takeTurn } from './nodeMemory';
import type { ItemContext } from './operation';
import type { Attempted } from './runHistory';
import { placeOf, SentRecords, THERE } from './sentRecord';

const LONGEST_RUN_MS = 60 * 60_000;
/** `$today` of a run at its end, in the zone that is furthest from that of n8n. */
const FURTHEST_ZONE_MS = 48 * 60 * 60_000;

const LABEL = 'Send Once Key';
const NAME = 'sendOnceKey';

/** n8n reads all of them for each group of items: docs/performance.md. */
const MOST_KEYS = 20_000;
const TEXTS_OF_KEY = 4;

export const sendOnceOption: INodeProperties = {
	displayName: LABEL,
	name: NAME,
	type: 'string',
	default: '',
	placeholder: 'e.g. {{ $json.callId }}',
	description:
		'A text that only this item has, e.g. the ID of a call. An item whose key this node has sent before is not sent again, even after a crash. n8n remembers the last 20,000 keys.',
};

/** The expressions in an entered text, and the text without them. */
function splitExpressions(entered: string): { parts: string[]; rest: string } {
	const parts: string[] = [];
	let rest = '';
	let from = 0;
	for (;;) {
		const start = entered.indexOf('{{', from);
		const end = start < 0 ? -1 : entered.indexOf('}}', start + 2);
		if (end < 0) return { parts, rest: rest + entered.slice(from) };
		parts.push(entered.slice(start, end + 2));
		rest += entered.slice(from, start);
		from = end + 2;
	}
}

function reject(text: string): InvalidInput {
	return new InvalidInput([{ field: LABEL, text }]);
}

/** Whether a part of a key tells nothing: other items without it have the same key. */
function isBlank(value: unknown): boolean {
	const isMissing = value === undefined || value === null || Number.isNaN(value);
	return isMissing || comparableName(String(value)) === '';
}

/** What an expression adds to a text where it has no value; `null@example.org` is one. */
const NO_VALUE = /undefined|(null|\bNaN)(?![\w@.])|\[object Object\]/;

/** The key of an item with what it is sent to; undefined if the user entered none. Throws InvalidInput. */
export function sendOnceKey(
	{ functions, parameters, service }: ItemContext,
	{ endpoint }: PreparedCall,
): string | undefined {
	const entered = String(parameters.unevaluated(`options.${NAME}`) ?? '');
	if (entered === '') return undefined;
	const hasParts = entered.includes('{{');
	const isSame = !(hasParts && entered.startsWith('='));
	if (isSame && (hasParts || functions.getInputData().length > 1))
		throw reject(
			'is the same for all items, so only the first would be sent. Enter an expression, e.g. {{ $json.callId }}.',
		);
	const key = parameters.in('options').text(NAME);
	const { parts, rest } = splitExpressions(isSame ? '' : entered.slice(1));
	const lacksPart =
		parts.length > 1 &&
		parts.some((part) => isBlank(functions.evaluateExpression(part, parameters.itemIndex)));
	if (lacksPart || key === rest.trim() || NO_VALUE.test(key))
		throw reject(
			'is an expression without a value for this item, so it would not protect it. Correct it.',
		);
	return JSON.stringify([service.target.identity, endpoint.method, endpoint.path, key]);
}

const TIME = /\d{4}-\d\d-\d\d(?:T[\d:.]+(Z|[+-]\d\d:\d\d)?)?|\b\d{10}(?:\d{3})?\b/g;

/**
 * Removes times of the run, such as `$now`, which differ between items that are the same.
 * @param zoneMs how far a date or a time without a zone may be off
 */
function withoutRunTimes(text: string, zoneMs = 0): string {
	const now = Date.now();
	return text.replace(TIME, (time, zone?: string) => {
		const isDate = time.includes('-');
		const ms = isDate ? Date.parse(time) : Number(time.padEnd(13, '0'));
		const hasZone = !isDate || zone !== undefined;
		return Math.abs(ms - now) < LONGEST_RUN_MS + (hasZone ? 0 : zoneMs) ? '' : time;
	});
}

export class OnceKeys {
	private readonly calls = new Map<string, { content: string; item: number }>();

	/** Throws InvalidInput for a key of an earlier item that sends something else. */
	add(key: string, { path, query, body }: PreparedCall, item: number): void {
		const content = withoutRunTimes(JSON.stringify([path, query, body]));
		const first = this.calls.get(key) ?? { content, item };
		this.calls.set(key, first);
		if (first.content === content) return;
		throw reject(
			`is the same as that of item ${first.item + 1}, which sends something else, so this one would not be sent. Enter a permanent ID of each item, e.g. {{ $json.callId }}.`,
		);
	}
}

const known = (key: string) => `${key} known`;
const inDoubt = (key: string) => `${key} in doubt`;

const content = (sign: string) => `content ${sign}`;
/** Several keys sent the same: one record in the service tells nothing about one of them. */
const shared = (sign: string) => `shared ${sign}`;

/** An item with a key. */
interface KeyedItem {
	key: string;
	/** One of them tells it from another item with its key; none for a job, which has other texts in each run. */
	signs: readonly string[];
	/** What was to be sent, to look for it. */
	call: PreparedCall;
}

export function signsOf({ endpoint, path, query, body }: PreparedCall): string[] {
	if (endpoint === endpoints.createBulkImportJob) return [];
	const content = JSON.stringify([path, query, body]);
	// A time near this run may be that of the run or of the item; that of the item is still the same later.
	return [...new Set([content, withoutRunTimes(content, FURTHEST_ZONE_MS)])];
}

function ofSigns({ key, signs }: KeyedItem): string[] {
	return signs.map((sign) => `${key} ${sign}`);
}

function doubt(call: PreparedCall, reason: string): ServiceError {
	return new ServiceError({
		message: 'This item was not sent again, because an earlier run may have sent it',
		description: `That run ended before the outcome was known, or is still running in another process. ${reason} If that run has ended, check the service for ${placeOf(call)}. If it is not there, send the item with another ${LABEL}.`,
		outcomeUnknown: true,
	});
}

const OTHER_ITEM = new ServiceError({
	message: `This item was not sent, because an earlier run sent something else with its ${LABEL}`,
	description:
		'If that was the same record with other values, change it with an operation that updates. Otherwise enter a permanent ID of each item, e.g. {{ $json.callId }}, and send the item again. A row number, an index or a fixed text repeats in the next run.',
	outcomeUnknown: false,
});

interface Looked {
	state: 'new' | 'sent' | 'inDoubt' | 'ofOther';
	/** Looking for a text has remembered it. */
	newTexts: string[];
}

interface Waiting extends KeyedItem {
	resolve: (looked: Looked) => void;
	reject: (error: unknown) => void;
}

/** Forgets the key of an item that was sent and came to nothing, so that it can be sent again. */
export async function forgetKey(item: ItemContext, call: PreparedCall): Promise<void> {
	const key = sendOnceKey(item, call);
	if (key !== undefined) await new NodeMemory(item.functions, LABEL).remove([known(key)]);
}

/**
 * Sends items whose keys are new. A key is remembered as in doubt from before its item is sent until the
 * outcome is known. n8n reads and writes all keys each time, so items go in groups.
 */
export class SendOnce {
	private readonly memory: NodeMemory;
	private waiting: Waiting[] = [];
	private toForget: Array<{ texts: string[]; end: () => void }> = [];
	private working: Promise<void> | undefined;
	private readonly records: SentRecords;

	/** Throws InvalidInput if there are more keys than n8n can remember. */
	constructor(
		private readonly functions: IExecuteFunctions,
		service: NativeService,
		items: number,
	) {
		this.memory = new NodeMemory(functions, LABEL);
		this.records = new SentRecords(service);
		if (items <= MOST_KEYS) return;
		throw reject('works for up to 20,000 items in a run. Split the list over several nodes.');
	}

	async send(item: KeyedItem, send: () => Promise<Attempted>): Promise<Attempted> {
		const { functions } = this;
		const { key } = item;
		const signal = functions.getExecutionCancelSignal();
		const end = await takeTurn(`${functions.getNode().id} ${key}`, signal);
		const texts: string[] = [];
		try {
			const { state, newTexts } = await new Promise<Looked>((resolve, reject) => {
				this.waiting.push({ ...item, resolve, reject });
				this.working ??= this.work();
			});
			if (state === 'new') {
				const attempted = await send();
				if (attempted.effect !== 'unknown') texts.push(inDoubt(key));
				if (attempted.effect === 'none') texts.push(known(key), ...newTexts);
				return attempted;
			}
			const reason = state === 'inDoubt' ? await this.whyInDoubt(item, newTexts) : undefined;
			if (reason !== undefined) {
				texts.push(...newTexts);
				return { result: { error: doubt(item.call, reason) }, effect: 'unknown' };
			}
			texts.push(inDoubt(key), ...newTexts);
			const result =
				state === 'ofOther' ? { error: OTHER_ITEM } : { value: asItems({ alreadySent: true }) };
			return { result, effect: 'none' };
		} finally {
			this.toForget.push({ texts, end });
			this.working ??= this.work();
		}
	}

	/**
	 * Asks the service for an item in doubt: undefined if it has it. Otherwise the item stays in doubt, because
	 * a record can be missing in a list, or differ in how its values are written.
	 */
	private async whyInDoubt(
		{ signs, call }: KeyedItem,
		newTexts: readonly string[],
	): Promise<string | undefined> {
		const [sign, ofOtherTime] = signs;
		// With a time of this run, it differs from what an earlier one may have sent.
		if (ofOtherTime !== undefined)
			return 'The node cannot check this in the service, because the item has a time close to that of the run.';
		if (sign === undefined) return 'The service does not list what was sent.';
		if (newTexts.includes(content(sign)))
			return 'The node cannot check this in the service, because the item had other values in that run.';
		const answer = await this.records.find(call);
		if (answer !== THERE) return answer;
		const text = shared(sign);
		const isShared = (await this.memory.add([text])).has(text);
		if (!isShared) await this.memory.remove([text]);
		return isShared
			? 'The node cannot check this in the service, because items with other keys have the same values.'
			: undefined;
	}

	/** Waits until n8n remembers all outcomes. */
	async end(): Promise<void> {
		await this.working;
	}

	private async work(): Promise<void> {
		let pauseMs = 0;
		do {
			await sleep(pauseMs);
			const { waiting, toForget } = this;
			const begunAt = systemClock.now();
			this.waiting = [];
			this.toForget = [];
			try {
				const texts = toForget.flatMap((each) => each.texts);
				if (texts.length > 0) await this.memory.remove(texts);
				if (waiting.length > 0) await this.begin(waiting);
			} catch (error) {
				// What cannot be forgotten stays in doubt, which is safe.
				this.functions.logger.warn(`n8n could not remember what was sent: ${String(error)}`);
				for (const { reject } of waiting) reject(error);
			}
			for (const { end } of toForget) end();
			// The rest of n8n continues in the meantime.
			pauseMs = 3 * (systemClock.now() - begunAt);
		} while (this.waiting.length > 0 || this.toForget.length > 0);
		this.working = undefined;
	}

	private async begin(waiting: readonly Waiting[]): Promise<void> {
		const textsOf = (item: KeyedItem) => [
			...ofSigns(item),
			...item.signs.slice(0, 1).map((sign) => content(sign)),
		];
		const texts = waiting.flatMap((item) => [known(item.key), inDoubt(item.key), ...textsOf(item)]);
		const before = await this.memory.add(texts, TEXTS_OF_KEY * MOST_KEYS);
		const stateOf = (key: string, isItem: boolean): Looked['state'] => {
			if (before.has(inDoubt(key))) return 'inDoubt';
			if (!before.has(known(key))) return 'new';
			return isItem ? 'sent' : 'ofOther';
		};
		const newItems = waiting.filter(({ key }) => !before.has(known(key)));
		const counts = countBy(newItems, ({ signs: [sign = ''] }) => sign);
		const isShared = (sign: string) => before.has(content(sign)) || (counts[sign] ?? 0) > 1;
		const same = newItems.flatMap(({ signs: [sign] }) =>
			sign !== undefined && isShared(sign) ? shared(sign) : [],
		);
		if (same.length > 0) await this.memory.add(same);
		for (const { resolve, ...item } of waiting) {
			const signs = ofSigns(item);
			const isItem = signs.length === 0 || signs.some((sign) => before.has(sign));
			const newTexts = textsOf(item).filter((text) => !before.has(text));
			resolve({ state: stateOf(item.key, isItem), newTexts });
		}
	}
}

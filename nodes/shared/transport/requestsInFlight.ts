import type { Clock } from './clock';

/** Never more requests than this at a time, however slow the service is. */
export const MOST_IN_FLIGHT = 500;

/** Room to spare: response times vary. */
const SPARE_FACTOR = 1.5;
const SPARE_REQUESTS = 10;

/** The response times are judged over so long, in milliseconds, and over a full round of requests. */
const PERIOD_MS = 1000;

/** A service that responds to this share of the requests of a period keeps up with them. */
const KEEPS_UP = 0.9;
/** A limit that is not needed is lowered by this factor in a period. */
const LOWER = 0.8;

/** A limit that is reached is raised by this factor … */
const RAISE = 1.5;
/** … and stays raised if at least this many times more responses arrive. */
const LEAST_GAIN = 1.2;
/** Otherwise the next try comes after so many periods. */
const PERIODS_BETWEEN_TRIES = 10;

/**
 * How many requests may be under way at a time: the rate limit × the response time, with room to spare.
 *
 * A service that responds later under load is not sent more: once the limit is reached, it follows the
 * response time from before, and is raised only as far as that brings more responses.
 */
export class RequestsInFlight {
	private count = 0;
	private limit: number;
	/** What a response took while the service kept up; at first the quickest. */
	private usualMs = Number.POSITIVE_INFINITY;
	private keptUpBefore = false;
	private periodBegan: number;
	private periodRequests = 0;
	private periodResponses = 0;
	private periodResponseMs = 0;
	private periodWasFull = false;
	/** Responses per millisecond before the limit was raised; undefined if it was not. */
	private beforeRaise: number | undefined;
	private wasReached = false;
	private periodsToWait = 0;

	/** @param perSecond requests that may be sent in a second */
	constructor(
		private readonly clock: Clock,
		private perSecond: number,
	) {
		// Until more is known: as if the response took a second.
		this.limit = this.limitFor(PERIOD_MS);
		this.periodBegan = clock.now();
	}

	/** Whether the next request has to wait for the end of another. */
	get isFull(): boolean {
		return this.count >= this.limit;
	}

	setRate(perSecond: number): void {
		if (perSecond === this.perSecond) return;
		this.perSecond = perSecond;
		this.limit = Math.max(this.limit, this.limitFor(PERIOD_MS));
	}

	/** A request is sent. */
	start(): void {
		if (this.count === 0) this.startPeriod(this.clock.now());
		this.count++;
		this.periodRequests++;
		this.periodWasFull ||= this.isFull;
	}

	/** It has ended. @param responseMs how long the response took; undefined if there was none */
	end(responseMs: number | undefined): void {
		this.count--;
		if (responseMs === undefined) return;
		this.periodResponses++;
		this.periodResponseMs += responseMs;
		if (!this.keptUpBefore) this.usualMs = Math.min(this.usualMs, responseMs);
		const now = this.clock.now();
		const elapsed = now - this.periodBegan;
		// A raised limit shows only in the responses of the second round.
		const rounds = this.beforeRaise === undefined ? 1 / RAISE : 2;
		if (elapsed < PERIOD_MS || this.periodResponses < rounds * this.limit) return;
		const keepsUp = this.periodResponses >= KEEPS_UP * this.periodRequests;
		if (keepsUp && !this.periodWasFull) this.follow(this.periodResponseMs / this.periodResponses);
		else this.adjust(this.periodResponses / elapsed);
		this.startPeriod(now);
	}

	/** The pace was kept: the response time says how many requests that takes. */
	private follow(responseMs: number): void {
		this.limit = Math.max(this.limitFor(responseMs), LOWER * this.limit);
		this.usualMs = responseMs;
		this.keptUpBefore = true;
		this.wasReached = false;
		this.beforeRaise = undefined;
	}

	/** The limit held requests back, or responses fall behind. */
	private adjust(responsesPerMs: number): void {
		if (!this.wasReached) {
			this.wasReached = true;
			this.limit = Math.min(this.limit, this.limitFor(this.usualMs));
			return;
		}
		if (this.beforeRaise !== undefined && responsesPerMs < LEAST_GAIN * this.beforeRaise) {
			this.limit /= RAISE;
			this.beforeRaise = undefined;
			this.periodsToWait = PERIODS_BETWEEN_TRIES;
		} else if (this.periodsToWait-- <= 0) {
			this.beforeRaise = responsesPerMs;
			this.limit = Math.min(MOST_IN_FLIGHT, RAISE * this.limit);
		}
	}

	private limitFor(responseMs: number): number {
		const usual = (this.perSecond * responseMs) / 1000;
		return Math.min(MOST_IN_FLIGHT, SPARE_FACTOR * usual + SPARE_REQUESTS);
	}

	private startPeriod(now: number): void {
		this.periodBegan = now;
		this.periodRequests = 0;
		this.periodResponses = 0;
		this.periodResponseMs = 0;
		this.periodWasFull = this.isFull;
	}
}

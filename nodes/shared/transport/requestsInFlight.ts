import type { Clock } from './clock';

/** However slow the service is. */
export const MOST_IN_FLIGHT = 500;

/** Room to spare: response times vary. */
const SPARE_FACTOR = 1.5;
const SPARE_REQUESTS = 10;
/** Response times are judged over this many milliseconds and a full round of requests. */
const PERIOD_MS = 1000;
/** A service that responds to this share of a period's requests keeps up. */
const KEEPS_UP = 0.9;
/** Factor that lowers an unused limit per period. */
const LOWER = 0.8;
/** Factor that raises a limit that was reached … */
const RAISE = 1.5;
/** … and stays raised if responses increase at least by this factor. */
const LEAST_GAIN = 1.2;
/** Otherwise the next try comes after this many periods. */
const PERIODS_BETWEEN_TRIES = 10;

/**
 * Limits the requests in flight: the rate limit × the response time, with room to spare.
 *
 * A service that responds later under load gets no more requests: once reached, the limit follows the
 * earlier response time and is raised only while that brings more responses.
 */
export class RequestsInFlight {
	private count = 0;
	private limit: number;
	/** Response time while the service keeps up; at first the quickest. */
	private usualMs = Number.POSITIVE_INFINITY;
	private keptUpBefore = false;
	private periodBegan: number;
	private periodRequests = 0;
	private periodResponses = 0;
	private periodResponseMs = 0;
	private periodWasFull = false;
	/** Responses per millisecond before the limit was raised, if it was. */
	private beforeRaise: number | undefined;
	private wasReached = false;
	private periodsToWait = 0;

	constructor(
		private readonly clock: Clock,
		private perSecond: number,
	) {
		// Until more is known, assume a response time of one second.
		this.limit = this.limitFor(PERIOD_MS);
		this.periodBegan = clock.now();
	}

	get isFull(): boolean {
		return this.count >= this.limit;
	}

	setRate(perSecond: number): void {
		if (perSecond === this.perSecond) return;
		this.perSecond = perSecond;
		this.limit = Math.max(this.limit, this.limitFor(PERIOD_MS));
	}

	start(): void {
		if (this.count === 0) this.startPeriod(this.clock.now());
		this.count++;
		this.periodRequests++;
		this.periodWasFull ||= this.isFull;
	}

	/** @param responseMs undefined if there was no response */
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

	/** The service kept up: the response time gives the limit. */
	private follow(responseMs: number): void {
		this.limit = Math.max(this.limitFor(responseMs), LOWER * this.limit);
		this.usualMs = responseMs;
		this.keptUpBefore = true;
		this.wasReached = false;
		this.beforeRaise = undefined;
	}

	/** The limit held requests back, or responses are late. */
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

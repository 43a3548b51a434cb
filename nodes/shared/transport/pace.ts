/** Settings of the rate limiter, chosen by the simulation in bench/pace; bench/pace/results.md compares others. */
export const defaultPace = {
	/** Lengthens the service's window: jitter must not squeeze one call too many into it. */
	spacing: 1.005,
	/**
	 * A process alone on the key starts the calls of a window in this many groups: waking up for each
	 * costs it more processor time than the requests. They divide the window, or a group would find room
	 * for a part of its calls and fall apart. Larger ones need a longer delay over https, where the last
	 * of a group arrives after the handshakes of the others.
	 */
	groups: 40,
	/**
	 * Milliseconds from the moment the service's window has room for a group until the group starts.
	 * They take the place of `spacing`, and let the last of the group find room too.
	 */
	groupDelayMs: 6,
	/** How late a limiter that overslept may run and still catch up; the window check still applies. */
	catchUpMs: 250,
	/** The most a slow call counts as having arrived late: longer delays are the service's own work. */
	longestLatenessMs: 40,
	/** Share of the difference by which the usual latency follows a quicker response … */
	usualFall: 0.5,
	/** … and a slower one; small, to keep delayed calls from becoming the usual ones. */
	usualRise: 0.01,
	/**
	 * Calls the service could have accepted without a rejection before a process tries for more. Fewer
	 * find room sooner and cost more rejections.
	 */
	holdCalls: 400,
	/** The same after a probe that succeeded at once: there is probably room. */
	firstHoldCalls: 20,
	/** Both, and those between probes, for a process that has just joined others … */
	newHoldCalls: 10,
	/** … which counts as new for as long as the service could accept this many calls. */
	newCalls: 400,
	/**
	 * Milliseconds that a process with the whole limit would wait beyond that if it shared the key for
	 * long; one with a part of it waits that part of them. The smaller shares grow first.
	 */
	patienceMs: 4000,
	/** A key that was shared for this many milliseconds will probably stay shared. */
	patientAfterMs: 8000,
	/** Factor from one try for more calls to the next, while the service accepts them. */
	growth: 2,
	/** The next try waits for the responses to the one before, but no longer than this. */
	longestTryMs: 300,
	/**
	 * A rejection after this many milliseconds without one takes nothing from a process with the whole
	 * limit: another process on the key would cause a rejection every second.
	 */
	isolatedAfterMs: 2500,
	/** Calls the service could accept between the first probes of a process without a quota. */
	firstProbeCalls: 25,
	/** The same after failed probes; fewer find a slot sooner and cost more rejections. */
	probeCalls: 100,
	/** From the moment a slot opens to the probe. */
	probeDelayMs: 18,
};

export type Pace = typeof defaultPace;

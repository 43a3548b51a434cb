/** Settings of the rate limiter, chosen by the simulation in bench/pace; bench/pace/results.md compares others. */
export interface Pace {
	/**
	 * Factor by which the service's window is lengthened: jitter of clocks and network must not squeeze
	 * one call too many into it.
	 */
	spacing: number;
	/**
	 * A process alone on the key starts the calls of a window in so many groups: to wake up for each
	 * costs it more processor time than the requests. They divide the window, or a group would find room
	 * for a part of its calls and fall apart. Larger ones need a longer delay over https, where the last
	 * of a group arrives after the handshakes of the others.
	 */
	groups: number;
	/**
	 * Milliseconds from the moment the service's window has room for a group until the group starts.
	 * They take the place of `spacing`, and let the last of the group find room too.
	 */
	groupDelayMs: number;
	/**
	 * How late a limiter that overslept may run and still catch up, in milliseconds. The window check
	 * still keeps every second within the quota.
	 */
	catchUpMs: number;
	/**
	 * The most a call is assumed to have arrived late if its response was slow, in milliseconds: longer
	 * delays are the service's own work, which must not cost throughput.
	 */
	longestLatenessMs: number;
	/**
	 * How far the usual latency follows a quicker response, as a share of the difference: one that was
	 * quick by chance has little effect.
	 */
	usualFall: number;
	/** The same for slower responses; small, to keep delayed calls from becoming the usual ones. */
	usualRise: number;
	/**
	 * Calls the service could have accepted without a rejection before a process tries for more. Fewer
	 * find room sooner and cost more rejections.
	 */
	holdCalls: number;
	/** The same after a probe that succeeded at once: there is probably room. */
	firstHoldCalls: number;
	/** Both, and those between probes, for a process that has just joined others … */
	newHoldCalls: number;
	/** … which counts as new for as long as the service could accept so many calls. */
	newCalls: number;
	/**
	 * Milliseconds that a process with the whole limit would wait beyond that if it shared the key for
	 * long; one with a part of it waits that part of them. The smaller shares grow first.
	 */
	patienceMs: number;
	/** A key shared for so many milliseconds will probably go on being shared. */
	patientAfterMs: number;
	/** Factor from one try for more calls to the next, while the service accepts them. */
	growth: number;
	/** The next try waits for the responses to the one before, but no longer than this many milliseconds. */
	longestTryMs: number;
	/**
	 * A rejection after so many milliseconds without one takes nothing from a process with the whole
	 * limit: another process on the key would cause a rejection every second.
	 */
	isolatedAfterMs: number;
	/** Calls the service could accept between the first probes of a process without a quota. */
	firstProbeCalls: number;
	/** The same after failed probes; fewer find a slot sooner and cost more rejections. */
	probeCalls: number;
	/** Milliseconds by which a probe follows the moment a slot opens. */
	probeDelayMs: number;
}

export const defaultPace: Pace = {
	spacing: 1.005,
	groups: 40,
	groupDelayMs: 6,
	catchUpMs: 250,
	longestLatenessMs: 40,
	usualFall: 0.5,
	usualRise: 0.01,
	holdCalls: 400,
	firstHoldCalls: 20,
	newHoldCalls: 10,
	newCalls: 400,
	patienceMs: 4000,
	patientAfterMs: 8000,
	growth: 2,
	longestTryMs: 300,
	isolatedAfterMs: 2500,
	firstProbeCalls: 25,
	probeCalls: 100,
	probeDelayMs: 18,
};

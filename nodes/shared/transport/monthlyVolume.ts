/** The monthly volume is used up; the call was not sent. */
export class VolumeUsedUp extends Error {
	constructor() {
		super('The monthly volume is used up.');
		this.name = 'VolumeUsedUp';
	}
}

/** Counts a key's requests in the calendar month (UTC), in the memory of this process. */
export class MonthlyVolume {
	private month = '';
	private count = 0;

	/** @param wallClock milliseconds since 1970 */
	constructor(private readonly wallClock: () => number) {}

	get used(): number {
		const month = new Date(this.wallClock()).toISOString().slice(0, 7);
		if (month !== this.month) this.count = 0;
		this.month = month;
		return this.count;
	}

	/** Counts one request. Throws {@link VolumeUsedUp} if `limit` is reached. */
	countRequest(limit: number): void {
		if (this.used >= limit) throw new VolumeUsedUp();
		this.count++;
	}
}

const volumes = new Map<string, MonthlyVolume>();

/**
 * The count shared by all nodes of this process for one key.
 * @param identity base URL and key; it never leaves this map
 */
export function sharedMonthlyVolume(identity: string, wallClock: () => number): MonthlyVolume {
	const volume = volumes.get(identity) ?? new MonthlyVolume(wallClock);
	volumes.set(identity, volume);
	return volume;
}

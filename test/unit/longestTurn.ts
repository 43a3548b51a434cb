function cpuMs(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1000;
}

/**
 * The longest time in milliseconds for which work keeps n8n from other work: of the processor, because
 * other programs may have it in between.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
	let longest = 0;
	let last = cpuMs();
	let isDone = false;
	const look = (): void => {
		const now = cpuMs();
		longest = Math.max(longest, now - last);
		last = now;
		if (!isDone) setImmediate(look);
	};
	setImmediate(look);
	await work();
	isDone = true;
	look();
	return longest;
}

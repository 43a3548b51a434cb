const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** 127.0.0.0/8 inside IPv6, the unspecified address, names below localhost; their http is not trusted. */
const THIS_MACHINE =
	/^(([^.]+\.)*localhost\.?|0\.0\.0\.0|\[::\]|\[::(ffff:(0:)?)?(7f[\da-f]{2}:[\da-f]{1,4}|0:0)\])$/i;

function isLoopback({ hostname }: URL): boolean {
	return LOOPBACK.test(hostname);
}

function isThisMachine(url: URL): boolean {
	return isLoopback(url) || THIS_MACHINE.test(url.hostname);
}

/** Whether a URL may carry secrets: https, or http to this machine. */
export function isProtectedAddress(url: URL): boolean {
	return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url));
}

/** Whether a link points to n8n's own machine while the service is elsewhere. */
export function leadsToThisMachine(link: URL, serviceRoot: string): boolean {
	return isThisMachine(link) && !isThisMachine(new URL(serviceRoot));
}

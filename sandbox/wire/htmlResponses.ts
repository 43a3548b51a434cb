/**
 * Responses that do not come from the service but from the servers in front of it (service.md 1.4):
 * clients must cope with HTML where they expect JSON.
 */
export interface HtmlResponse {
	status: number;
	html: string;
	location?: string;
}

function page(title: string, text: string): string {
	return `<!DOCTYPE html>\r\n<html><head><title>${title}</title></head>\r\n<body><h1>${title}</h1><p>${text}</p></body></html>\r\n`;
}

export const NOT_FOUND_PAGE: HtmlResponse = {
	status: 404,
	html: page(
		'404 - File or directory not found.',
		'The resource you are looking for might have been removed, had its name changed, or is temporarily unavailable.',
	),
};

export const BAD_REQUEST_PAGE: HtmlResponse = {
	status: 400,
	html: page('400 Bad Request', 'cloudflare'),
};

export const ERROR_PAGE: HtmlResponse = {
	status: 200,
	html: page('Error', 'An unexpected error has occurred.'),
};

export const REDIRECT_TO_ERROR_PAGE: HtmlResponse = {
	status: 302,
	location: '/Error.aspx?aspxerrorpath=/',
	html: page('Object moved', 'Object moved to <a href="/Error.aspx">here</a>.'),
};

export function serverErrorPage(status: number): HtmlResponse {
	const titles: Record<number, string> = {
		500: 'Runtime Error',
		502: 'Bad Gateway',
		503: 'Service Unavailable',
		504: 'Gateway Time-out',
	};
	const title = `${status} ${titles[status] ?? 'Error'}`;
	return { status, html: page(title, 'Please try again later.') };
}

/** Thrown where a path matches no route of the service, so that the front server responds. */
export class HtmlRejected extends Error {
	constructor(readonly response: HtmlResponse) {
		super(`HTML ${response.status}`);
	}
}

const MAX_QUERY_CHARACTERS = 2048;

/** Requests that never reach the service; undefined for all others. */
export function frontServerResponse(url: string): HtmlResponse | undefined {
	const [, path = '', query = ''] = /^([^?]*)\??(.*)$/s.exec(url) ?? [];
	let decoded: string;
	try {
		decoded = decodeURIComponent(path);
	} catch {
		return BAD_REQUEST_PAGE;
	}
	if (decoded.includes('\0')) return BAD_REQUEST_PAGE;
	if (/[<>*&]/.test(decoded)) return REDIRECT_TO_ERROR_PAGE;
	return query.length > MAX_QUERY_CHARACTERS ? NOT_FOUND_PAGE : undefined;
}

import type { FastifyInstance, FastifyReply } from 'fastify';
import { carriesApiCredentials } from '../tenants/authentication';
import type { ResultLinks } from './resultLinks';
import { readForm, type FormPart } from './multipartForm';

const MAX_UPLOAD_BYTES = 120 * 1000 * 1000;

/** What file hosts return: XML, not the service's envelope. */
function xmlError(reply: FastifyReply, status: number, code: string): FastifyReply {
	return reply
		.code(status)
		.header('content-type', 'application/xml')
		.send(`<?xml version="1.0" encoding="utf-8"?><Error><Code>${code}</Code></Error>`);
}

export interface DropFile {
	content: Buffer;
	contentType: string;
}

/** What the file hosts hold. */
export interface FileHosts {
	/** Uploaded files by name. */
	drop: Map<string, DropFile>;
	resultLinks: ResultLinks;
	/** Where requests are counted that carry the API key to a file host. */
	log: { leakedCredentials: number };
	/** Scheme, host and port of result and drop links. */
	linkBase(): string;
}

interface DropFileRequest {
	Params: { '*': string };
	/** The query of a pre-signed upload. */
	Querystring: { sig?: string };
}

/**
 * Plays the user's own file host (`/drop`) and the storage behind result links (`/results`).
 * Neither may ever be sent the API key: a request with it is rejected and counted.
 */
export function registerFileHosts(app: FastifyInstance, state: FileHosts): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		'*',
		{ parseAs: 'buffer', bodyLimit: MAX_UPLOAD_BYTES },
		(_request, body, done) => done(null, body),
	);

	app.addHook('onRequest', async (request, reply) => {
		const isResult = request.url.startsWith('/results/');
		// Result links are pre-signed: any credentials at all are a mistake there.
		const leaks = isResult
			? request.headers.authorization !== undefined || request.headers.apikey !== undefined
			: carriesApiCredentials(request.headers);
		if (!leaks) return;
		state.log.leakedCredentials++;
		return xmlError(reply, 400, 'CredentialsNotExpected');
	});

	const markServed = (reply: FastifyReply): FastifyReply => {
		if (reply.request.logEntry) reply.request.logEntry.executed = true;
		return reply;
	};
	const storeFile = (name: string, content: Buffer, contentType: string, reply: FastifyReply) => {
		state.drop.set(name, { content, contentType });
		const url = `${state.linkBase()}/drop/${name}`;
		return markServed(reply).code(201).header('location', url).send({ url });
	};

	app.put<DropFileRequest>('/drop/*', async (request, reply) => {
		if (!request.query.sig) return xmlError(reply, 403, 'AccessDenied');
		if (!Buffer.isBuffer(request.body)) return xmlError(reply, 411, 'MissingContentLength');
		const contentType = request.headers['content-type'] ?? 'application/octet-stream';
		return storeFile(request.params['*'], request.body, contentType, reply);
	});

	/** Multipart form as browsers and object stores use it; field `key` names the file. */
	app.post('/drop', async (request, reply) => {
		const contentType = request.headers['content-type'] ?? '';
		if (!contentType.startsWith('multipart/form-data') || !Buffer.isBuffer(request.body)) {
			return xmlError(reply, 415, 'MalformedPOSTRequest');
		}
		if (request.headers['content-length'] === undefined)
			return xmlError(reply, 411, 'MissingContentLength');
		let form: FormPart[];
		try {
			form = readForm(contentType, request.body);
		} catch {
			return xmlError(reply, 400, 'MalformedPOSTRequest');
		}
		const file = form.at(-1);
		const key = form.find(({ name }) => name === 'key')?.content.toString('utf8') ?? '${filename}';
		const name = key.replace('${filename}', file?.fileName ?? '');
		return storeFile(name, file?.content ?? Buffer.alloc(0), file?.contentType ?? '', reply);
	});

	app.get<DropFileRequest>('/drop/*', async (request, reply) => {
		const file = state.drop.get(request.params['*']);
		if (!file) return xmlError(reply, 404, 'NoSuchKey');
		return markServed(reply).header('content-type', file.contentType).send(file.content);
	});

	app.get<DropFileRequest>('/results/*', async (request, reply) => {
		const result = state.resultLinks.read(request.params['*']);
		if (result.status !== 200) {
			const code = result.status === 403 ? 'AuthenticationFailed' : 'NoSuchKey';
			return xmlError(reply, result.status, code);
		}
		return markServed(reply).header('content-type', 'text/csv; charset=utf-8').send(result.content);
	});
}

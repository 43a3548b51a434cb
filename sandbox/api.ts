import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ApiCall, ApiResponse, HttpMethod, Route } from './routes/apiCall';
import { keyOf, unauthorized, type DatabaseMode, type Version } from './tenants/authentication';
import type { Admission } from './tenants/rateGate';
import { inVocabulary } from './wire/requestBody';
import {
	badRequest,
	forbidden,
	methodNotAllowed,
	notFound,
	RequestRejected,
} from './wire/requestRejected';
import { bulkImportRoutes } from './routes/bulkImport';
import { canvassResponseRoutes } from './routes/canvassResponses';
import { codeRoutes } from './routes/codes';
import { exportJobRoutes } from './routes/exportJobs';
import { peopleRoutes } from './routes/people';
import { recordRoutes } from './routes/records';
import { setupRoutes } from './routes/setup';
import type { Sandboxed } from './sandboxState';
import { isRejected, type Tenant } from './tenants/tenants';
import { vocabularyOf, type Vocabulary } from './wire/vocabulary';

const METHODS: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const ROUTES: readonly Route[] = [
	...peopleRoutes,
	...canvassResponseRoutes,
	...codeRoutes,
	...setupRoutes,
	...bulkImportRoutes,
	...exportJobRoutes,
	...recordRoutes,
];

const VOCABULARIES: Record<Version, Vocabulary> = {
	v2: vocabularyOf('Native'),
	v4: vocabularyOf('Van'),
};

interface Caller {
	tenant: Tenant;
	mode: DatabaseMode;
}

const EXCEEDED = {
	month: 'The monthly request volume of this key is used up.',
	concurrency: 'Too many concurrent requests.',
};

/** Only the text of `rate` is recorded (service.md 8.4); service.md 8.2 leaves the rest open. */
function tooManyRequests(admission: Exclude<Admission, { admitted: true }>): RequestRejected {
	const text =
		admission.reason === 'rate'
			? `Rate limit exceeded. Try again in ${admission.retryInMs} ms.`
			: EXCEEDED[admission.reason];
	return new RequestRejected(429, [{ code: '429', text }]);
}

function checkQuery(route: Route, request: FastifyRequest): Record<string, string> {
	const query = request.query as Record<string, string | string[]>;
	for (const [name, value] of Object.entries(query)) {
		if (Array.isArray(value)) {
			throw badRequest(`'${name}' is given more than once`, [name]);
		}
		if (route.query !== 'any' && !route.query?.includes(name)) {
			throw badRequest(
				`'${name}' is not a query parameter of this endpoint`,
				[name],
				`Accepted: ${route.query?.join(', ') ?? 'none'}`,
			);
		}
	}
	return query as Record<string, string>;
}

function send(reply: FastifyReply, response: ApiResponse, vocabulary: Vocabulary): FastifyReply {
	reply.code(response.status).headers(response.headers ?? {});
	if (response.body === undefined) return reply.send();
	return reply
		.header('content-type', 'application/json; charset=utf-8')
		.send(JSON.stringify(inVocabulary(response.body, vocabulary)));
}

/** Methods a known path does not have; unknown resources stay 404. */
function missingMethods(routes: readonly Route[]): Route[] {
	const paths = [...new Set(routes.map((route) => route.path))];
	return paths.flatMap((path) => {
		const present = routes.filter((route) => route.path === path).map((route) => route.method);
		return METHODS.filter((method) => !present.includes(method)).map((method) => ({
			method,
			path,
			query: 'any' as const,
			handle: (call: ApiCall): ApiResponse => {
				const { resource } = call.params;
				if (resource !== undefined && !call.store.records.has(resource)) throw notFound();
				throw methodNotAllowed(method, present);
			},
		}));
	});
}

/** The whole interface under one version prefix. */
export function registerApi(app: FastifyInstance, state: Sandboxed, version: Version): void {
	const vocabulary = VOCABULARIES[version];
	const callers = new WeakMap<FastifyRequest, Caller>();
	const routesByPath = new Map<string, Route>();
	const routeOf = (request: FastifyRequest): Route | undefined =>
		routesByPath.get(`${request.method} ${request.routeOptions.url ?? ''}`);
	const pathOf = (request: FastifyRequest): string =>
		(request.url.split('?')[0] ?? '').slice(`/${version}`.length);

	app.removeAllContentTypeParsers();
	app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => {
		if (body === '') return done(null, undefined);
		try {
			const parsed: unknown = JSON.parse(String(body));
			return done(null, parsed);
		} catch {
			return done(badRequest('The body is not valid JSON'));
		}
	});

	// In the order of the deployment: who calls, how often, whether they may; then what they ask.
	app.addHook('onRequest', async (request, reply) => {
		const { logEntry } = request;
		const presented = keyOf(request.headers, version);
		const tenant = state.tenants.find((held) => held.key === presented?.key);
		if (!presented || !tenant?.modes.includes(presented.mode)) throw unauthorized();
		callers.set(request, { tenant, mode: presented.mode });

		const route = routeOf(request);
		const category = route?.category ?? 'medium';
		const { settings, gate } = tenant;
		const admission = gate.admit(
			{ category, isFindOrCreate: route?.isFindOrCreate ?? false },
			settings.tier,
			settings.monthlyRequests,
			settings.maxConcurrentRequests,
		);
		if (logEntry) {
			Object.assign(logEntry, {
				tenant: tenant.name,
				category,
				bucket: admission.bucket,
				admitted: admission.admitted,
			});
		}
		if (!admission.admitted) throw tooManyRequests(admission);
		reply.raw.once('close', () => gate.release());

		if (isRejected(settings, request.method, pathOf(request))) {
			throw forbidden('Access to the resource or action is restricted for this key.');
		}
	});

	const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
		const caller = callers.get(request);
		const route = routeOf(request);
		if (!caller || !route) throw notFound();
		const host = request.headers.host ?? '';
		const explicitPort = request.protocol === 'https' ? 443 : 80;
		const call: ApiCall = {
			...caller,
			store: caller.tenant.store(caller.mode),
			version,
			vocabulary,
			baseUrl: `${request.protocol}://${/:\d+$/.test(host) ? host : `${host}:${explicitPort}`}/${version}`,
			path: pathOf(request),
			params: request.params as Record<string, string>,
			query: checkQuery(route, request),
			body: request.body,
		};
		const response = await route.handle(call);
		if (request.logEntry) request.logEntry.executed = true;
		return send(reply, response, vocabulary);
	};

	const routes = ROUTES.filter((route) => route.versions?.includes(version) ?? true);
	for (const route of [...routes, ...missingMethods(routes)]) {
		routesByPath.set(`${route.method} /${version}${route.path}`, route);
		app.route({ method: route.method, url: route.path, handler: handle });
	}
	app.route({ method: [...METHODS], url: '/*', handler: handle });
}

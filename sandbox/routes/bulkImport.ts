import {
	notFound,
	numericId,
	page,
	PAGING_PARAMETERS,
	type ApiResponse,
	type ApiCall,
	type Route,
} from './apiCall';

function listInStyle(call: ApiCall, items: readonly unknown[]): ApiResponse {
	return call.tenant.styles.mappingTypeResponses === 'array'
		? { status: 200, body: items }
		: page(call, items);
}

function list(call: ApiCall): ApiResponse {
	if (!call.tenant.styles.bulkImportJobList) throw notFound();
	const jobs = call.tenant.bulkImports(call.mode).flatMap((service) => service.jobs());
	return page(
		call,
		jobs.sort((a, b) => a.id - b.id),
	);
}

function get(call: ApiCall): ApiResponse {
	const jobId = numericId(call.params.jobId);
	for (const service of call.tenant.bulkImports(call.mode)) {
		const job = service.job(jobId);
		if (job) return { status: 200, body: job };
	}
	throw notFound();
}

const service = (call: ApiCall) => call.tenant.bulkImport(call.mode, call.vocabulary);

function mappingType(call: ApiCall): ApiResponse {
	const found = service(call).mappingType(call.params.name ?? '');
	if (!found) throw notFound();
	return { status: 200, body: found };
}

function fieldValues(call: ApiCall): ApiResponse {
	const values = service(call).fieldValues(call.params.name ?? '', call.params.field ?? '');
	if (!values) throw notFound();
	return listInStyle(call, values);
}

/** service.md 2 and 3; all Low (8.1) but the list, which only the general conventions name. */
export const bulkImportRoutes: readonly Route[] = [
	{
		method: 'POST',
		path: '/bulkImportJobs',
		category: 'low',
		handle: (call) => ({ status: 200, body: service(call).create(call.body) }),
	},
	{ method: 'GET', path: '/bulkImportJobs', query: PAGING_PARAMETERS, handle: list },
	{
		method: 'GET',
		path: '/bulkImportJobs/resources',
		category: 'low',
		handle: (call) => ({ status: 200, body: service(call).resources() }),
	},
	{ method: 'GET', path: '/bulkImportJobs/:jobId', category: 'low', handle: get },
	{
		method: 'GET',
		path: '/bulkImportMappingTypes',
		category: 'low',
		query: PAGING_PARAMETERS,
		handle: (call) => listInStyle(call, service(call).mappingTypes()),
	},
	{ method: 'GET', path: '/bulkImportMappingTypes/:name', category: 'low', handle: mappingType },
	{
		method: 'GET',
		path: '/bulkImportMappingTypes/:name/:field/values',
		category: 'low',
		query: PAGING_PARAMETERS,
		handle: fieldValues,
	},
];

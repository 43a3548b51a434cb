import {
	found,
	numericId,
	ok,
	page,
	PAGING_PARAMETERS,
	route,
	type ApiResponse,
	type ApiCall,
	type Route,
} from './apiCall';
import { notFound } from '../wire/requestRejected';

const serviceOf = ({ tenant, mode, vocabulary }: ApiCall) => tenant.bulkImport(mode, vocabulary);
const catalogueOf = (call: ApiCall) => serviceOf(call).catalogue;
const servicesOf = ({ tenant, mode }: ApiCall) => tenant.bulkImports(mode);

function listJobs(call: ApiCall): ApiResponse {
	if (!call.tenant.styles.bulkImportJobList) throw notFound();
	const jobs = servicesOf(call).flatMap((service) => service.jobs());
	return page(
		call,
		jobs.sort((a, b) => a.id - b.id),
	);
}

function job(call: ApiCall): ApiResponse {
	const jobId = numericId(call.params.jobId);
	const [record] = servicesOf(call).flatMap((service) => service.job(jobId) ?? []);
	return ok(found(record));
}

function listInStyle(call: ApiCall, items: readonly unknown[]): ApiResponse {
	return call.tenant.styles.mappingTypeResponses === 'array' ? ok(items) : page(call, items);
}

function fieldValues(call: ApiCall): ApiResponse {
	const { name = '', field = '' } = call.params;
	return listInStyle(call, found(catalogueOf(call).fieldValues(name, field)));
}

const LOW = { category: 'low' } as const;

/** service.md 2 and 3; all Low (8.1) but the list, which only the general conventions name. */
export const bulkImportRoutes: readonly Route[] = [
	route('POST', '/bulkImportJobs', (call) => ok(serviceOf(call).create(call.body)), LOW),
	route('GET', '/bulkImportJobs', listJobs, { query: PAGING_PARAMETERS }),
	route('GET', '/bulkImportJobs/resources', (call) => ok(catalogueOf(call).resourceTypes), LOW),
	route('GET', '/bulkImportJobs/:jobId', job, LOW),
	route('GET', '/bulkImportMappingTypes', (call) => listInStyle(call, catalogueOf(call).all()), {
		...LOW,
		query: PAGING_PARAMETERS,
	}),
	route(
		'GET',
		'/bulkImportMappingTypes/:name',
		(call) => ok(found(catalogueOf(call).find(call.params.name ?? '')).description),
		LOW,
	),
	route('GET', '/bulkImportMappingTypes/:name/:field/values', fieldValues, {
		...LOW,
		query: PAGING_PARAMETERS,
	}),
];

import { z } from 'zod';
import type { Sandbox } from '../sandbox/index';

/** The columns of the files that tests make up. */
export const COLUMNS = ['FirstName', 'LastName', 'Email', 'CrmId'];

/** The body of an import job for such a file. */
export const importJob = (sourceUrl: string) => ({
	description: 'Import of a test',
	file: {
		fileName: 'rows.csv',
		sourceUrl,
		hasHeader: true,
		columns: COLUMNS.map((name) => ({ name })),
	},
	actions: [
		{
			actionType: 'loadMappedFile',
			resourceType: 'Contacts',
			resultFileSizeKbLimit: 5000,
			mappingTypes: [{ name: 'CreateOrUpdateContact' }],
			columnsToIncludeInResultsFile: [{ name: 'CrmId' }],
		},
	],
});

const startedJobSchema = z.object({
	description: z.string(),
	file: z.object({ sourceUrl: z.string() }),
});

/** The import jobs that the service was asked to start, as they were described. */
export const startedJobs = ({ requests }: Sandbox) =>
	requests
		.filter(({ method, path }) => method === 'POST' && path === '/v2/bulkImportJobs')
		// The body of a request that has just begun is not there yet.
		.flatMap(({ body }) => startedJobSchema.safeParse(body).data ?? []);

/** The people of the tenant "demo" with such a first name. */
export const peopleNamed = ({ control }: Sandbox, name: RegExp) =>
	control.people('demo').filter(({ fields }) => name.test(String(fields.firstName)));

/** Addresses as a private file host signs them: one to upload to, another one to download from. */
export const signedAddresses = ({ httpsUrl }: Sandbox, file = '{file}') => ({
	uploadUrl: `${httpsUrl}/drop/${file}?sig=upload`,
	downloadUrl: `${httpsUrl}/drop/${file}?sig=download`,
});

export const countJobReads = ({ requests }: Sandbox) =>
	requests.filter(({ method, path }) => method === 'GET' && /\/bulkImportJobs\/\d+$/.test(path))
		.length;

/**
 * Lets jobs run until what it returns is called.
 * @param jobId default: all
 */
export function holdJobs({ control }: Sandbox, jobId: number | '' = ''): () => void {
	const texts = { Completed: 'InProgress', CompletedWithErrors: 'InProgress' };
	return control.addFault({
		method: 'GET',
		pathPrefix: `/bulkImportJobs/${jobId}`,
		count: 10_000,
		fault: { kind: 'replaced', texts },
	});
}

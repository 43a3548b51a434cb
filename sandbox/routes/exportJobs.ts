import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { bodyOf, found, route, type ApiResponse, type ApiCall, type Route } from './apiCall';

const exportSchema = z.object({
	savedListId: z.number(),
	/** Which columns the file has. */
	type: z.number().optional(),
	webhookUrl: z.string().nullish(),
});

/** The people of a saved list as a file; here every list holds all people of the database. */
function create(call: ApiCall): ApiResponse {
	const { savedListId } = bodyOf(call, exportSchema);
	const { records, people } = call.store;
	found(records.get('savedLists')?.get(savedListId));
	const columns = [`${call.vocabulary.word}ID`, 'FirstName', 'LastName'];
	const rows = [...people.values()].map(({ nativeId, fields }) => [
		nativeId,
		fields.firstName ?? '',
		fields.lastName ?? '',
	]);
	const csv = stringify([columns, ...rows], { record_delimiter: '\r\n' });
	const { url, dateExpired } = call.tenant.publish(Buffer.from(csv));
	const exportJobId = call.store.nextId('record');
	const record = { exportJobId, savedListId, status: 'Completed', downloadUrl: url, dateExpired };
	records.get('exportJobs')?.set(exportJobId, record);
	return { status: 201, body: { ...record, status: 'Requested', downloadUrl: null } };
}

/** The record is read like any other. */
export const exportJobRoutes: readonly Route[] = [route('POST', '/exportJobs', create)];

import { z } from 'zod';

import { endpoints } from '../../shared/service/endpoints';
import { InvalidInput } from '../../shared/service/invalidInput';
import type { NativeService } from '../../shared/service/nativeService';
import { ServiceError } from '../../shared/service/serviceErrors';
import { rethrow } from '../../shared/transport/rethrow';
import { parseFileMark } from './startedFile';

/** A job started for a file of an import with the same Run Key. */
export interface EarlierJob {
	jobId: number;
	description: string;
	file: NonNullable<ReturnType<typeof parseFileMark>>;
}

const listedJobSchema = z
	.object({
		id: z.coerce.number().int().optional(),
		jobId: z.coerce.number().int().optional(),
		description: z.string().nullish(),
	})
	.passthrough();

function cannotBeFound(): InvalidInput {
	return new InvalidInput([
		{
			field: 'Run Key',
			text: 'cannot protect this import, because the service does not list its jobs with descriptions. Remove it, and note started imports in a data table instead.',
		},
	]);
}

/**
 * The jobs of a Run Key by file number.
 * Throws InvalidInput if the deployment has no list of jobs, or lists them without descriptions.
 */
export async function findJobsOfRunKey(
	service: NativeService,
	runKey: string,
): Promise<ReadonlyMap<number, EarlierJob>> {
	const jobs = new Map<number, EarlierJob>();
	let listed = 0;
	let described = 0;
	try {
		for await (const entry of service.list(endpoints.listBulkImportJobs, { path: {} })) {
			listed++;
			const parsed = listedJobSchema.safeParse(entry);
			const jobId = parsed.data?.jobId ?? parsed.data?.id;
			const description = parsed.data?.description ?? '';
			if (description !== '') described++;
			const file = parseFileMark(description);
			if (jobId === undefined || file?.key !== runKey || jobs.has(file.number)) continue;
			jobs.set(file.number, { jobId, description, file });
		}
	} catch (error) {
		const hasNoList =
			error instanceof ServiceError && [403, 404, 405].includes(error.details.httpCode ?? 0);
		rethrow(hasNoList ? cannotBeFound() : error);
	}
	if (listed > 0 && described === 0) throw cannotBeFound();
	return jobs;
}

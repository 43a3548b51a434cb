import { z } from 'zod';

import { throwIfCancelled } from '../transport/cancellation';
import { endpoints } from './endpoints';
import type { NativeService } from './nativeService';

const name = z.string().trim().max(200).catch('');

/** The tenant's names in a key profile (service.md 7.2). */
const profileSchema = z.object({ databaseName: name, committeeName: name });

/** The target with the tenant's name, where the deployment has key profiles. */
export async function describeTarget(service: NativeService): Promise<string> {
	const { text } = service.target;
	try {
		const { items } = await service.readPage(endpoints.listApiKeyProfiles, { path: {} }, undefined);
		const { databaseName, committeeName } = profileSchema.parse(items[0]);
		const names = [...new Set([databaseName, committeeName])].filter((each) => each !== '');
		return [...names, text].join(', ');
	} catch {
		// The name helps people; what they do works without it.
		throwIfCancelled(service.signal);
		return text;
	}
}

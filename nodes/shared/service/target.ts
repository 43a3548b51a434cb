import { z } from 'zod';

import { throwIfCancelled } from '../transport/cancellation';
import type { Target } from './connection';
import { endpoints } from './endpoints';
import type { NativeService } from './nativeService';

/** `campaign database at https://api.example.org/v4 (EveryAction / NGP VAN), key "…77"`. */
export function targetText({ place, deployment, keyEnd }: Target): string {
	return `${place}${deployment && ` (${deployment})`}, key "…${keyEnd.slice(-2)}"`;
}

/** The database, for memories and comparisons: settings such as the deployment may change. */
export function targetIdentity({ place, keyEnd }: Target): string {
	return `${place} ${keyEnd}`;
}

const name = z.string().trim().max(200).catch('');

/** The tenant's names in a key profile (service.md 7.2). */
const profileSchema = z.object({ databaseName: name, committeeName: name });

/** The target with the tenant's name, where the deployment has key profiles. */
export async function describeTarget(service: NativeService): Promise<string> {
	const text = targetText(service.target);
	try {
		const { items } = await service.readPage(endpoints.listApiKeyProfiles, { path: {} }, undefined);
		const { databaseName, committeeName } = profileSchema.parse(items[0]);
		const names = [...new Set([databaseName, committeeName])].filter((text) => text !== '');
		return [...names, text].join(', ');
	} catch {
		// The name helps people; what they do works without it.
		throwIfCancelled(service.signal);
		return text;
	}
}

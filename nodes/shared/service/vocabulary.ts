import { lowerFirst } from 'lodash';

/** Identifiers that contain the vendor's name: `Native`, or that of the deployment (service.md 1.5). */
export interface Vocabulary {
	/** Property of JSON bodies, e.g. `nativeId`. */
	personId: string;
	/** File column and field name, e.g. `NativeId`. */
	personIdColumn: string;
}

export function vocabularyOf(prefix: string): Vocabulary {
	return { personId: `${lowerFirst(prefix)}Id`, personIdColumn: `${prefix}Id` };
}

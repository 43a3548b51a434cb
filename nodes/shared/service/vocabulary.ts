import { lowerFirst } from 'lodash';

/**
 * Identifiers that contain the vendor's name. The specification writes `Native`; deployments use their
 * own, such as `Van` (service.md 1.5).
 */
export interface Vocabulary {
	/** Property of JSON bodies, e.g. `nativeId`. */
	personId: string;
	/** File column and field name, e.g. `NativeId`. */
	personIdColumn: string;
}

/** @param prefix the vendor's name, e.g. `Native` or `Van` */
export function vocabularyOf(prefix: string): Vocabulary {
	return {
		personId: `${lowerFirst(prefix)}Id`,
		personIdColumn: `${prefix}Id`,
	};
}

/**
 * The vendor word in identifiers. The specification writes `Native` throughout; the best-known
 * deployment writes `Van` (service.md 1.5). The addressed version decides.
 */
export interface Vocabulary {
	word: 'Native' | 'Van';
	/** Property of JSON bodies: `nativeId` or `vanId`. */
	personId: string;
	/** Required first file column: `NativeId` or `VanId` (compared case-insensitively). */
	personIdColumn: string;
	/** Field of ApplyRelationships: `SecondaryNativeID` or `SecondaryVanID`. */
	secondaryPersonIdField: string;
	/** `PrimaryKeyType` of result files: `NativeID` or `VanID`. */
	primaryKeyType: string;
}

export function vocabularyOf(word: 'Native' | 'Van'): Vocabulary {
	return {
		word,
		personId: `${word.toLowerCase()}Id`,
		personIdColumn: `${word}Id`,
		secondaryPersonIdField: `Secondary${word}ID`,
		primaryKeyType: `${word}ID`,
	};
}

import type { TenantStore } from '../../store/tenantStore';
import type { FieldValue } from './mappingType';

export function valuesOf(entries: Array<[id: string | number, name: string]>): FieldValue[] {
	return entries.map(([id, name]) => ({ id: String(id), name, parents: null }));
}

const shared = (names: Record<string, string>) => valuesOf(Object.entries(names));

/** The lists that every tenant shares (service.md 3.3 and 4.2). */
export const YES_NO = shared({ Y: 'Yes', N: 'No' });
export const SEXES = shared({ F: 'Female', M: 'Male' });
export const CONTACT_MODES = shared({ 1: 'Person', 2: 'Organization' });
export const PHONE_TYPES = shared({
	C: 'Cell',
	F: 'Fax',
	H: 'Home',
	M: 'Main',
	O: 'Other',
	U: 'Unknown',
	W: 'Work',
});
export const PHONE_OPT_IN_STATUSES = shared({ 1: 'Opt In', 2: 'Unknown', 3: 'Opt Out' });
export const CELL_STATUSES = shared({ 1: 'Cell', 2: 'Landline', 3: 'Unknown' });
export const EMAIL_TYPES = shared({ 1: 'Personal', 2: 'Work', 3: 'Other' });
export const EMAIL_SUBSCRIPTION_STATUSES = shared({
	0: 'Unsubscribed',
	1: 'Not Subscribed',
	2: 'Subscribed',
});
export const SUPPRESSIONS = shared({
	NC: 'Do not call',
	NE: 'Do not email',
	NM: 'Do not mail',
	NW: 'Do not walk',
});
export const ADJUSTMENT_TYPES = shared({ 1: 'Refund', 2: 'Write-off', 3: 'Correction' });

type Setup = TenantStore['setup'];

/** Archived codes cannot be applied any more, so they are not offered. */
export function activistCodeValues(setup: Setup): FieldValue[] {
	return valuesOf(
		setup.activistCodes
			.filter((code) => code.status === 'Active')
			.map((code) => [code.activistCodeId, code.name]),
	);
}

export function resultCodeValues(setup: Setup): FieldValue[] {
	return setup.resultCodes.map((code) => ({
		id: String(code.resultCodeId),
		name: code.name,
		parents: [
			{
				parentFieldName: 'contacttypeid',
				allowedParentValues: setup.contactTypes
					.filter((type) => code.contactTypeIds.includes(type.contactTypeId))
					.map((type) => ({ id: String(type.contactTypeId), name: type.name })),
			},
		],
	}));
}

/** SourceCode codes as they are now: POST /codes adds to them. */
export function sourceCodeValues(store: TenantStore): FieldValue[] {
	return valuesOf(
		[...store.codes.values()]
			.filter((code) => code.codeType === 'SourceCode')
			.map((code) => [code.codeId, code.name]),
	);
}

/** The values of one turf level, each with the values of the level above under which it exists. */
export function turfLevelValues(setup: Setup, depth: number): FieldValue[] {
	const { levels, paths } = setup.organizingTurfs;
	const parentFieldName = levels[depth - 1];
	const valuesAt = (level: number, among: string[][]) =>
		[...new Set(among.flatMap((path) => path[level] ?? []))].map((text) => ({
			id: text,
			name: text,
		}));
	return valuesAt(depth, paths).map((value) => {
		if (parentFieldName === undefined) return { ...value, parents: null };
		const allowedParentValues = valuesAt(
			depth - 1,
			paths.filter((path) => path[depth] === value.id),
		);
		return { ...value, parents: [{ parentFieldName, allowedParentValues }] };
	});
}

/**
 * The id that a file or static value means: an id, or a name when it is unique (service.md
 * 3.1). Case does not matter.
 */
export function predefinedIds(values: FieldValue[]): Map<string, string> {
	const ids = new Map<string, string>();
	const repeatedNames = new Set<string>();
	for (const { id, name } of values) {
		const key = name.toLowerCase();
		if (ids.has(key)) repeatedNames.add(key);
		ids.set(key, id);
	}
	for (const name of repeatedNames) ids.delete(name);
	for (const { id } of values) ids.set(id.toLowerCase(), id);
	return ids;
}

import { z } from 'zod';
import {
	bodyOf,
	created,
	expandedSections,
	found,
	integerParameter,
	NO_CONTENT,
	numericId,
	ok,
	page,
	PAGING_PARAMETERS,
	route,
	type ApiResponse,
	type ApiCall,
	type Route,
} from './apiCall';
import { parseBody } from '../wire/requestBody';
import { badRequest, forbidden, RequestRejected } from '../wire/requestRejected';
import type { StoredCode } from '../store/tenantStore';
import { reference, strictObject } from '../wire/schemas';

/** SourceCode metadata (service.md 6.1). */
const METADATA = {
	campaign: reference('campaignId').nullish(),
	contactType: reference('contactTypeId').nullish(),
	generalLedgerFund: reference('generalLedgerFundId').nullish(),
	costCenter: reference('costCenterId').nullish(),
	revenueStream: reference('revenueStreamId').nullish(),
	mailMergeTemplate: reference('mailMergeTemplateId').nullish(),
};
const METADATA_NAMES = Object.keys(METADATA) as Array<keyof typeof METADATA>;

/** The Code object without read-only values (service.md 6.1). */
const codeSchema = strictObject({
	name: z
		.string()
		.min(1)
		.max(50)
		.regex(/^[^/\\]*$/, '{name} must not contain / or \\'),
	description: z.string().max(200).nullish(),
	parentCodeId: z.number().int().nullish(),
	codeType: z.enum(['Tag', 'SourceCode']).optional(),
	supportedEntities: z
		.array(strictObject({ name: z.string(), isSearchable: z.boolean(), isApplicable: z.boolean() }))
		.nullish(),
	...METADATA,
	isSourceCodeApplicable: z.boolean().nullish(),
});
type CodeInput = z.output<typeof codeSchema>;

/** The stored form of an input; what it leaves out is empty (PUT clears, service.md 6.2). */
function storedCode(call: ApiCall, input: CodeInput, existing?: StoredCode): StoredCode {
	const { setup, codes } = call.store;
	const codeType = input.codeType ?? existing?.codeType ?? 'SourceCode';
	if (existing && codeType !== existing.codeType) {
		throw badRequest("'codeType' cannot be changed", ['codeType']);
	}
	if (!setup.codeTypes.includes(codeType)) {
		throw badRequest("'codeType' is not available to this key", ['codeType']);
	}
	if (typeof input.parentCodeId === 'number') {
		if (codeType !== 'Tag') {
			throw badRequest("'parentCodeId' is for Tag codes only", ['parentCodeId']);
		}
		const parent = codes.get(input.parentCodeId);
		if (!parent || parent.codeType !== 'Tag' || parent === existing) {
			throw badRequest("'parentCodeId' is not another Tag code", ['parentCodeId']);
		}
	}
	// For SourceCode the set is fixed and what is sent is ignored (service.md 6.1).
	const entities = codeType === 'Tag' ? (input.supportedEntities ?? []) : [];
	entities.forEach((entity, index) => {
		if (!setup.supportedEntities.includes(entity.name)) {
			throw badRequest(
				"'name' is not a supported entity",
				[`supportedEntities[${index}].name`],
				`Accepted values: ${setup.supportedEntities.join(', ')}`,
			);
		}
	});
	const now = new Date(call.tenant.clock()).toISOString();
	return {
		codeId: existing?.codeId ?? call.store.nextId('code'),
		parentCodeId: input.parentCodeId ?? null,
		name: input.name,
		description: input.description ?? null,
		codeType,
		supportedEntities: entities,
		metadata: Object.fromEntries(
			METADATA_NAMES.flatMap((name) => {
				const value = input[name];
				return value ? [[name, value]] : [];
			}),
		),
		isSourceCodeApplicable: input.isSourceCodeApplicable ?? null,
		dateCreated: existing?.dateCreated ?? now,
		dateModified: now,
	};
}

function codePath(call: ApiCall, code: StoredCode): string {
	const parent = code.parentCodeId === null ? undefined : call.store.codes.get(code.parentCodeId);
	return parent ? `${codePath(call, parent)} > ${code.name}` : code.name;
}

/** Metadata is read back with a name in addition to its ID, so that echoing a response is not a valid request. */
function codeResponse(call: ApiCall, code: StoredCode, expand: ReadonlySet<string>) {
	const fixedEntities = ['Contacts', 'Contributions', 'Events'].map((name) => ({
		name,
		isSearchable: true,
		isApplicable: true,
	}));
	const { metadata, ...properties } = code;
	const entities = code.codeType === 'Tag' ? code.supportedEntities : fixedEntities;
	return {
		...properties,
		codePath: codePath(call, code),
		createdByName: 'Robin Example',
		supportedEntities: expand.has('supportedEntities') ? entities : null,
		...Object.fromEntries(
			METADATA_NAMES.map((name) => {
				const held = metadata[name];
				return [name, held ? { ...held, name: `${name} ${Object.values(held)[0]}` } : null];
			}),
		),
	};
}

function codeOfPath(call: ApiCall): StoredCode {
	return found(call.store.codes.get(numericId(call.params.codeId)));
}

const EXPANDABLE = ['supportedEntities'];

function get(call: ApiCall): ApiResponse {
	return ok(codeResponse(call, codeOfPath(call), expandedSections(call, EXPANDABLE)));
}

function list(call: ApiCall): ApiResponse {
	const { name, codeType, supportedEntities, $orderby } = call.query;
	const parentCodeId = integerParameter(call, 'parentCodeId');
	const expand = expandedSections(call, EXPANDABLE);
	if ($orderby !== undefined && !/^dateModified( desc| asc)?$/i.test($orderby)) {
		throw badRequest("'$orderby' is not sortable", ['$orderby'], 'dateModified');
	}
	const entities = supportedEntities?.split(',').map((entity) => entity.trim());
	const codes = [...call.store.codes.values()].filter(
		(code) =>
			(name === undefined || code.name.toLowerCase().includes(name.toLowerCase())) &&
			(parentCodeId === undefined || code.parentCodeId === parentCodeId) &&
			(codeType === undefined || code.codeType === codeType) &&
			(entities === undefined ||
				code.supportedEntities.some((entity) => entities.includes(entity.name))),
	);
	if ($orderby !== undefined) {
		codes.sort((a, b) => a.dateModified.localeCompare(b.dateModified));
		if (/ desc$/i.test($orderby)) codes.reverse();
	}
	return page(
		call,
		codes.map((code) => codeResponse(call, code, expand)),
	);
}

function create(call: ApiCall): ApiResponse {
	const code = storedCode(call, bodyOf(call, codeSchema));
	call.store.codes.set(code.codeId, code);
	// The body is not shown in service.md 6.2 and differs between sources (service.md 10).
	switch (call.tenant.styles.codeResponses) {
		case 'integer':
			return { status: 201, body: code.codeId };
		case 'object':
			return { status: 201, body: codeResponse(call, code, new Set(EXPANDABLE)) };
		case 'location':
			return created(call, `/codes/${code.codeId}`);
	}
}

function update(call: ApiCall): ApiResponse {
	const existing = codeOfPath(call);
	const input = bodyOf(call, codeSchema);
	call.store.codes.set(existing.codeId, storedCode(call, input, existing));
	return NO_CONTENT;
}

const patchSchema = z.array(
	strictObject({
		op: z.enum(['add', 'replace', 'remove']),
		path: z
			.string()
			.refine(
				(path) => path.startsWith('/') && Object.hasOwn(codeSchema.shape, path.slice(1)),
				'{name} does not name a writable property',
			),
		value: z.unknown().optional(),
		from: z.string().optional(),
	}),
);

/** JSON Patch on whole properties. */
function patch(call: ApiCall): ApiResponse {
	const existing = codeOfPath(call);
	const operations = bodyOf(call, patchSchema);
	const { codeId, dateCreated, dateModified, metadata, ...held } = existing;
	const writable: Record<string, unknown> = { ...held, ...metadata };
	for (const operation of operations) {
		const name = operation.path.slice(1);
		if (operation.op === 'remove') delete writable[name];
		else writable[name] = operation.value;
	}
	const input = parseBody(codeSchema, writable, call.vocabulary);
	call.store.codes.set(codeId, storedCode(call, input, existing));
	return NO_CONTENT;
}

function remove(call: ApiCall): ApiResponse {
	const code = codeOfPath(call);
	const isApplied = [...call.store.people.values()].some(({ codeIds }) =>
		codeIds.includes(code.codeId),
	);
	const isParent = [...call.store.codes.values()].some((held) => held.parentCodeId === code.codeId);
	if (isApplied || isParent) throw forbidden('The code is in use and cannot be deleted.');
	call.store.codes.delete(code.codeId);
	return NO_CONTENT;
}

function createBatch(call: ApiCall): ApiResponse {
	const { codes } = parseBody(
		strictObject({ codes: z.array(z.unknown()).min(1) }),
		call.body,
		call.vocabulary,
	);
	const results = codes.map((body) => {
		try {
			const code = storedCode(call, parseBody(codeSchema, body, call.vocabulary));
			call.store.codes.set(code.codeId, code);
			return { codeId: code.codeId, message: 'Completed' };
		} catch (error) {
			if (!(error instanceof RequestRejected)) throw error;
			return { codeId: null, message: error.message };
		}
	});
	const stored = results.filter((result) => result.codeId !== null).length;
	const status = stored === results.length ? 201 : stored === 0 ? 404 : 207;
	return { status, body: results };
}

export const codeRoutes: readonly Route[] = [
	route('GET', '/codes', list, {
		query: [
			'supportedEntities',
			'name',
			'parentCodeId',
			'codeType',
			'$expand',
			'$orderby',
			...PAGING_PARAMETERS,
		],
	}),
	route('POST', '/codes', create),
	route('POST', '/codes/batch', createBatch),
	route('GET', '/codes/supportedEntities', ({ store }) => ok(store.setup.supportedEntities)),
	route('GET', '/codes/:codeId', get, { query: ['$expand'] }),
	route('PUT', '/codes/:codeId', update),
	route('PATCH', '/codes/:codeId', patch),
	route('DELETE', '/codes/:codeId', remove),
	route('GET', '/codeTypes', ({ store }) => ok(store.setup.codeTypes)),
];

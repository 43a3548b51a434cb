import { z } from 'zod';
import {
	expandedSections,
	forbidden,
	notFound,
	numericId,
	page,
	PAGING_PARAMETERS,
	type ApiResponse,
	type ApiCall,
	type Route,
} from './apiCall';
import { parseBody } from '../wire/requestBody';
import { RequestRejected } from '../wire/requestRejected';
import type { StoredCode } from '../store/tenantStore';
import { strictObject } from '../wire/strictObject';

/** SourceCode metadata and the id property of each (service.md 6.1). */
const METADATA_IDS = {
	campaign: 'campaignId',
	contactType: 'contactTypeId',
	generalLedgerFund: 'generalLedgerFundId',
	costCenter: 'costCenterId',
	revenueStream: 'revenueStreamId',
	mailMergeTemplate: 'mailMergeTemplateId',
} as const;
type MetadataName = keyof typeof METADATA_IDS;
const METADATA_NAMES = Object.keys(METADATA_IDS) as MetadataName[];

const id = z.number().int();
const metadata = <Name extends string>(idName: Name) =>
	strictObject({ [idName]: id })
		.nullable()
		.optional();

/** The Code object without read-only values (service.md 6.1). */
const codeSchema = strictObject({
	name: z
		.string()
		.min(1)
		.max(50)
		.regex(/^[^/\\]*$/, '{name} must not contain / or \\'),
	description: z.string().max(200).nullable().optional(),
	parentCodeId: id.nullable().optional(),
	codeType: z.enum(['Tag', 'SourceCode']).optional(),
	supportedEntities: z
		.array(strictObject({ name: z.string(), isSearchable: z.boolean(), isApplicable: z.boolean() }))
		.nullable()
		.optional(),
	campaign: metadata('campaignId'),
	contactType: metadata('contactTypeId'),
	generalLedgerFund: metadata('generalLedgerFundId'),
	costCenter: metadata('costCenterId'),
	revenueStream: metadata('revenueStreamId'),
	mailMergeTemplate: metadata('mailMergeTemplateId'),
	isSourceCodeApplicable: z.boolean().nullable().optional(),
});
type CodeInput = z.output<typeof codeSchema>;

/** The stored form of an input; what it leaves out is empty (PUT clears, service.md 6.2). */
function storedCode(call: ApiCall, input: CodeInput, existing?: StoredCode): StoredCode {
	const { setup, codes } = call.store;
	const codeType = input.codeType ?? existing?.codeType ?? 'SourceCode';
	if (existing && codeType !== existing.codeType) {
		throw RequestRejected.badRequest("'codeType' cannot be changed", ['codeType']);
	}
	if (!setup.codeTypes.includes(codeType)) {
		throw RequestRejected.badRequest("'codeType' is not available to this key", ['codeType']);
	}
	if (typeof input.parentCodeId === 'number') {
		if (codeType !== 'Tag') {
			throw RequestRejected.badRequest("'parentCodeId' is for Tag codes only", ['parentCodeId']);
		}
		const parent = codes.get(input.parentCodeId);
		if (!parent || parent.codeType !== 'Tag' || parent === existing) {
			throw RequestRejected.badRequest("'parentCodeId' is not another Tag code", ['parentCodeId']);
		}
	}
	// For SourceCode the set is fixed and what is sent is ignored (service.md 6.1).
	const entities = codeType === 'Tag' ? (input.supportedEntities ?? []) : [];
	entities.forEach((entity, index) => {
		if (!setup.supportedEntities.includes(entity.name)) {
			throw RequestRejected.badRequest(
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

/** Metadata is read back with a name beside its id, so that echoing a response is not a valid request. */
function codeResponse(call: ApiCall, code: StoredCode, expand: ReadonlySet<string>) {
	const fixedEntities = ['Contacts', 'Contributions', 'Events'].map((name) => ({
		name,
		isSearchable: true,
		isApplicable: true,
	}));
	return {
		codeId: code.codeId,
		parentCodeId: code.parentCodeId,
		name: code.name,
		description: code.description,
		codeType: code.codeType,
		codePath: codePath(call, code),
		createdByName: 'Robin Example',
		dateCreated: code.dateCreated,
		dateModified: code.dateModified,
		supportedEntities: expand.has('supportedEntities')
			? code.codeType === 'Tag'
				? code.supportedEntities
				: fixedEntities
			: null,
		...Object.fromEntries(
			METADATA_NAMES.map((name) => {
				const held = code.metadata[name];
				return [name, held ? { ...held, name: `${name} ${held[METADATA_IDS[name]]}` } : null];
			}),
		),
		isSourceCodeApplicable: code.isSourceCodeApplicable,
	};
}

function codeOfPath(call: ApiCall): StoredCode {
	const code = call.store.codes.get(numericId(call.params.codeId));
	if (!code) throw notFound();
	return code;
}

function list(call: ApiCall): ApiResponse {
	const { name, parentCodeId, codeType, supportedEntities, $orderby } = call.query;
	const expand = expandedSections(call, ['supportedEntities']);
	if ($orderby !== undefined && !/^dateModified( desc| asc)?$/i.test($orderby)) {
		throw RequestRejected.badRequest("'$orderby' is not sortable", ['$orderby'], 'dateModified');
	}
	if (parentCodeId !== undefined && !/^\d+$/.test(parentCodeId)) {
		throw RequestRejected.badRequest("'parentCodeId' must be an integer", ['parentCodeId']);
	}
	const entities = supportedEntities?.split(',').map((entity) => entity.trim());
	const codes = [...call.store.codes.values()].filter(
		(code) =>
			(name === undefined || code.name.toLowerCase().includes(name.toLowerCase())) &&
			(parentCodeId === undefined || String(code.parentCodeId) === parentCodeId) &&
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
	const code = storedCode(call, parseBody(codeSchema, call.body, call.vocabulary));
	call.store.codes.set(code.codeId, code);
	// The body is not shown in service.md 6.2 and differs between sources (service.md 10).
	switch (call.tenant.styles.codeResponses) {
		case 'integer':
			return { status: 201, body: code.codeId };
		case 'object':
			return { status: 201, body: codeResponse(call, code, new Set(['supportedEntities'])) };
		case 'location':
			return { status: 201, headers: { location: `${call.baseUrl}/codes/${code.codeId}` } };
	}
}

function update(call: ApiCall): ApiResponse {
	const existing = codeOfPath(call);
	const input = parseBody(codeSchema, call.body, call.vocabulary);
	call.store.codes.set(existing.codeId, storedCode(call, input, existing));
	return { status: 204 };
}

const PATCHABLE = [...Object.keys(codeSchema.shape)];

const patchSchema = z.array(
	strictObject({
		op: z.enum(['add', 'replace', 'remove']),
		path: z
			.string()
			.refine(
				(path) => path.startsWith('/') && PATCHABLE.includes(path.slice(1)),
				'{name} does not name a writable property',
			),
		value: z.unknown().optional(),
		from: z.string().optional(),
	}),
);

/** JSON Patch on whole properties. */
function patch(call: ApiCall): ApiResponse {
	const existing = codeOfPath(call);
	const operations = parseBody(patchSchema, call.body, call.vocabulary);
	const writable: Record<string, unknown> = {
		name: existing.name,
		description: existing.description,
		parentCodeId: existing.parentCodeId,
		codeType: existing.codeType,
		supportedEntities: existing.supportedEntities,
		isSourceCodeApplicable: existing.isSourceCodeApplicable,
		...existing.metadata,
	};
	for (const operation of operations) {
		const name = operation.path.slice(1);
		if (operation.op === 'remove') delete writable[name];
		else writable[name] = operation.value;
	}
	const input = parseBody(codeSchema, writable, call.vocabulary);
	call.store.codes.set(existing.codeId, storedCode(call, input, existing));
	return { status: 204 };
}

function refuseWhenInUse(call: ApiCall, code: StoredCode): void {
	const isApplied = [...call.store.people.values()].some(
		(person) => person.codeIds.includes(code.codeId) || person.originSourceCodeId === code.codeId,
	);
	const isParent = [...call.store.codes.values()].some((held) => held.parentCodeId === code.codeId);
	if (isApplied || isParent) throw forbidden('The code is in use and cannot be deleted.');
}

function remove(call: ApiCall): ApiResponse {
	const code = codeOfPath(call);
	refuseWhenInUse(call, code);
	call.store.codes.delete(code.codeId);
	return { status: 204 };
}

const refusalText = (error: unknown): string => {
	if (error instanceof RequestRejected) return error.message;
	throw error;
};

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
			return { codeId: null, message: refusalText(error) };
		}
	});
	const stored = results.filter((result) => result.codeId !== null).length;
	const status = stored === results.length ? 201 : stored === 0 ? 404 : 207;
	return { status, body: results };
}

export const codeRoutes: readonly Route[] = [
	{
		method: 'GET',
		path: '/codes',
		query: [
			'supportedEntities',
			'name',
			'parentCodeId',
			'codeType',
			'$expand',
			'$orderby',
			...PAGING_PARAMETERS,
		],
		handle: list,
	},
	{ method: 'POST', path: '/codes', handle: create },
	{ method: 'POST', path: '/codes/batch', handle: createBatch },
	{
		method: 'GET',
		path: '/codes/supportedEntities',
		handle: (call) => ({ status: 200, body: call.store.setup.supportedEntities }),
	},
	{
		method: 'GET',
		path: '/codes/:codeId',
		query: ['$expand'],
		handle: (call) => ({
			status: 200,
			body: codeResponse(call, codeOfPath(call), expandedSections(call, ['supportedEntities'])),
		}),
	},
	{ method: 'PUT', path: '/codes/:codeId', handle: update },
	{ method: 'PATCH', path: '/codes/:codeId', handle: patch },
	{ method: 'DELETE', path: '/codes/:codeId', handle: remove },
	{
		method: 'GET',
		path: '/codeTypes',
		handle: (call) => ({ status: 200, body: call.store.setup.codeTypes }),
	},
];

import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import type { NodeContext, ServiceContext } from '../../shared/execution/operation';
import type { FieldValues } from '../../shared/parameters/enteredFields';
import { InvalidInput, type Problem, throwIfAny } from '../../shared/service/invalidInput';
import { ServiceError } from '../../shared/service/serviceErrors';
import { sourceUrlProblem } from '../../shared/service/importJobFile';
import { isProtectedAddress } from '../../shared/service/protectedAddress';
import type { WaitWay } from '../job/jobWait';

/** Placeholder for the file name in an upload address. */
const PLACEHOLDER = '{file}';

/** File name for checks before there is a file. */
const ANY_NAME = 'items.zip';

export const HOSTING_LABEL = 'How the Service Gets the File';

export const hostingFields: INodeProperties[] = [
	{
		displayName: HOSTING_LABEL,
		name: 'hosting',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Link to This Instance',
				value: 'n8n',
				description:
					'The service downloads the file from this n8n. It must reach n8n over https, and n8n must keep files on disk or in its database; Only Show checks both as far as n8n can tell.',
			},
			{
				name: 'Upload (PUT)',
				value: 'put',
				description:
					'Upload the file to a pre-signed address of a storage that the service can read. A private bucket also needs a Download URL.',
			},
			{
				name: 'Upload (POST)',
				value: 'post',
				description:
					'Upload the file as a form to a storage that the service can read, for instance one with a signed form',
			},
			{
				name: 'I Upload It Myself',
				value: 'none',
				description:
					'Only build the files and the jobs. Upload each file with another node, e.g. FTP, then start its job with the operation Create.',
			},
		],
		default: 'n8n',
		builderHint: {
			propertyHint:
				'Keep "n8n" if this n8n has a public https address. Otherwise "put" with a pre-signed uploadUrl that contains {file}',
		},
		description: 'Where the service finds the file with the rows',
	},
	{
		displayName: 'Upload URL',
		name: 'uploadUrl',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. https://files.example.org/{file}?signature=...',
		displayOptions: { show: { hosting: ['put', 'post'] } },
		description:
			"Where to upload the file. {file} stands for the name of the file, which is different for each file and run. Without it, simultaneous runs replace each other's files.",
	},
	{
		displayName: 'Download URL',
		name: 'downloadUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://files.example.org/{file}',
		displayOptions: { show: { hosting: ['put', 'post'] } },
		description:
			'Where the service downloads the file. Use {file} for the file name. Leave empty if the upload address (PUT) or the response (POST) can be read without a signature.',
	},
	{
		displayName: 'Form Fields',
		name: 'formFields',
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add Form Field',
		default: {},
		displayOptions: { show: { hosting: ['post'] } },
		description:
			'Fields to send before the file, as the storage service requires them. {file} in a value stands for the name of the file.',
		options: [
			{
				displayName: 'Field',
				name: 'field',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder: 'e.g. key',
						description: 'Name of the form field',
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						default: '',
						description: 'Value of the form field. Use {file} for the file name.',
					},
				],
			},
		],
	},
];

export function hostingOf({ parameters }: NodeContext): 'n8n' | 'none' | 'post' | 'put' {
	return parameters.choice('hosting', ['n8n', 'none', 'post', 'put']);
}

/** Hosts a zip file and returns its address for the service. */
export type Host = (zip: Buffer, zipName: string) => Promise<string>;

function insertFileName(template: string, zipName: string): string {
	return template.replaceAll(PLACEHOLDER, encodeURIComponent(zipName));
}

function withoutQuery(address: string): string {
	return address.split(/[?#]/, 1)[0] ?? '';
}

/** Throws InvalidInput if an option needs what the rows came to, and the node would not read it. */
export function requireOutcome(node: NodeContext, way: WaitWay, field: string): void {
	if (way !== 'none' && hostingOf(node) !== 'none') return;
	const text = `needs the outcome of the rows. Do not set Wait for the Outcome to Not at All or ${HOSTING_LABEL} to I Upload It Myself, or remove this option.`;
	throw new InvalidInput([{ field, text }]);
}

/** What to check if the service could not fetch a file; empty for uploads. */
export function adviceOnLink(address: string): string {
	return address.includes('/binary-data/signed?')
		? ' If the file could not be fetched: the service must reach the public address of this n8n, and in queue mode its main process and its workers must keep files in one place (N8N_DEFAULT_BINARY_DATA_MODE: database).'
		: '';
}

async function n8nLink({ helpers }: IExecuteFunctions, zip: Buffer, name: string): Promise<string> {
	const file = await helpers.prepareBinaryData(zip, name, 'application/zip');
	const link = file.id === undefined ? undefined : helpers.createBinarySignedUrl(file);
	if (link?.startsWith('https://')) return link;
	const text =
		link === undefined
			? 'This n8n keeps files in memory, so it cannot make links to them. Ask its administrator to set N8N_DEFAULT_BINARY_DATA_MODE to filesystem (in queue mode: database), or choose an upload.'
			: `Links to files on this n8n begin with ${withoutQuery(link).split('/rest/')[0] ?? 'http'}, but the service only fetches https. Ask its administrator to set WEBHOOK_URL (in newer versions N8N_WEBHOOK_URL) to the public https address (in queue mode, for workers, too), or choose an upload.`;
	throw new InvalidInput([{ field: HOSTING_LABEL, text }]);
}

/** The address in the response to an upload: `url` or Location. */
function addressIn(text: string, location: string | undefined, target: string): string | undefined {
	let address = location;
	try {
		const body: unknown = JSON.parse(text);
		if (body !== null && typeof body === 'object' && 'url' in body && typeof body.url === 'string')
			address = body.url;
	} catch {
		// Many storages respond with XML or an empty body.
	}
	return address !== undefined && URL.canParse(address, target)
		? new URL(address, target).href
		: address;
}

/** What a storage asks for in addition to the file: Azure wants the kind of a new object. */
export function headersFor(target: string): Record<string, string> {
	const isAzure = new URL(target).hostname.toLowerCase().includes('.blob.core.');
	return isAzure ? { 'x-ms-blob-type': 'BlockBlob' } : {};
}

/** Problems of an upload that can be found before it. */
function uploadProblems(
	isPut: boolean,
	uploadUrl: string,
	downloadUrl: string,
	hasSeveral: boolean,
): Problem[] {
	const problems: Problem[] = [];
	const target = insertFileName(uploadUrl, ANY_NAME);
	if (!URL.canParse(target) || !isProtectedAddress(new URL(target)))
		problems.push({ field: 'Upload URL', text: 'is not an https address. Correct it.' });
	const text =
		downloadUrl === '' ? undefined : sourceUrlProblem(insertFileName(downloadUrl, ANY_NAME));
	if (text !== undefined) problems.push({ field: 'Download URL', text });
	// Without a Download URL, the service gets the upload address without its query.
	const toFill = downloadUrl === '' ? withoutQuery(uploadUrl) : uploadUrl;
	// A form always goes to one address; its fields name the file.
	const needsPlaceholder = { 'Upload URL': isPut ? toFill : '', 'Download URL': downloadUrl };
	for (const [field, address] of Object.entries(needsPlaceholder)) {
		const several = `The rows fill several files, and each needs its own address. Put ${PLACEHOLDER} where the name of the file belongs, or raise the limits per file.`;
		if (hasSeveral && address !== '' && !address.includes(PLACEHOLDER))
			problems.push({ field, text: several });
	}
	return problems;
}

/** The parameter as the user wrote it, before expressions are evaluated. */
function isConstant(value: unknown): boolean {
	// An expression without brackets is always the same text.
	const isExpression = typeof value === 'string' && value.startsWith('=') && value.includes('{{');
	return typeof value === 'string' && !isExpression && !/\{file\}|\$\{filename\}/.test(value);
}

/** The field of a form that names the file at its storage. */
function isFileName({ name, value }: FieldValues): boolean {
	return String(name).toLowerCase() === 'key' || String(value).endsWith('.zip');
}

/** n8n deletes the files of an execution that it does not save, which may be before the job has begun. */
function deletionWarnings({ functions, parameters }: NodeContext): string[] {
	const waits = parameters.in('options').text('waitForOutcome') !== 'none';
	const isSaved = functions.getWorkflowSettings().saveDataSuccessExecution !== 'none';
	if (waits || isSaved) return [];
	return [
		'This workflow does not save successful executions, and n8n deletes the file of the import with its execution. Set Wait for the Outcome to In Memory or In the Database, save the executions, or choose an upload.',
	];
}

/** Addresses that another run can overwrite before the service has downloaded the file. */
export function hostingWarnings(node: NodeContext): string[] {
	const { parameters } = node;
	const hosting = hostingOf(node);
	if (hosting === 'n8n') return deletionWarnings(node);
	if (hosting === 'none') return [];
	const downloadUrl = parameters.unevaluated('downloadUrl') ?? '';
	const fields = parameters.unevaluatedEntries('formFields', 'field').filter(isFileName);
	const addresses = {
		'Upload URL': hosting === 'put' ? [parameters.unevaluated('uploadUrl')] : [],
		'Form Fields': hosting === 'post' ? fields.map(({ value }) => value) : [],
		'Download URL': downloadUrl === '' ? [] : [downloadUrl],
	};
	const constant = Object.entries(addresses).flatMap(([field, values]) =>
		values.some(isConstant) ? field : [],
	);
	if (constant.length === 0) return [];
	return [
		`The address of the file is the same in every run (${constant.join(', ')}): a run at the same time replaces the file. Put ${PLACEHOLDER} where the name of the file belongs.`,
	];
}

/**
 * Throws {@link InvalidInput} for settings that cannot work.
 * @param hasSeveral whether there is more than one file
 */
export function hostOf(context: ServiceContext, hasSeveral: boolean): Host {
	const { functions, parameters, service } = context;
	const hosting = hostingOf(context);
	if (hosting === 'n8n') return async (zip, zipName) => await n8nLink(functions, zip, zipName);
	const isPut = hosting === 'put';
	const uploadUrl = parameters.text('uploadUrl');
	const downloadUrl = parameters.text('downloadUrl');
	throwIfAny(uploadProblems(isPut, uploadUrl, downloadUrl, hasSeveral));
	const fields = parameters.entries('formFields', 'field');
	const addresses = new Set<string>();
	return async (zip, zipName) => {
		const target = insertFileName(uploadUrl, zipName);
		const response = await service.files.upload(
			target,
			isPut
				? {
						method: 'PUT',
						content: zip,
						contentType: 'application/zip',
						headers: headersFor(target),
					}
				: { method: 'POST', content: formOf(fields, zip, zipName) },
		);
		const named = downloadUrl === '' ? undefined : insertFileName(downloadUrl, zipName);
		const address =
			named ??
			(isPut ? withoutQuery(target) : addressIn(response.text, response.headers.location, target));
		if (address === undefined) {
			const text =
				'is empty, and the response to the upload names no address. Enter where the service finds the file.';
			throw new InvalidInput([{ field: 'Download URL', text }]);
		}
		// The previous job may fetch this file instead of its own: these rows would be imported twice,
		// those of the other file never.
		if (addresses.has(address)) {
			throw new ServiceError({
				message: 'The responses to two uploads name the same address',
				description: `This upload replaced the previous job's file. Check in the service which rows were imported before importing any of them again. Put ${PLACEHOLDER} into the form field that names the file.`,
				outcomeUnknown: true,
			});
		}
		addresses.add(address);
		return address;
	};
}

/** Throws {@link InvalidInput} if the service could not get a file this way, as far as n8n can tell. */
export async function checkHosting(context: ServiceContext, hasSeveral: boolean): Promise<void> {
	const hosting = hostingOf(context);
	if (hosting === 'none') return;
	const host = hostOf(context, hasSeveral);
	if (hosting === 'n8n') await host(Buffer.from('dry run'), 'dry-run.zip');
}

function formOf(fields: FieldValues[], zip: Buffer, zipName: string): FormData {
	const form = new FormData();
	for (const { name, value } of fields)
		if (name) form.append(String(name), String(value ?? '').replaceAll(PLACEHOLDER, zipName));
	// Last: storages with signed forms ignore what follows the file.
	form.append('file', new Blob([zip], { type: 'application/zip' }), zipName);
	return form;
}

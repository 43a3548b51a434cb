import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { readConnection } from '../nodes/shared/service/connection';
import { endpoints } from '../nodes/shared/service/endpoints';

type TestRules = NonNullable<ICredentialTestRequest['rules']>;
type TestRule = TestRules[number];

/** Reading and checking a credential for every call would cost more than the rest of its preparation. */
const headersOf = new WeakMap<ICredentialDataDecryptedObject, Record<string, string>>();

/** The node's own calls stop at a redirect; so must the test, or the key would go where it points. */
const redirectRules: TestRule[] = [301, 302, 303, 307, 308].map((value) => ({
	type: 'responseCode',
	properties: {
		value,
		message:
			'The service answered with a redirect to another address, and the key was not sent there. Check Base URL and API Version: enter the address at which the service itself answers.',
	},
}));

/**
 * n8n's test cannot look for a shape, but at the beginning of an answer read as text: lists do not begin
 * as pages do.
 */
const strangeAnswerRules: TestRule[] = [
	...['<', '\n', '\r', '\t', ' '].map((value) => ({ key: '0', value })),
	{ key: 'length', value: 0 },
].map((sign) => ({
	type: 'responseSuccessBody',
	properties: {
		...sign,
		message:
			'Something other than the service answered: a web page, or nothing at all. Check Base URL and API Version; a login page or a proxy may stand in between.',
	},
}));

export class NativeApi implements ICredentialType {
	name = 'nativeApi';

	displayName = 'Native API';

	icon = { light: 'file:../icons/native.svg', dark: 'file:../icons/native.dark.svg' } as const;

	documentationUrl = 'https://github.com/example-org/n8n-nodes-native#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.org',
			description:
				'Address of the service, without the version. It must begin with https://, so that nobody on the way can read the key.',
		},
		{
			displayName: 'API Version',
			name: 'apiVersion',
			type: 'string',
			default: 'v2',
			placeholder: 'e.g. v2',
			description: 'Part of the address after Base URL. Leave empty if your deployment has none.',
		},
		{
			displayName: 'Authentication',
			name: 'authentication',
			type: 'options',
			options: [
				{ name: 'Basic (Username and Key)', value: 'basic' },
				{ name: 'Header (apiKey)', value: 'header' },
			],
			default: 'basic',
			description:
				'How the key is sent. Both are accepted by the service; some deployments accept Basic only.',
		},
		{
			displayName: 'Username',
			name: 'username',
			type: 'string',
			default: 'apiuser',
			displayOptions: { show: { authentication: ['basic'] } },
			description:
				'Leave "apiuser" unless the service operator gave you an application name together with the key',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			placeholder: 'e.g. 01234567-89ab-cdef-0123-456789abcdef',
			description:
				'The key the service operator issued. If it ends with "|0" or "|1", leave that out and choose the digit in Database Mode.',
		},
		{
			displayName: 'Database Mode',
			name: 'databaseMode',
			type: 'options',
			options: [
				{ name: 'None', value: 'none', description: 'The key is sent alone' },
				{ name: 'Voter File (0)', value: '0', description: 'The key is sent with |0 at its end' },
				{ name: 'Campaign (1)', value: '1', description: 'The key is sent with |1 at its end' },
			],
			default: 'none',
			description:
				'Which database the key opens, on deployments that have two. Person IDs of the two are not the same.',
		},
		{
			displayName: 'Identifier Prefix',
			name: 'identifierPrefix',
			type: 'string',
			default: 'Native',
			placeholder: 'e.g. Van',
			description:
				'The word your deployment puts before ID: with "Native" a person has a NativeId, with "Van" a VanId',
		},
		{
			displayName: 'Rate Tier',
			name: 'rateTier',
			type: 'options',
			options: [
				{
					name: 'Concurrent Requests Only',
					value: 'concurrency',
					description: 'No rate, but a number of requests at a time that you enter',
				},
				{
					name: 'Custom Integration',
					value: 'custom',
					description: '200, 15 and 4 requests per second (High, Medium, Low), 30 million a month',
				},
				{
					name: 'Legacy (Before November 2025)',
					value: 'legacy',
					description: '2 per second for find-or-create, 5 for everything else',
				},
				{ name: 'Manual', value: 'manual', description: 'Rates you enter yourself' },
				{
					name: 'Partner: Preferred',
					value: 'preferred',
					description: '200, 15 and 4 requests per second, no monthly limit',
				},
				{
					name: 'Partner: Standard',
					value: 'standard',
					description: '50, 10 and 3 requests per second, 50 million a month',
				},
				{
					name: 'Partner: Startup',
					value: 'startup',
					description: '10, 5 and 2 requests per second, 1 million a month',
				},
			],
			default: 'custom',
			description:
				'How many requests your key may send, as agreed with the service operator. The nodes keep exactly to it.',
		},
		{
			displayName: 'High Rate',
			name: 'rateHigh',
			type: 'number',
			default: 5,
			typeOptions: { minValue: 0.1 },
			displayOptions: { show: { rateTier: ['manual'] } },
			description: 'Requests per second for canvass responses',
		},
		{
			displayName: 'Medium Rate',
			name: 'rateMedium',
			type: 'number',
			default: 5,
			typeOptions: { minValue: 0.1 },
			displayOptions: { show: { rateTier: ['manual'] } },
			description: 'Requests per second for everything that is neither High nor Low',
		},
		{
			displayName: 'Low Rate',
			name: 'rateLow',
			type: 'number',
			default: 2,
			typeOptions: { minValue: 0.1 },
			displayOptions: { show: { rateTier: ['manual'] } },
			description: 'Requests per second for bulk import and for finding people',
		},
		{
			displayName: 'Concurrent Requests',
			name: 'concurrentRequests',
			type: 'number',
			default: 5,
			typeOptions: { minValue: 1 },
			displayOptions: { show: { rateTier: ['concurrency'] } },
			description:
				'How many requests may be under way at the same time, counted over all nodes and workflows of this n8n that use the key',
		},
		{
			displayName: 'Monthly Requests',
			name: 'monthlyRequests',
			type: 'number',
			default: 0,
			typeOptions: { minValue: 0 },
			displayOptions: { show: { rateTier: ['manual', 'concurrency'] } },
			description:
				'How many requests the key may send in a calendar month (UTC); 0 for no limit. Once this n8n has sent as many, further items fail without being sent.',
		},
		{
			displayName: 'Rate Share (%)',
			name: 'rateShare',
			type: 'number',
			default: 100,
			typeOptions: { minValue: 1, maxValue: 100 },
			description:
				'Share of the limits of the key that this n8n may use. Several n8n workers on one key settle by themselves; lower it to keep a fixed part free for other tools.',
		},
	];

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		// n8n gives the same object for every call of an execution.
		let headers = headersOf.get(credentials);
		if (!headers) {
			headers = readConnection(credentials).authenticationHeaders;
			headersOf.set(credentials, headers);
		}
		return { ...requestOptions, headers: { ...requestOptions.headers, ...headers } };
	}

	test: ICredentialTestRequest = {
		request: {
			// The same address as that of the nodes, whatever slashes and blanks were entered around it.
			baseURL:
				'={{ ($credentials.baseUrl.trim().replace(/[/]+$/, "") + "/" + $credentials.apiVersion.trim().replace(/^[/]+/, "")).replace(/[/]+$/, "") }}',
			url: endpoints.listCodeTypes.path,
			method: endpoints.listCodeTypes.method,
			disableFollowRedirect: true,
			encoding: 'text',
		},
		// n8n types them as all of one kind, but judges each by its own.
		rules: [
			...redirectRules,
			...strangeAnswerRules,
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The service did not accept this key. Check API Key, Authentication, Username and Database Mode.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message:
						'The key is accepted, but it may not read code types, which this test uses. Other operations may still work: the node names the one that is refused.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message: 'There is no such service at this address. Check Base URL and API Version.',
				},
			},
		] as TestRules,
	};
}

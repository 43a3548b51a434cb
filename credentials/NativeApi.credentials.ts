import type {
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';

import { readConnection } from '../nodes/shared/service/connection';

/** n8n hands over one object for every call of an execution: read and check it once. */
const headersOf = new WeakMap<ICredentialDataDecryptedObject, Record<string, string>>();

/** Fields that a known deployment fixes. */
const otherOnly = { show: { deployment: ['other'] } };

const databaseMode = {
	displayName: 'Database Mode',
	name: 'databaseMode',
	type: 'options',
	default: '1',
	description: 'The database that the key opens. Each has its own person IDs.',
} satisfies INodeProperties;

const databases = [
	{
		name: 'Campaign (1)',
		value: '1',
		description: 'My Campaign, and every EveryAction database',
	},
	{ name: 'Voter File (0)', value: '0', description: 'My Voters' },
];

const manualRate = (category: string, perSecond: number, description: string): INodeProperties => ({
	displayName: `${category} Rate (Requests per Second)`,
	name: `rate${category}`,
	type: 'number',
	default: perSecond,
	typeOptions: { minValue: 0.1 },
	displayOptions: { show: { deployment: ['other'], rateTier: ['manual'] } },
	description,
});

/** A number that differs by deployment; known deployments have the default. */
const limit = (
	displayName: string,
	name: string,
	otherwise: number,
	description: string,
	typeOptions: INodeProperties['typeOptions'],
): INodeProperties => ({
	displayName,
	name,
	type: 'number',
	default: otherwise,
	typeOptions,
	displayOptions: otherOnly,
	description,
});

export class NativeApi implements ICredentialType {
	name = 'nativeApi';

	displayName = 'Native (EveryAction, NGP VAN) API';

	icon = { light: 'file:../icons/native.svg', dark: 'file:../icons/native.dark.svg' } as const;

	documentationUrl = 'https://github.com/example-org/n8n-nodes-native#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Deployment',
			name: 'deployment',
			type: 'options',
			options: [
				{
					name: 'Native Interface (v2)',
					value: 'native',
					description: 'Asks for the address and the key',
				},
				{
					name: 'EveryAction / NGP VAN (v4)',
					value: 'van',
					description: 'Asks for the application name, the key and the database',
				},
				{
					name: 'Other',
					value: 'other',
					description: 'Asks for every setting, such as version, authentication and rate limits',
				},
			],
			default: 'native',
			description: 'Which service the key belongs to. It decides which fields are shown.',
		},
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { deployment: ['native', 'other'] } },
			placeholder: 'e.g. https://api.example.org',
			description:
				'Address of the service, without the version. It must begin with https:// to protect the key.',
		},
		{
			displayName: 'API Version',
			name: 'apiVersion',
			type: 'string',
			default: 'v2',
			displayOptions: otherOnly,
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
			displayOptions: otherOnly,
			description:
				'How the key is sent. The service accepts both; some deployments accept only Basic.',
		},
		{
			displayName: 'Username',
			name: 'username',
			type: 'string',
			default: '',
			displayOptions: { show: { deployment: ['other'], authentication: ['basic'] } },
			placeholder: 'e.g. apiuser',
			description:
				'The application name, if the service operator gave you one with the key. Leave empty to send "apiuser".',
		},
		{
			displayName: 'Application Name',
			name: 'username',
			type: 'string',
			default: '',
			required: true,
			displayOptions: { show: { deployment: ['van'] } },
			placeholder: 'e.g. acme.sync',
			description: 'The name that was issued together with the key',
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
				'The key the service operator issued, without a "|0" or "|1" at its end: that digit is the database mode',
		},
		{
			...databaseMode,
			options: databases,
			displayOptions: { show: { deployment: ['van'] } },
		},
		{
			...databaseMode,
			options: [
				...databases,
				{
					name: 'None',
					value: 'none',
					description: 'The key is sent alone, for a deployment with one database',
				},
			],
			displayOptions: otherOnly,
		},
		{
			displayName: 'Identifier Prefix',
			name: 'identifierPrefix',
			type: 'string',
			default: 'Native',
			displayOptions: otherOnly,
			placeholder: 'e.g. Van',
			description: 'Prefix of ID names: Native gives NativeId, Van gives VanId',
		},
		{
			displayName: 'Rate Tier',
			name: 'rateTier',
			type: 'options',
			options: [
				{
					name: 'Concurrent Requests Only',
					value: 'concurrency',
					description: 'Limit concurrent requests instead of requests per second',
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
			displayOptions: otherOnly,
			description: 'How many requests the key may send, as agreed with the service operator',
		},
		manualRate('High', 5, 'For canvass responses'),
		manualRate('Medium', 5, 'For everything that is neither High nor Low'),
		manualRate('Low', 2, 'For bulk import and for finding people'),
		{
			displayName: 'Concurrent Requests',
			name: 'concurrentRequests',
			type: 'number',
			default: 5,
			typeOptions: { minValue: 1 },
			displayOptions: { show: { deployment: ['other'], rateTier: ['concurrency'] } },
			description:
				'Maximum number of requests at the same time, across all nodes and workflows of this n8n that use the key',
		},
		{
			displayName: 'Monthly Requests',
			name: 'monthlyRequests',
			type: 'number',
			default: 0,
			typeOptions: { minValue: 0 },
			displayOptions: { show: { deployment: ['other'], rateTier: ['manual', 'concurrency'] } },
			description:
				'Maximum number of requests in a calendar month (UTC). 0 means no limit. When the limit is reached, remaining items fail without being sent.',
		},
		{
			displayName: 'Rate Share (%)',
			name: 'rateShare',
			type: 'number',
			default: 100,
			typeOptions: { minValue: 1, maxValue: 100 },
			displayOptions: otherOnly,
			description:
				'Share of the rate limit that this n8n may use. Workers that share a key balance automatically; lower it to keep a part free for other tools.',
		},
		limit(
			'Max Rows per File',
			'maxRowsPerFile',
			0,
			'Maximum number of rows that the service accepts in one file. 0 means no limit.',
			{ minValue: 0 },
		),
		limit(
			'Max Zip Size (MB)',
			'maxZipSizeMb',
			20,
			'Maximum size of one zip file. The service accepts 20 MB, some deployments up to 100 MB.',
			{ minValue: 1, maxValue: 100 },
		),
		limit(
			'Result File Size Limit (KB)',
			'resultFileSizeKbLimit',
			100000,
			'Maximum size of one result file. Known deployments accept 5000 to 100000.',
			{ minValue: 1 },
		),
		limit(
			'Poll Interval (Seconds)',
			'pollInterval',
			15,
			'Time between two checks of an import job. The first checks come sooner, later ones less often.',
			{ minValue: 1 },
		),
		limit(
			'Timeout (Seconds)',
			'timeout',
			60,
			'Maximum time to wait for each response. Uploads get 8 more seconds per megabyte.',
			{ minValue: 1 },
		),
	];

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		let headers = headersOf.get(credentials);
		if (!headers) {
			headers = readConnection(credentials).authenticationHeaders;
			headersOf.set(credentials, headers);
		}
		return { ...requestOptions, headers: { ...requestOptions.headers, ...headers } };
	}
}

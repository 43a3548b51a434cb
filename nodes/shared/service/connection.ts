import { lowerFirst, pick, trim } from 'lodash';
import { z } from 'zod';

import type { Sender } from '../transport/httpRequest';
import type { CallSettings } from '../transport/requestWithRetries';
import { valueAt, withValue } from './bodyProblem';
import { oneOf, text } from './bodySchema';
import { type Problem, throwIfAny } from './invalidInput';
import { isProtectedAddress } from './protectedAddress';
import { type RatePlan, rateTiers } from './rateTiers';

const number = z.number({ message: 'must be a number' });

const credentialSchema = z.object({
	deployment: oneOf(['native', 'van', 'other']).default('native'),
	baseUrl: text.default(''),
	apiVersion: text.default('v2'),
	authentication: oneOf(['basic', 'header']).default('basic'),
	username: text.default(''),
	apiKey: text.default(''),
	databaseMode: oneOf(['none', '0', '1']).default('none'),
	identifierPrefix: text.default('Native'),
	rateTier: oneOf(rateTiers).default('custom'),
	rateHigh: number.default(5),
	rateMedium: number.default(5),
	rateLow: number.default(2),
	concurrentRequests: number.default(5),
	monthlyRequests: number.default(0),
	rateShare: number.default(100),
	maxRowsPerFile: number.default(0),
	maxZipSizeMb: number.default(20),
	resultFileSizeKbLimit: number.default(100_000),
	pollInterval: number.default(15),
	timeout: number.default(60),
});

type Credential = z.infer<typeof credentialSchema>;

const defaults = credentialSchema.parse({});

const vanPreset = {
	...defaults,
	deployment: 'van',
	baseUrl: 'https://api.securevan.com',
	apiVersion: 'v4',
	identifierPrefix: 'Van',
} satisfies Credential;

/** Keeps only what the chosen deployment asks for: hidden fields keep earlier values. */
function withPreset(entered: Credential): Credential {
	const { deployment, baseUrl, apiKey, username, databaseMode } = entered;
	if (deployment === 'native') return { ...defaults, deployment, baseUrl, apiKey };
	if (deployment === 'van') return { ...vanPreset, username, apiKey, databaseMode };
	return entered;
}

const labels: Record<string, string> = {
	deployment: 'Deployment',
	baseUrl: 'Base URL',
	apiVersion: 'API Version',
	authentication: 'Authentication',
	username: 'Username',
	apiKey: 'API Key',
	databaseMode: 'Database Mode',
	identifierPrefix: 'Identifier Prefix',
	rateTier: 'Rate Tier',
	rateHigh: 'High Rate',
	rateMedium: 'Medium Rate',
	rateLow: 'Low Rate',
	concurrentRequests: 'Concurrent Requests',
	monthlyRequests: 'Monthly Requests',
	rateShare: 'Rate Share',
	maxRowsPerFile: 'Max Rows per File',
	maxZipSizeMb: 'Max Zip Size',
	resultFileSizeKbLimit: 'Result File Size Limit',
	pollInterval: 'Poll Interval',
	timeout: 'Timeout',
};

/** Identifiers that contain the vendor's name: `Native`, or that of the deployment (service.md 1.5). */
export interface Vocabulary {
	/** Property of JSON bodies, e.g. `nativeId`. */
	personId: string;
	/** File column and field name, e.g. `NativeId`. */
	personIdColumn: string;
	/** What exports of the database of the credential call that column, and those of the other one. */
	personIdHeaders: { own: readonly string[]; ofOther: readonly string[] };
}

/** A person has one ID in the voter file, and another one in the campaign database (service.md 1.5). */
const PERSON_ID_HEADERS = {
	'0': 'Voter File VANID, VoterFile VAN ID, VF VANID, Voter VANID, My Voters VANID, My Voters ID, MyVoter VANID, MyVoter ID, MyV VANID',
	'1': 'My Campaign VANID, My Campaign ID, MyC VANID, My Members VANID, My Members ID, EveryAction VANID, EveryAction ID, EA VANID, Campaign VANID, Constituent VANID',
};

export function vocabularyOf(prefix: string, database: 'none' | '0' | '1' = 'none'): Vocabulary {
	const namesOf = (one: '0' | '1'): string[] => PERSON_ID_HEADERS[one].split(', ');
	const ofOther = (['0', '1'] as const).filter((one) => one !== database).flatMap(namesOf);
	const own = database === 'none' ? [] : namesOf(database);
	return {
		personId: `${lowerFirst(prefix)}Id`,
		personIdColumn: `${prefix}Id`,
		personIdHeaders: { own, ofOther },
	};
}

export interface Target {
	/** `campaign database at https://api.example.org/v4 (EveryAction / NGP VAN), key "…77"`. */
	text: string;
	/** The database, for memories and comparisons: settings such as the deployment may change. */
	identity: string;
}

/** What differs by deployment, apart from the rate. */
export type ServiceLimits = Pick<
	Credential,
	'maxRowsPerFile' | 'maxZipSizeMb' | 'resultFileSizeKbLimit' | 'pollInterval' | 'timeout'
>;

export interface Connection {
	limits: ServiceLimits;
	/** Base URL with version, without a trailing slash. */
	root: string;
	authenticationHeaders: Record<string, string>;
	vocabulary: Vocabulary;
	ratePlan: RatePlan;
	/** Identifies the key's limiter: base URL and key. */
	rateIdentity: string;
	target: Target;
	secrets: string[];
}

/** What one execution of a node provides for its calls. Its sender adds the credential. */
export interface ServiceSession
	extends Omit<CallSettings, 'limiter' | 'retryClass' | 'countRequest' | 'stats'> {
	connection: Connection;
	sender: Sender;
	/** For links that must not get the credential. */
	anonymousSender: Sender;
	timeoutMs: number;
}

// service.md 7.1.
const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const DEFAULT_USERNAME = 'apiuser';

function rootProblem(baseUrl: string): string | undefined {
	if (baseUrl === '')
		return 'is empty. Enter the address of the service, e.g. https://api.example.org.';
	if (!URL.canParse(baseUrl))
		return 'is not an address. Enter it with https://, e.g. https://api.example.org.';
	const url = new URL(baseUrl);
	if (!isProtectedAddress(url)) {
		return 'must begin with https:// to protect the key. Plain http is allowed for this machine only (localhost).';
	}
	if (url.username || url.password)
		return 'must not contain a user or password. Enter the key in API Key.';
	if (url.search || url.hash)
		return 'must not contain ? or #. Enter the address up to the version only.';
	return undefined;
}

function keyProblem({ apiKey, deployment }: Credential): string | undefined {
	if (GUID.test(apiKey)) return undefined;
	if (apiKey === '') return 'is empty. Enter the key the service operator issued.';
	// n8n makes a line break of a bar in a hidden field.
	const [beforeBar] = apiKey.split(/[|\n]/);
	if (beforeBar !== undefined && beforeBar !== apiKey && GUID.test(beforeBar.trim())) {
		return deployment === 'native'
			? 'must be the key alone. Remove the "|" and the digit after it, or choose another Deployment if the key came with them.'
			: 'must be the key alone. Remove the "|" and the digit after it, and choose that digit in Database Mode.';
	}
	return 'does not look like a key, e.g. 01234567-89ab-cdef-0123-456789abcdef. Copy it again from the service operator’s message.';
}

/** The credential as entered, with what its deployment presets. Throws InvalidInput. */
function readCredential(data: unknown): Credential {
	const parsed = credentialSchema.safeParse(data);
	if (!parsed.success) {
		throwIfAny(
			parsed.error.issues.map((issue) => ({
				field: ['Credential', ...issue.path.map((name) => labels[name] ?? name)].join(' → '),
				text: `${withValue(issue.message, valueAt(data, issue.path))} Open the credential and correct it.`,
			})),
		);
	}
	const credential = withPreset(parsed.data ?? defaults);
	return { ...credential, apiVersion: trim(credential.apiVersion, '/') };
}

function manualRates({ rateHigh, rateMedium, rateLow }: Credential): RatePlan['manual'] {
	return { high: rateHigh, medium: rateMedium, low: rateLow };
}

function usernameProblem({ deployment, authentication, username }: Credential) {
	if (deployment === 'van' && username === '')
		return 'is empty. Enter the application name that was issued with the key.';
	return (
		authentication === 'basic' &&
		/[:\p{Cc}]/u.test(username) &&
		'must not contain a colon or control characters.'
	);
}

function credentialProblems(credential: Credential): Problem[] {
	const { apiVersion, rateTier, rateShare } = credential;
	const isVan = credential.deployment === 'van';
	const texts: { [Name in keyof Credential]?: string | false | undefined } = {
		baseUrl: rootProblem(credential.baseUrl),
		apiKey: keyProblem(credential),
		apiVersion:
			(!/^[A-Za-z0-9._-]*$/.test(apiVersion) || /^\.+$/.test(apiVersion)) &&
			'may only contain letters, digits, dots and dashes, e.g. v2. Leave it empty for none.',
		identifierPrefix:
			!/^[A-Za-z][A-Za-z0-9]*$/.test(credential.identifierPrefix) &&
			'must be one word of letters and digits, e.g. Native or Van.',
		username: usernameProblem(credential),
		databaseMode:
			isVan &&
			credential.databaseMode === 'none' &&
			'is not chosen. Choose the database that the key opens.',
		rateTier:
			rateTier === 'manual' &&
			Object.values(manualRates(credential)).some((rate) => !(rate > 0)) &&
			'Manual needs a number above 0 in each of the three rates.',
		concurrentRequests:
			rateTier === 'concurrency' && !(credential.concurrentRequests >= 1) && 'must be at least 1.',
		monthlyRequests: credential.monthlyRequests < 0 && 'must be above 0, or 0 for no limit.',
		rateShare: !(rateShare > 0 && rateShare <= 100) && 'must be above 0 and at most 100 percent.',
		maxRowsPerFile: !(credential.maxRowsPerFile >= 0) && 'must be above 0, or 0 for no limit.',
		maxZipSizeMb:
			!(credential.maxZipSizeMb >= 1 && credential.maxZipSizeMb <= 100) && 'must be from 1 to 100.',
		resultFileSizeKbLimit: !(credential.resultFileSizeKbLimit >= 1) && 'must be at least 1.',
		pollInterval: !(credential.pollInterval > 0) && 'must be above 0.',
		timeout: !(credential.timeout > 0) && 'must be above 0.',
	};
	return Object.entries(texts).flatMap(([name, text]) => {
		const label = isVan && name === 'username' ? 'Application Name' : labels[name];
		return text ? [{ field: `Credential → ${label}`, text }] : [];
	});
}

const DEPLOYMENTS = { native: ' (Native)', van: ' (EveryAction / NGP VAN)', other: '' };
const DATABASES = { none: '', '0': 'voter file at ', '1': 'campaign database at ' };

/** Throws InvalidInput naming the credential's fields; no message contains the key. */
export function readConnection(data: unknown): Connection {
	const credential = readCredential(data);
	throwIfAny(credentialProblems(credential));

	const { apiKey, apiVersion, authentication, databaseMode } = credential;
	const secret = databaseMode === 'none' ? apiKey : `${apiKey}|${databaseMode}`;
	const username = credential.username || DEFAULT_USERNAME;
	const basic = Buffer.from(`${username}:${secret}`).toString('base64');
	const baseUrl = new URL(credential.baseUrl);
	const version = apiVersion && `/${apiVersion}`;
	const names = trim(baseUrl.pathname, '/');
	const path = names && `/${names}`;
	// Some operators give the URL with its version.
	const root = `${baseUrl.origin}${path.endsWith(version) ? path : `${path}${version}`}`;
	const place = `${DATABASES[databaseMode]}${root}`;
	const keyEnd = apiKey.toLowerCase().slice(-4);
	return {
		limits: pick(
			credential,
			'maxRowsPerFile',
			'maxZipSizeMb',
			'resultFileSizeKbLimit',
			'pollInterval',
			'timeout',
		),
		root,
		authenticationHeaders:
			authentication === 'basic' ? { Authorization: `Basic ${basic}` } : { apiKey: secret },
		vocabulary: vocabularyOf(credential.identifierPrefix, databaseMode),
		ratePlan: {
			tier: credential.rateTier,
			manual: manualRates(credential),
			concurrentRequests: credential.concurrentRequests,
			monthlyRequests: credential.monthlyRequests,
			share: credential.rateShare / 100,
		},
		rateIdentity: `${baseUrl.origin} ${apiKey.toLowerCase()}`,
		target: {
			text: `${place}${DEPLOYMENTS[credential.deployment]}, key "…${keyEnd.slice(-2)}"`,
			identity: `${place} ${keyEnd}`,
		},
		// In the forms that a service may repeat; the padding of Base64 says nothing.
		secrets: [
			secret,
			apiKey,
			apiKey.replaceAll('-', ''),
			basic.replace(/={1,2}$/, ''),
			Buffer.from(`${username}:${secret}`).toString('base64url'),
		],
	};
}

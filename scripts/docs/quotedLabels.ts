import { isObject } from 'lodash';

/** Words on the screens of others, and in the lists that people have, which pages quote as well. */
const OTHERS = new Set(
	`
	n8n: Settings, Community nodes, Install a community node, Install, Update, Uninstall, Credentials, Create credential
	n8n: Create new credential, Save, More from the community, Import from file..., Import from URL..., Execute step, Open chat
	n8n: Fetch Test Event, Table, Executions, Filter, Highlighted data, Retry, Retry with original workflow
	n8n: Retry with currently saved workflow, On Error, Continue, Continue (using error output), Stop Workflow
	n8n: Retry On Fail, Always Output Data, Execute Once, Timeout Workflow, Binary Mode, Publish, Add field to send
	n8n nodes: Read/Write Files from Disk, Read File(s) From Disk, Extract from File, Header Row, Range, FTP
	n8n nodes: Execute Sub-workflow, Run once with all items, Run once for each item, Database, Any workflow
	n8n nodes: Local File, URL, Remove Duplicates, Scope, Node, Workflow, Send Email, Send and Wait for Approval
	n8n: Execute workflow, Tool, Production URL, Form URLs, Poll Times
	n8n nodes: Loop Over Items, Data Table, Insert, If Row Does Not Exist, Form, If
	npm: Access Tokens, Generate New Token, Granular, Read and write, Trusted Publisher, GitHub Actions
	npm: Require two-factor authentication and disallow tokens
	GitHub: Rules, Rulesets, Environments, New environment, Required reviewers, Deployment branches and tags, Security
	GitHub: Private vulnerability reporting, Add secret, Actions, Review deployments
	Creator Portal: Submit new node
	mapping types: Create or Update Contact, Apply External ID, Contacts, Keep Email Subscription
	mapping types: Keep Best Contact Methods, ActivistCode, OriginSourceCode, DepositNumber, Amount
	headers: Do Not Call, Email Status, Unsubscribed, Tags, Opt-In Date, Consented At, Street, Address 1, Address 2, State
	headers: State Code, Mobile, E-mail address, Mailing Address, Zip, Donor, What is your, Owner, Nom, Nombre
	headers: Voter First Name, Volunteer Email, Attendee 1, Attendee 2, Voter File VANID, MyC VANID, More Values
	terminal: Files
	sandbox: Events, Not Home, Online
	columns of examples: MayBeStored
	beginnings of paragraphs: Certain
	`
		.trim()
		.split('\n')
		.flatMap((line) => line.replace(/^.*?: /, '').split(', ')),
);

/** Words that Title Case leaves small. */
const SMALL = /^(?:a|an|and|as|at|by|for|from|if|in|of|on|or|the|to|was|with)$/;

/** Whether bold text is a label, and not the beginning of a paragraph. */
function isTitle(text: string): boolean {
	return text.split(' ').every((word) => SMALL.test(word) || !/^[a-z]/.test(word));
}

/** What a page quotes from the screen: `_Safety → Try First (Rows)_`, `**Columns: Chosen Here**`. */
function quotedLabels(page: string): string[] {
	const text = page.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '`');
	const quoted = text.matchAll(/(?<![\w*])\*\*([^*\n]+)\*\*(?!:)|(?<![\w_])_([^_\n]+)_(?![\w_])/g);
	return [...quoted]
		.flatMap(([, bold, italic]) => {
			const label = bold ?? italic ?? '';
			const isHead = /[.:?]$/.test(label) || (bold !== undefined && !isTitle(bold));
			return isHead ? [] : label.split(/ → |: /);
		})
		.filter((label) => /^[A-Z]/.test(label));
}

/** The names that a node or credential shows: of fields, choices, groups, actions and the node itself. */
export function shownNames(description: unknown): string[] {
	if (!isObject(description)) return [];
	return Object.entries(description).flatMap(([key, value]) =>
		['displayName', 'name', 'action'].includes(key) && typeof value === 'string'
			? // Pages leave out the unit.
				[value, value.replace(/ \([^)]*\)$/, '')]
			: shownNames(value),
	);
}

/**
 * Labels that pages quote and nobody finds on the screen, a sentence each.
 * @param pages their texts by their paths
 * @param shown names that the package shows
 * @param source of the package, whose own pages have buttons
 */
export function unknownLabels(
	pages: ReadonlyMap<string, string>,
	shown: ReadonlySet<string>,
	source: string,
): string[] {
	return [...pages].flatMap(([path, text]) =>
		[...new Set(quotedLabels(text))]
			.filter((label) => !shown.has(label) && !OTHERS.has(label) && !source.includes(`>${label}<`))
			.map((label) => `${path} quotes "${label}", which is on no screen.`),
	);
}

/** What no measurement changes, for the end of docs/performance.md: lines of Markdown. */
export const KNOWN_LIMITS = [
	'## Connections',
	'',
	'Every request opens a connection of its own. n8n creates new agents for each request (2.8.4 in `setAxiosAgents` of its request helper, 2.41.1 in `buildNodeAgents` of `@n8n/backend-network`), and a node cannot pass one: `IHttpRequestOptions` has no field for it, and the `agentOptions` of the older `helpers.request` also end in a new agent. The built-in `fetch` of Node keeps connections, but ignores the proxy and SSRF settings of n8n and the `authenticate` of the credential, and agents of one’s own need `http` and `https`, which verified nodes may not import. So over https about half of the processor time of a request goes into its TLS handshake; HTTP Request pays the same.',
	'',
	'## Several processes on one key',
	'',
	'`npm run simulate` (bench/pace/results.md) counts the same on a network with delays of its own. From the first to the last of 3,000 posts each, on a network of 100 ms, three processes reach 93.7 % of the limit with 2.2 % rejected (goals: 97 % and 1 %), eight have 5.6 % rejected (goal: 3 %), and a true limit of 50 per second behind a tier of 200 is used to 96.5 % with 1.9 % rejected (goals: 98 % and 2 %). After another client took half of the key for 5 s, the pace is back at 98 % after 1.9 s at the simulated moments, and after 2.0 s on average (2.8 s at worst) over other ones (goal: 2 s).',
	'',
	'The goals work against each other. The service names no share, so a process learns its own from rejections only. What all have on the way when the limit is first reached is rejected: 0.7 % for three, 1.6 % for eight. And to return within 2 s, each must try for more at least every 2.2 s; at one rejection per failed try that is 1.3 % for three in the long run and 3.4 % for eight. About 60 variations of the rule were compared; each that had fewer rejections returned more slowly.',
	'',
	'## Where n8n itself stalls',
	'',
	'The nodes work through their items in slices of 5 ms. n8n’s own handling of items does not: with an error output (_Continue (using error output)_), it pairs items quadratically, which stops the whole n8n process for 17 to 21 s at 200,000 items. Above about 50,000 items, use _Continue_ without an error output, split the items with _Loop Over Items_, or import from a file, where no items pass through n8n.',
	'',
];

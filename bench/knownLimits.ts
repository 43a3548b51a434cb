/** What no measurement changes, for the end of docs/performance.md: lines of Markdown. */
export const KNOWN_LIMITS = [
	'## Connections',
	'',
	'Every request opens a connection of its own. n8n creates new agents for each request (2.8.4 in `setAxiosAgents` of its request helper, 2.41.1 in `buildNodeAgents` of `@n8n/backend-network`), and a node cannot pass one: `IHttpRequestOptions` has no field for it, and the `agentOptions` of the older `helpers.request` also end in a new agent. The built-in `fetch` of Node keeps connections, but ignores the proxy and SSRF settings of n8n and the `authenticate` of the credential, and agents of one’s own need `http` and `https`, which verified nodes may not import. So over https about half of the processor time of a request goes into its TLS handshake; HTTP Request pays the same.',
	'',
	'## Where n8n itself stalls',
	'',
	'The nodes work through their items in slices of 5 ms. n8n’s own handling of items does not: with an error output (_Continue (using error output)_), it pairs items quadratically, which stops the whole n8n process for 17 to 21 s at 200,000 items. Above about 50,000 items, use _Continue_ without an error output, split the items with _Loop Over Items_, or import from a file, where no items pass through n8n.',
	'',
];

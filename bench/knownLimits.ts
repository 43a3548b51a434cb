/** What no measurement changes, for the end of docs/performance.md: lines of Markdown. */
export const KNOWN_LIMITS = [
	'## Connections',
	'',
	'Every request opens a connection of its own. n8n creates new agents for each request (2.8.4 in `setAxiosAgents` of its request helper, 2.41.1 in `buildNodeAgents` of `@n8n/backend-network`), and a node cannot pass one: `IHttpRequestOptions` has no field for it, and the `agentOptions` of the older `helpers.request` also end in a new agent. Node’s built-in `fetch` keeps connections, but ignores n8n’s proxy and SSRF settings and the credential’s `authenticate`, and an agent of our own needs `http` and `https`, which verified nodes may not import. So each request over https pays for a TLS handshake; HTTP Request pays the same.',
	'',
	'## Several processes on one key',
	'',
	'`npm run bench -- pace` simulates processes that share a key on a network with delays of its own, and writes what they reach to [bench/pace/results.md](../bench/pace/results.md).',
	'',
	'The goals work against each other. The service names no share, so a process learns its own from rejections only. When the limit is first reached, all requests in flight are rejected. Each later try for more costs one of the processes a call if there is no room. Fewer tries mean fewer rejections, but shares that differ at the start stay different: one process ends first, and the others take longer to notice. We compared rules with more patience, with longer waits, and with a common start from a low rate: each one that had fewer rejections was slower to balance the shares or to return to the full rate.',
	'',
	'## Where n8n itself stalls',
	'',
	'The nodes work through their items in slices of 5 ms. n8n’s own handling of items does not: with an error output (_Continue (using error output)_), it pairs items quadratically, which blocks the whole n8n process for seconds with 200,000 items. Above about 50,000 items, use _Continue_ without an error output, split the items with _Loop Over Items_, or import from a file, where no items pass through n8n.',
	'',
];

/**
 * Who publishes must be named. package.json holds it; everything else is written from there.
 *
 * @typedef {object} Owner
 * @property {string} homepage
 * @property {{ url: string }} repository
 * @property {{ url: string }} bugs
 * @property {{ name: string, email: string }} author
 */

/**
 * The values of package.json that are still placeholders.
 *
 * @param {Owner} manifest
 * @returns {string[]}
 */
export function placeholders({ homepage, repository, bugs, author }) {
	const values = {
		homepage,
		'repository.url': repository.url,
		'bugs.url': bugs.url,
		'author.name': author.name,
		'author.email': author.email,
	};
	return Object.entries(values)
		.filter(([, value]) => /example-org|example\.org|^n8n-nodes-native maintainers$/.test(value))
		.map(([name]) => name);
}

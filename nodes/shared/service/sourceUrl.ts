/** Why the service would not fetch a file from an address, to continue the name of its field; undefined if it would. */
export function sourceUrlProblem(sourceUrl: string): string | undefined {
	// Parsers take "https:host" for an address, too; not every service does.
	const isAddress = URL.canParse(sourceUrl) && /^[^:]+:\/\/[^/]/.test(sourceUrl);
	if (!isAddress)
		return 'is not an address. Enter where the service finds the zip file, e.g. https://files.example.org/import.zip.';
	// A parser takes "sftp://bob:1234#pw@host" for the host bob.
	if (/^[^:]+:\/\/[^/?#]*[/?#].*@/s.test(sourceUrl))
		return 'has an @ after a /, ? or #. If user or password contain these signs, write %2F for /, %3F for ?, %23 for # and %40 for @. Elsewhere in the address, write %40 for @.';
	const scheme = new URL(sourceUrl).protocol.replace(':', '');
	return ['sftp', 'ftps', 'https'].includes(scheme)
		? undefined
		: `begins with ${scheme}://, but the service only fetches sftp://, ftps:// and https:// addresses.`;
}

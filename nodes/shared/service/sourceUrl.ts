/**
 * Why the service could not fetch a file from a URL, to continue the field's name; undefined if it
 * could.
 */
export function sourceUrlProblem(sourceUrl: string): string | undefined {
	// Parsers accept "https:host" as a URL; not every service does.
	const isAddress = URL.canParse(sourceUrl) && /^[^:]+:\/\/[^/]/.test(sourceUrl);
	if (!isAddress)
		return 'is not an address. Enter where the service finds the zip file, e.g. https://files.example.org/import.zip.';
	// Parsers read "sftp://bob:1234#pw@host" as the host bob.
	if (/^[^:]+:\/\/[^/?#]*[/?#].*@/s.test(sourceUrl))
		return 'has an @ after a /, ? or #. If user or password contain these signs, write %2F for /, %3F for ?, %23 for # and %40 for @. Elsewhere in the address, write %40 for @.';
	const scheme = new URL(sourceUrl).protocol.replace(':', '');
	return ['sftp', 'ftps', 'https'].includes(scheme)
		? undefined
		: `begins with ${scheme}://, but the service only fetches sftp://, ftps:// and https:// addresses.`;
}

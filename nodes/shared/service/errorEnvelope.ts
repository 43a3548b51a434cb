import { z } from 'zod';

/** One entry of the error envelope: service.md 9.1. Lenient, because its shape is not in the contract. */
const entrySchema = z
	.object({
		code: z.union([z.string(), z.number()]).nullish(),
		text: z.string().nullish(),
		properties: z.array(z.string()).nullish(),
		hint: z.string().nullish(),
		referenceCode: z.string().nullish(),
	})
	.passthrough();
const envelopeSchema = z.object({ errors: z.array(entrySchema).min(1) }).passthrough();

export type ServiceErrorEntry = z.infer<typeof entrySchema>;

/** The error entries in a parsed body; empty if there are none. */
export function errorsIn(body: unknown): ServiceErrorEntry[] {
	// Most responses: a failed parse would build an error for each.
	if (body === null || typeof body !== 'object' || !('errors' in body)) return [];
	const parsed = envelopeSchema.safeParse(body);
	return parsed.success ? parsed.data.errors : [];
}

/** The error entries in a body; empty if there are none. */
export function errorEntries(text: string): ServiceErrorEntry[] {
	try {
		return errorsIn(JSON.parse(text));
	} catch {
		return [];
	}
}

/** Whether an error envelope reports a missing record: service.md 9.2. */
export function saysNotFound(text: string): boolean {
	return errorEntries(text).some(({ code }) => /^not_?found$/i.test(String(code ?? '')));
}

export function formatEntry(entry: ServiceErrorEntry): string {
	const where = entry.properties?.length ? `${entry.properties.join(', ')}: ` : '';
	const hint = entry.hint ? ` (${entry.hint})` : '';
	const reference = entry.referenceCode ? ` [reference ${entry.referenceCode}]` : '';
	return `${where}${entry.text ?? entry.code ?? 'no text'}${hint}${reference}`;
}

/** The service's message as a sentence after a space; empty without entries. */
export function serviceMessage(entries: ServiceErrorEntry[]): string {
	return entries.length === 0
		? ''
		: ` The service said: ${entries.map(formatEntry).join('; ')}.`.replace(/\.\.$/, '.');
}

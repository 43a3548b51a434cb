import { z } from 'zod';

/** Parts of the schemas of request bodies, with messages that tell the user what to do. */

export const text = z.string({ message: 'must be text' });

export const filledText = text.trim().min(1, { message: 'is empty' });

export const flag = z.boolean({ message: 'must be true or false' });

export const oneOf = <T extends readonly [string, ...string[]]>(values: T) =>
	z.enum(values, { message: `must be one of ${values.join(', ')}` });

/** Only the given properties: a misspelt one must not be dropped without a word. */
export const object = <T extends z.ZodRawShape>(shape: T) =>
	z.object(shape, { message: 'must be an object, in braces { }' }).strict();

export const list = <T extends z.ZodTypeAny>(entry: T) =>
	z.array(entry, { message: 'must be a list, in brackets [ ]' });

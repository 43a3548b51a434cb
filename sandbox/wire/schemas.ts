import { z } from 'zod';

/** An object without unknown properties. */
export const strictObject = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).strict();

/** How many of something. */
export const count = z.number().int().min(0);

/** Another record by its id, such as `{ campaignId: 4 }`. */
export const reference = <Name extends string>(idName: Name) =>
	strictObject({ [idName]: z.number().int() } as Record<Name, z.ZodNumber>);

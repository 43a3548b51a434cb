import { z } from 'zod';

/** An object without unknown properties. */
export const strictObject = <Shape extends z.ZodRawShape>(shape: Shape) => z.object(shape).strict();

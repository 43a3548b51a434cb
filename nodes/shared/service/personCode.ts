import { object } from './bodySchema';
import { recordIdSchema } from './recordId';

/** Body that applies a code to a person: service.md 4.6. */
export const personCodeSchema = object({ codeId: recordIdSchema });

import { object } from './bodySchema';
import { recordIdSchema } from './recordId';

/** A code to put on a person: service.md 4.6. */
export const personCodeSchema = object({ codeId: recordIdSchema });

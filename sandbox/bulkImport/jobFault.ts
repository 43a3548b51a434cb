import { z } from 'zod';
import { strictObject } from '../wire/schemas';

const fileNumbers = z.array(z.number().int().positive()).optional();

/** How result files differ from one ordered file per action. Files count from 1, over all actions. */
const resultShapeSchema = strictObject({
	/** These rows (from 1) are imported but left out. */
	omitRows: z.array(z.number().int()).optional(),
	/** Splits the rows of an action into this many files; 0 offers none. */
	files: z.number().int().min(0).optional(),
	/** Shuffles the rows before they are split, the same way for the same seed. */
	shuffle: z.number().int().optional(),
	/** Every later download has the rows in reverse. */
	reversedAgain: z.boolean().optional(),
	encoding: z.enum(['utf8', 'utf8Bom', 'utf16le', 'utf16be']).optional(),
	zipped: z.boolean().optional(),
	/** Links that return 404. */
	missing: fileNumbers,
	/** Links that have expired. */
	expired: fileNumbers,
	/** The content ends after this many bytes, or this many before its end if negative, in a complete response. */
	cut: strictObject({
		file: z.number().int().positive(),
		bytes: z.number().int(),
	}).optional(),
});

export type ResultShape = z.output<typeof resultShapeSchema>;

/** Faults of a job. */
export const jobFaultSchema = z.discriminatedUnion('kind', [
	/** Ends as Failed with this text, nothing imported. */
	strictObject({ kind: z.literal('fail'), text: z.string() }),
	/** Stays InProgress. */
	strictObject({ kind: z.literal('neverEnds') }),
	/** Ends as usual, with result files of this shape. */
	resultShapeSchema.extend({ kind: z.literal('results') }),
]);

export type JobFault = z.output<typeof jobFaultSchema>;

import { z } from 'zod';

/**
 * What a tenant's administrators set up and other calls refer to: service.md 5.2, 5.3 and 6. Only
 * what a list to choose from needs; everything else passes through.
 */

const id = z.union([z.number(), z.string()]);
const name = z.string().nullish();

/** A list of bare names. */
export const nameSchema = z.string();

/** A single record of which nothing needs to be known. */
export const recordSchema = z.object({}).passthrough();

/** What stands where a record was asked for: some are lists or plain values, but never nothing. */
export const anyRecordSchema = z
	.unknown()
	.refine((record) => record !== undefined && record !== null);

export const contactTypeSchema = z.object({ contactTypeId: id, name }).passthrough();

export const campaignSchema = z.object({ campaignId: id, name }).passthrough();

export const inputTypeSchema = z.object({ inputTypeId: id, name }).passthrough();

export const resultCodeSchema = z.object({ resultCodeId: id, name }).passthrough();

export const activistCodeSchema = z.object({ activistCodeId: id, name }).passthrough();

export const surveyQuestionSchema = z
	.object({
		surveyQuestionId: id,
		name,
		responses: z.array(z.object({ surveyResponseId: id, name }).passthrough()).nullish(),
	})
	.passthrough();

/** A code in a list of codes. */
export const codeEntrySchema = z
	.object({ codeId: id, name, codeType: z.string().nullish(), codePath: z.string().nullish() })
	.passthrough();

import { z } from 'zod';

/**
 * Records that administrators of a tenant set up: service.md 5.2, 5.3 and 6. Only the properties that a
 * list to choose from needs; others pass through.
 */

const id = z.union([z.number(), z.string()]);
const name = z.string().nullish();

export const nameSchema = z.string();

/** A record without known properties. */
export const recordSchema = z.object({}).passthrough();

/** The response where a record was requested: some are lists or plain values, but never null. */
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

export const codeEntrySchema = z
	.object({ codeId: id, name, codeType: z.string().nullish(), codePath: z.string().nullish() })
	.passthrough();

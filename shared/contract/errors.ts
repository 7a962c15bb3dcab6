import { z } from "zod";

/** Body of every refusal and failure but a validation error. */
export const ErrorBody = z.strictObject({
  /** The status in words: `Not Found`. */
  error: z.string(),
  message: z.string(),
  error_code: z.string().nullable(),
  details: z.unknown(),
  timestamp: z.iso.datetime(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

export const ValidationItem = z.strictObject({
  loc: z.array(z.union([z.string(), z.int()])),
  msg: z.string(),
  type: z.string(),
  input: z.unknown().optional(),
  ctx: z.record(z.string(), z.unknown()).optional(),
});
export type ValidationItem = z.infer<typeof ValidationItem>;

/** Body of a 422. */
export const ValidationErrorBody = z.strictObject({ detail: z.array(ValidationItem).min(1) });
export type ValidationErrorBody = z.infer<typeof ValidationErrorBody>;

import * as z from "zod";
import { type ErrorCode, errorStatuses } from "../vocabulary/error-codes.ts";

export const errorCodes = Object.keys(errorStatuses) as [ErrorCode, ...ErrorCode[]];

/** Body of every refusal and failure but a validation error. */
export const ErrorBody = z.strictObject({
  error: z.string().describe("The status in words: `Not Found`."),
  message: z.string().describe("What was given and what would be right; for people, and free to change."),
  error_code: z
    .enum(errorCodes)
    .nullable()
    .meta({
      description: `For programs. The list grows: expect new ones. Today: ${errorCodes.map((code) => `\`${code}\``).join(", ")}.`,
      wire: { anyOf: [{ type: "string" }, { type: "null" }] },
    }),
  details: z.unknown().describe("What belongs to this refusal, or null."),
  timestamp: z.iso.datetime(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

export const ValidationItem = z.strictObject({
  loc: z
    .array(z.union([z.string(), z.int()]))
    .describe('Where: `["body", "name"]`; first `path`, `query`, `header` or `body`.'),
  msg: z.string(),
  type: z.string().describe("For programs, in pydantic's words: `missing`, `string_too_long`, `enum` …"),
  input: z
    .unknown()
    .optional()
    .describe("What was given; never an object or a secret, and cut at 100 characters."),
  ctx: z.record(z.string(), z.unknown()).optional().describe("The bound that was not kept."),
});
export type ValidationItem = z.infer<typeof ValidationItem>;

/** Body of a 422. */
export const ValidationErrorBody = z.strictObject({ detail: z.array(ValidationItem).min(1) });
export type ValidationErrorBody = z.infer<typeof ValidationErrorBody>;

/**
 * API Gateway's own responses, before or instead of a function: 413, 429 (the stage's throttle), 431, 500, 503.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export const GatewayErrorBody = z.object({ message: z.string() });

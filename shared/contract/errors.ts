import * as z from "zod";
import { type ErrorCode, errorStatuses } from "../vocabulary/error-codes.ts";
import { example } from "./fields/example.ts";

export const errorCodes = Object.keys(errorStatuses) as [ErrorCode, ...ErrorCode[]];

export const ErrorBody = z
  .strictObject({
    error: example(z.string(), "Not Found").describe("The status in words, such as `Not Found`."),
    message: example(z.string(), "there is no such machine").describe(
      "A sentence that says what was given and what would be right; it may change at any time.",
    ),
    error_code: z
      .enum(errorCodes)
      .nullable()
      .meta({
        description: `The reason for programs, one of a list that grows: expect new ones. Today: ${errorCodes.map((code) => `\`${code}\``).join(", ")}.`,
        wire: { anyOf: [{ type: "string" }, { type: "null" }] },
      }),
    details: example(z.unknown(), null).describe(
      "Data of this refusal, such as the names of missing secrets; null if there is none.",
    ),
    timestamp: z.iso.datetime().describe("Time at which the request was refused or failed."),
  })
  .describe("The body of every refusal and failure, except of a validation error.");
export type ErrorBody = z.infer<typeof ErrorBody>;

export const ValidationItem = z
  .strictObject({
    loc: example(z.array(z.union([z.string(), z.int()])), ["body", "name"]).describe(
      'The place of the problem in the request, such as `["body", "name"]`; it begins with `path`, `query`, `header` or `body`.',
    ),
    msg: example(z.string(), "String should have at least 1 character").describe(
      "A sentence for people that says what is wrong there.",
    ),
    type: example(z.string(), "string_too_short").describe(
      "The kind of problem for programs, in pydantic's words, such as `string_too_long`.",
    ),
    input: example(z.unknown().optional(), "").describe(
      "The value that was given there, cut at 100 characters; never an object or a secret.",
    ),
    ctx: example(z.record(z.string(), z.unknown()).optional(), { min_length: 1 }).describe(
      "The bound that the value does not keep, by name.",
    ),
  })
  .describe("One problem of a request that does not fit its description.");
export type ValidationItem = z.infer<typeof ValidationItem>;

export const ValidationErrorBody = z
  .strictObject({
    detail: z.array(ValidationItem).min(1).describe("The problems of the request, each with its place."),
  })
  .describe("The body of a 422: the request does not fit its description.");
export type ValidationErrorBody = z.infer<typeof ValidationErrorBody>;

/**
 * API Gateway responds 413, 429 (the stage's throttle), 431, 500 and 503 before or instead of a function.
 *
 * Source: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export const GatewayErrorBody = z
  .object({
    message: example(z.string(), "Too Many Requests").describe("API Gateway's own text, for people."),
  })
  .describe("The body of a response that API Gateway makes without the service.");

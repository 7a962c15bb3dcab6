import * as z from "zod";
import { type ErrorCode, errorStatuses } from "../vocabulary/error-codes.ts";

export const errorCodes = Object.keys(errorStatuses) as [ErrorCode, ...ErrorCode[]];

export const ErrorBody = z
  .strictObject({
    error: z
      .string()
      .describe("The status in words, such as `Not Found`.")
      .meta({ examples: ["Not Found"] }),
    message: z
      .string()
      .describe("A sentence that says what was given and what would be right; it may change at any time.")
      .meta({ examples: ["there is no such machine"] }),
    error_code: z
      .enum(errorCodes)
      .nullable()
      .meta({
        description: `The reason for programs, one of a list that grows: expect new ones. Today: ${errorCodes.map((code) => `\`${code}\``).join(", ")}.`,
        wire: { anyOf: [{ type: "string" }, { type: "null" }] },
      }),
    details: z
      .unknown()
      .describe("Data of this refusal, such as the names of missing secrets; null if there is none.")
      .meta({ examples: [null] }),
    timestamp: z.iso.datetime().describe("Time at which the request was refused or failed."),
  })
  .describe("The body of every refusal and failure, except of a validation error.");
export type ErrorBody = z.infer<typeof ErrorBody>;

export const ValidationItem = z
  .strictObject({
    loc: z
      .array(z.union([z.string(), z.int()]))
      .describe(
        'The place of the problem in the request, such as `["body", "name"]`; it begins with `path`, `query`, `header` or `body`.',
      )
      .meta({ examples: [["body", "name"]] }),
    msg: z
      .string()
      .describe("A sentence for people that says what is wrong there.")
      .meta({ examples: ["String should have at least 1 character"] }),
    type: z
      .string()
      .describe("The kind of problem for programs, in pydantic's words, such as `string_too_long`.")
      .meta({ examples: ["string_too_short"] }),
    input: z
      .unknown()
      .optional()
      .describe("The value that was given there, cut at 100 characters; never an object or a secret.")
      .meta({ examples: [""] }),
    ctx: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("The bound that the value does not keep, by name.")
      .meta({ examples: [{ min_length: 1 }] }),
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
    message: z
      .string()
      .describe("API Gateway's own text, for people.")
      .meta({ examples: ["Too Many Requests"] }),
  })
  .describe("The body of a response that API Gateway makes without the service.");

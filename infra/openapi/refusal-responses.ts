import { STATUS_CODES } from "node:http";
import * as z from "zod";
import type { ZodOpenApiResponseObject } from "zod-openapi";
import {
  ErrorBody,
  errorCodes,
  GatewayErrorBody,
  ValidationErrorBody,
} from "../../shared/contract/errors.ts";
import type { Operation } from "../../shared/contract/operations/operation.ts";
import { errorMeanings, errorStatuses } from "../../shared/vocabulary/error-codes.ts";
import { headerRefs, type ResponseHeader, rateLimitHeaders } from "./headers.ts";
import { refusalName } from "./operation-object.ts";
import { codesOf, refusalsOf } from "./refusals.ts";

/** API Gateway returns these by itself, too, in its own body and without X-Request-Id. */
const gatewayStatuses: ReadonlySet<number> = new Set([413, 429, 500, 503]);

const headersByStatus: Readonly<Record<number, readonly ResponseHeader[]>> = {
  401: ["WWW-Authenticate"],
  409: ["Retry-After", "Idempotency-Status"],
  412: ["ETag"],
  429: ["Retry-After", ...rateLimitHeaders],
  503: ["Retry-After"],
  504: ["Idempotency-Status"],
};

export function refusalResponses(operations: readonly Operation[]): Record<string, ZodOpenApiResponseObject> {
  const statuses = new Set(operations.flatMap(refusalsOf).map(({ status }) => status));
  const entries = [...statuses]
    .sort((a, b) => a - b)
    .map((status): [string, ZodOpenApiResponseObject] => [refusalName(status), responseOf(status)]);
  return { ...Object.fromEntries(entries), DriverRejected: driverRejected };
}

function responseOf(status: number): ZodOpenApiResponseObject {
  if (status === 431) return headersTooLarge;
  const isGateway = gatewayStatuses.has(status);
  const gateway = isGateway ? "\n\nAPI Gateway's own has a body of one field, `message`." : "";
  return {
    description: `${STATUS_CODES[status] ?? status}. \`error_code\`:\n\n${codesOf(status)}${gateway}`,
    headers: headerRefs("X-Request-Id", ...(headersByStatus[status] ?? [])),
    content: { "application/json": { schema: bodyOf(status), ...exampleOf(status) } },
  };
}

function bodyOf(status: number): z.ZodType {
  if (status === 422) return z.union([ValidationErrorBody, ErrorBody]);
  return gatewayStatuses.has(status) ? z.union([ErrorBody, GatewayErrorBody]) : ErrorBody;
}

function exampleOf(status: number): { example?: unknown } {
  if (status === 422) {
    return {
      example: {
        detail: [
          { loc: ["body", "name"], msg: "String should have at least 1 character", type: "string_too_short" },
        ],
      },
    };
  }
  const code = errorCodes.find((each) => errorStatuses[each] === status);
  if (code === undefined) return {};
  const message = errorMeanings[code].replace(/\.$/, "");
  return {
    example: {
      error: STATUS_CODES[status],
      message: `${message.charAt(0).toLowerCase()}${message.slice(1)}`,
      error_code: code,
      details: null,
      timestamp: "2026-11-21T12:00:00.000Z",
    },
  };
}

const headersTooLarge: ZodOpenApiResponseObject = {
  description:
    "Request Header Fields Too Large: more than 10,240 bytes in all. API Gateway's own, as its body.",
  content: {
    "application/json": {
      schema: GatewayErrorBody,
      example: { message: "Request Header Fields Too Large" },
    },
  },
};

const driverRejected: ZodOpenApiResponseObject = {
  description: `\`driver_rejected\`: ${errorMeanings.driver_rejected}`,
  headers: headerRefs("X-Request-Id"),
  content: { "application/json": { schema: ErrorBody } },
};

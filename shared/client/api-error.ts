import { ErrorBody, ValidationErrorBody, type ValidationItem } from "../contract/errors.ts";
import type { ErrorCode } from "../vocabulary/error-codes.ts";

export interface ApiErrorFacts {
  readonly status: number;
  readonly message: string;
  /** Validation errors and API Gateway's own responses have no code. */
  readonly errorCode: ErrorCode | undefined;
  /** The details of a refusal, or the items of a validation error. */
  readonly details: unknown;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
}

export class ApiError extends Error {
  readonly status: number;
  readonly errorCode: ErrorCode | undefined;
  readonly details: unknown;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(facts: ApiErrorFacts) {
    super(facts.message);
    this.name = "ApiError";
    this.status = facts.status;
    this.errorCode = facts.errorCode;
    this.details = facts.details;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
  }
}

/** No response came: the connection failed, or the attempt took too long. A write may have had its effect. */
export class ApiUnreachable extends Error {
  constructor(cause: unknown) {
    super("the service did not respond", { cause });
    this.name = "ApiUnreachable";
  }
}

export function apiErrorOf(response: Response, text: string): ApiError {
  const json = parseJson(text);
  const { status, headers } = response;
  const common = {
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: retryAfterOf(response),
  };
  const refusal = ErrorBody.safeParse(json);
  if (refusal.success) {
    const { message, error_code, details } = refusal.data;
    return new ApiError({ ...common, message, errorCode: error_code ?? undefined, details });
  }
  const invalid = ValidationErrorBody.safeParse(json);
  if (invalid.success) {
    const { detail } = invalid.data;
    return new ApiError({ ...common, message: sentenceOf(detail), errorCode: undefined, details: detail });
  }
  return new ApiError({ ...common, message: `status ${status}`, errorCode: undefined, details: json });
}

function sentenceOf(items: readonly ValidationItem[]): string {
  return items.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
}

export function retryAfterOf({ headers }: Pick<Response, "headers">): number | undefined {
  const header = headers.get("retry-after");
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import type { ErrorBody, ValidationErrorBody, ValidationItem } from "../contract/errors.ts";
import { type ErrorCode, errorStatuses } from "../vocabulary/error-codes.ts";

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
  /** The first field that a validation error names, such as `body.name`. */
  readonly field: string | undefined;

  constructor(facts: ApiErrorFacts) {
    super(facts.message);
    this.name = "ApiError";
    this.status = facts.status;
    this.errorCode = facts.errorCode;
    this.details = facts.details;
    this.requestId = facts.requestId;
    this.retryAfterSeconds = facts.retryAfterSeconds;
    const [first] = Array.isArray(facts.details) ? facts.details.filter(isItem) : [];
    this.field = first?.loc.join(".");
  }
}

/** No response came: the connection failed, or the attempt took too long. A write may have had its effect. */
export class ApiUnreachable extends Error {
  constructor(cause: unknown) {
    const reason = reasonOf(cause);
    super(`the service did not respond${reason === "" ? "" : `: ${reason}`}`, { cause });
    this.name = "ApiUnreachable";
  }
}

/** Node's fetch has what happened in the cause of its error, and of several addresses in a list. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return "";
  if (cause.cause instanceof Error) return reasonOf(cause.cause);
  return cause instanceof AggregateError ? reasonOf(cause.errors[0]) : cause.message;
}

export function apiErrorOf(response: Response, text: string): ApiError {
  const json = parseJson(text);
  const { status, headers } = response;
  const common = {
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: retryAfterOf(response),
  };
  if (isRefusal(json)) {
    const { message, error_code, details } = json;
    return new ApiError({ ...common, message, errorCode: knownCode(error_code), details });
  }
  if (isInvalidRequest(json)) {
    const { detail } = json;
    return new ApiError({ ...common, message: sentenceOf(detail), errorCode: undefined, details: detail });
  }
  return new ApiError({ ...common, message: `status ${status}`, errorCode: undefined, details: json });
}

/** The schemas would bring zod into the console's page, where it would be most of the first load. */
function isRefusal(json: unknown): json is Pick<ErrorBody, "message" | "error_code" | "details"> {
  return isObject(json) && typeof json.message === "string" && "error_code" in json;
}

function isInvalidRequest(json: unknown): json is ValidationErrorBody {
  return isObject(json) && Array.isArray(json.detail) && json.detail.every(isItem);
}

function isItem(item: unknown): item is ValidationItem {
  return isObject(item) && Array.isArray(item.loc) && typeof item.msg === "string";
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === "object" && json !== null;
}

/** A later release may name a reason that this client does not know. */
function knownCode(code: unknown): ErrorCode | undefined {
  return typeof code === "string" && Object.hasOwn(errorStatuses, code) ? (code as ErrorCode) : undefined;
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

import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ErrorBody, ValidationErrorBody } from "../../contract/errors.ts";
import { isoTimestamp } from "../../domain/clock.ts";
import { ChangedMeanwhile } from "../../domain/entity/edition.ts";
import { DomainError } from "../../domain/errors.ts";
import { InvalidInput } from "../../domain/invalid-input.ts";
import { driverWordsOf } from "../../domain/tunnel/driver-words.ts";
import { type ErrorCode, errorStatuses } from "../../vocabulary/error-codes.ts";
import type { AppDeps } from "../http-deps.ts";
import type { HttpContext } from "../http-env.ts";
import { presentInvalidItems } from "./present-invalid-items.ts";

const quotedCodes: readonly ErrorCode[] = ["driver_rejected", "driver_failed"];

const quotedCharactersMax = 500;

/** A driver's own 4xx is passed on, except 401 and the like, which the caller's client would take for its own. */
export function statusOf(error: DomainError): number {
  const { driverStatus } = error;
  const handedOn = error.code === "driver_rejected" && driverStatus !== undefined;
  if (!handedOn || driverStatus < 400 || driverStatus >= 500) return errorStatuses[error.code];
  return driverStatus === 401 || driverStatus === 403 ? errorStatuses.driver_failed : driverStatus;
}

export function errorBody(error: DomainError, nowMs: number): ErrorBody {
  return {
    // The SDK loads Node's `http` only for an endpoint without TLS: 0.3 ms.
    error: process.getBuiltinModule("node:http").STATUS_CODES[statusOf(error)] ?? "Error",
    message: messageOf(error),
    error_code: error.code,
    details: error.details,
    timestamp: isoTimestamp(nowMs),
  };
}

/** Programs show the message alone, and the driver's words are what a person can act on; `details` keeps all of them. */
function messageOf(error: DomainError): string {
  const words = quotedCodes.includes(error.code) ? driverWordsOf(error) : error.message;
  return words === error.message ? words : `${error.message}: ${words.slice(0, quotedCharactersMax)}`;
}

/** A bug is logged here and only here. */
export function respondToError(deps: AppDeps, thrown: Error, c: HttpContext): Response {
  if (thrown instanceof InvalidInput) return respondToInvalidInput(thrown, c);
  const error = thrown instanceof DomainError ? thrown : reportBug(thrown, c);
  const status = statusOf(error);
  if (error === thrown && status >= 500 && error.cause !== undefined) {
    c.var.logger.warn("request failed for a known reason", {
      error_code: error.loggedCode,
      cause: error.cause,
    });
  }
  c.set("errorCode", error.code);
  if (error.code === "invalid_credentials") c.header("WWW-Authenticate", 'Bearer error="invalid_token"');
  if (error instanceof ChangedMeanwhile) c.header("ETag", error.tag);
  if (error.retryAfterSeconds !== undefined) c.header("Retry-After", String(error.retryAfterSeconds));
  return c.json(errorBody(error, deps.clock.now()), status as ContentfulStatusCode);
}

function respondToInvalidInput(thrown: InvalidInput, c: HttpContext): Response {
  c.set("errorCode", "validation_error");
  const body: ValidationErrorBody = { detail: presentInvalidItems(thrown.items) };
  return c.json(body, 422);
}

function reportBug(cause: Error, c: HttpContext): DomainError {
  c.var.logger.error("request failed", { cause });
  return new DomainError("internal_error", "the service failed; please report it with the request id", {
    details: { request_id: c.var.requestId },
  });
}

import type { IdempotencyMode } from "../../contract/operations/operation.ts";
import { DomainError } from "../../domain/errors.ts";
import type { IdempotencyRecord } from "../../domain/idempotency/idempotency.ts";
import type { HttpContext } from "../http-env.ts";
import type { RequestIdempotency } from "./idempotency-of-request.ts";
import { resultOnRecord } from "./work-leased.ts";

const statusHeader = "Idempotency-Status";

export async function replay<Result>(
  c: HttpContext,
  request: RequestIdempotency,
  record: IdempotencyRecord,
  mode: IdempotencyMode,
): Promise<Result> {
  if (!(await request.isSameRequest(record.bodyMac))) {
    throw new DomainError(
      "idempotency_key_reused",
      "this Idempotency-Key was used for another request; use a new one",
    );
  }
  if (record.kind === "in_progress") {
    c.header(statusHeader, "in_progress");
    throw new DomainError(
      "request_in_progress",
      "the first request under this Idempotency-Key is still being processed",
      { retryAfterSeconds: 1 },
    );
  }
  c.header(statusHeader, "replayed");
  // Only this service writes the result, from the same route's `work`.
  return mode === "leased" ? resultOnRecord(record.result) : (record.result as Result);
}

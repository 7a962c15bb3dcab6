import { DomainError } from "../../domain/errors.ts";
import type { ClaimRecord } from "../../domain/idempotency/claim.ts";
import type { RequestClaim } from "./claim-of-request.ts";
import { type HeldOutcome, outcomeOf } from "./held-outcome.ts";
import type { HttpContext } from "../http-env.ts";

const statusHeader = "Idempotency-Status";

/** Answers a repeat from what is on record under its claim. */
export async function replay<Result>(
  c: HttpContext,
  request: RequestClaim,
  record: ClaimRecord,
  mode: "with_write" | "held",
): Promise<Result> {
  if (!(await request.isSameRequest(record.bodyMac))) {
    throw new DomainError(
      "idempotency_key_reused",
      "this Idempotency-Key was used for another request; use a new one",
    );
  }
  if (record.kind === "in_progress") {
    c.header(statusHeader, "in_progress");
    throw new DomainError("request_in_progress", "the first request under this Idempotency-Key is at work", {
      retryAfterSeconds: 1,
    });
  }
  c.header(statusHeader, "replayed");
  // Written by this service alone, as what the same route's `work` answered.
  return mode === "held" ? outcomeOf(record.result as HeldOutcome<Result>) : (record.result as Result);
}

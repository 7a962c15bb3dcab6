import { DomainError } from "../../domain/errors.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import { uncertainErrors } from "../../domain/tunnel/call-driver.ts";
import type { IdempotentDeps } from "../http-deps.ts";

/** The result of a leased record is the work's result, or the one error that is final. */
type LeasedOutcome<Result> =
  | { readonly kind: "result"; readonly result: Result }
  | ({ readonly kind: "error" } & Pick<DomainError, "code" | "message" | "details">);

/** @throws {AlreadyOnRecord} when the record cannot be leased. */
export async function workLeased<Result>(
  deps: IdempotentDeps,
  idempotency: Idempotency,
  work: (idempotency: Idempotency) => Promise<Result>,
): Promise<Result> {
  const leased = await deps.idempotencyRecords.lease(idempotency);
  let result: Result;
  try {
    result = await work(leased);
  } catch (error) {
    await settle(deps, leased, error);
    throw error;
  }
  const outcome: LeasedOutcome<Result> = { kind: "result", result };
  await record(deps, "error", "the response is sent, but not on record", () =>
    deps.idempotencyRecords.complete(leased, outcome),
  );
  return result;
}

/** Completes the record for a final error, suspends it for an unknown outcome, or releases it if nothing happened. */
async function settle(deps: IdempotentDeps, leased: Idempotency, error: unknown): Promise<void> {
  if (error instanceof DomainError && error.code === "outcome_unknown") {
    // This comes before the response, because every repeat must get the same error.
    const { code, message, details } = error;
    const outcome: LeasedOutcome<never> = { kind: "error", code, message, details };
    await deps.idempotencyRecords.complete(leased, outcome);
    return;
  }
  const nothingHappened =
    error instanceof DomainError && (error.nothingDone || !uncertainErrors.has(error.code));
  // A repeat that did not reach the desktop says nothing about the attempt before it.
  if (nothingHappened && !leased.repeat) {
    await record(deps, "warn", "the idempotency record is not released; its lease runs out by itself", () =>
      deps.idempotencyRecords.release(leased),
    );
  } else {
    await record(deps, "warn", "the idempotency record is not suspended; its lease runs out by itself", () =>
      deps.idempotencyRecords.suspend(leased),
    );
  }
}

/** A failed write must not hide the outcome: the lease expires by itself, and a repeat queries the outcome. */
async function record(
  deps: IdempotentDeps,
  level: "warn" | "error",
  problem: string,
  write: () => Promise<void>,
): Promise<void> {
  try {
    await write();
  } catch (cause) {
    deps.logger[level](problem, { cause });
  }
}

export function resultOnRecord<Result>(onRecord: unknown): Result {
  const outcome = onRecord as LeasedOutcome<Result>;
  if (outcome.kind === "result") return outcome.result;
  throw new DomainError(outcome.code, outcome.message, { details: outcome.details });
}

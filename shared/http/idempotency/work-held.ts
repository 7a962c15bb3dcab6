import { DomainError, type ErrorCode } from "../../domain/errors.ts";
import type { Claim } from "../../domain/idempotency/claim.ts";
import { errorOutcome, type HeldOutcome } from "./held-outcome.ts";
import type { OnceDeps } from "../http-deps.ts";

/** The effect may have come about all the same. */
const uncertain: ReadonlySet<ErrorCode> = new Set(["driver_timeout", "driver_connection_lost"]);

/** @throws {ClaimTaken} when the claim is not to be had; and whatever `work` throws. */
export async function workHeld<Result>(
  deps: OnceDeps,
  claim: Claim,
  work: (claim: Claim) => Promise<Result>,
): Promise<Result> {
  const held = await deps.claims.hold(claim);
  let result: Result;
  try {
    result = await work(held);
  } catch (error) {
    await settle(deps, held, error);
    throw error;
  }
  const outcome: HeldOutcome<Result> = { kind: "result", result };
  await record(deps, "error", "the answer is given, but not on record", () =>
    deps.claims.complete(held, outcome),
  );
  return result;
}

/** After a failure: kept for ever, kept for a repeat to ask about, or forgotten because nothing happened. */
async function settle(deps: OnceDeps, held: Claim, error: unknown): Promise<void> {
  if (error instanceof DomainError && error.code === "outcome_unknown") {
    // Before it is answered: another repeat must hear the same.
    await deps.claims.complete(held, errorOutcome(error));
    return;
  }
  const nothingHappened = error instanceof DomainError && !uncertain.has(error.code);
  // A repeat that did not reach the desktop says nothing about the attempt before it.
  if (nothingHappened && !held.repeat) {
    await record(deps, "warn", "the claim is not released; its lease runs out by itself", () =>
      deps.claims.release(held),
    );
  } else {
    await record(deps, "warn", "the claim is not suspended; its lease runs out by itself", () =>
      deps.claims.suspend(held),
    );
  }
}

/** What happened outweighs that it could not be written down: the lease runs out by itself, and a repeat asks. */
async function record(
  deps: OnceDeps,
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

import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import { notFound } from "../entity/not-found.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import type { Run } from "./run.ts";
import type { RunDeps } from "./run-deps.ts";
import { requireUpdatedRun } from "./update-outcome.ts";

export interface CancelRunInput {
  readonly runId: string;
  /** @default a sentence with the caller */
  readonly reason?: string | undefined;
}

const defaultReason = "cancelled by a request";

/**
 * An ended run stays as it is.
 * @throws {DomainError} `insufficient_scope` or `not_found`. @throws {ChangedTooOften} @throws {AlreadyOnRecord}
 */
export async function cancelRun(
  deps: Pick<RunDeps, "runs" | "clock" | "idempotencyRecords">,
  caller: Caller,
  { runId, reason = defaultReason }: CancelRunInput,
  idempotency?: Idempotency,
): Promise<Run> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  return await untilWritten(deps, {
    what: "the run",
    read: () => deps.runs.find(organizationId, runId),
    decide: async (run) => {
      if (run === undefined) throw notFound("run", runId);
      const endedAt = isoTimestamp(deps.clock.now());
      const change = { status: "cancelled", error: [...run.error, reason], endedAt } as const;
      const expected = { ofAnyAssignment: true, revision: run.revision, idempotency };
      const outcome = await deps.runs.update(organizationId, runId, change, expected);
      if (outcome.kind === "illegal_transition") return await asItIs(deps, outcome.run, idempotency);
      return outcome.kind === "changed" ? overtaken : requireUpdatedRun(runId, outcome);
    },
  });
}

/** The response is recorded, so that a repeated request does not cancel a run that was retried meanwhile. */
async function asItIs(
  { idempotencyRecords }: Pick<RunDeps, "idempotencyRecords">,
  run: Run,
  idempotency: Idempotency | undefined,
): Promise<Run> {
  if (idempotency !== undefined) {
    await idempotencyRecords.complete(await idempotencyRecords.lease(idempotency), run);
  }
  return run;
}

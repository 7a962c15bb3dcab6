import { type Caller, requireScope } from "../../access/caller.ts";
import { type Clock, isoTimestamp } from "../../clock.ts";
import type { Callbacks } from "../../durable/durable.ts";
import { notFound } from "../../entity/not-found.ts";
import { DomainError } from "../../errors.ts";
import type { Idempotency } from "../../idempotency/idempotency.ts";
import type { Logger } from "../../logger.ts";
import { overtaken, untilWritten } from "../../until-written.ts";
import type { Run } from "../run.ts";
import type { RunStore } from "../run-store.ts";
import { requireCarriedOut, requireHolder } from "./hold-run.ts";
import type { HoldStore } from "./hold-store.ts";

export interface ResumeRunDeps {
  readonly runs: Pick<RunStore, "find">;
  readonly holds: Pick<HoldStore, "release">;
  readonly callbacks: Callbacks;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface ResumeRunInput {
  readonly runId: string;
  readonly note?: string | undefined;
}

/**
 * The run goes on from the screen as it is then.
 *
 * @throws {DomainError} `insufficient_scope`, `not_found`, `not_a_service_run`, `illegal_transition` or `machine_held`.
 * @throws {AlreadyOnRecord} @throws {ChangedTooOften}
 */
export async function resumeRun(
  deps: ResumeRunDeps,
  caller: Caller,
  { runId, note }: ResumeRunInput,
  idempotency?: Idempotency,
): Promise<Run> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const { run, callbackId } = await untilWritten(deps, {
    what: "the run",
    read: () => deps.runs.find(organizationId, runId),
    decide: async (run) => {
      if (run === undefined) throw notFound("run", runId);
      requireCarriedOut(run);
      if (run.held === null) {
        throw new DomainError(
          "illegal_transition",
          "the run is not held, so that there is nothing to resume",
        );
      }
      const nowMs = deps.clock.now();
      requireHolder(run, caller, nowMs);
      const heldMs = Math.max(0, nowMs - Date.parse(run.held.since));
      const resumption = { note: note ?? null, resumedAt: isoTimestamp(nowMs), heldMs };
      return (await deps.holds.release(run, resumption, idempotency)) ?? overtaken;
    },
  });
  if (callbackId !== null) await wake(deps, run, callbackId);
  return run;
}

/** The projector, and then the sweeper, repeat a failed call. */
async function wake({ callbacks, logger }: ResumeRunDeps, run: Run, callbackId: string): Promise<void> {
  try {
    await callbacks.complete(callbackId);
  } catch (cause) {
    logger.warn("the executor of a resumed run could not be told", { run_id: run.id, cause });
  }
}

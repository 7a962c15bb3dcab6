import { holdSeconds } from "../../../vocabulary/holds.ts";
import { type Caller, requireScope } from "../../access/caller.ts";
import { type Clock, isoTimestamp } from "../../clock.ts";
import { notFound } from "../../entity/not-found.ts";
import { DomainError } from "../../errors.ts";
import { type Hold, holderOf, isHolder, isInForce, machineHeld, mayTakeOver } from "../../hold/hold.ts";
import type { Idempotency } from "../../idempotency/idempotency.ts";
import type { LastStepReader } from "../../run-step/step-reader.ts";
import { overtaken, untilWritten } from "../../until-written.ts";
import type { Run } from "../run.ts";
import type { RunStore } from "../run-store.ts";
import { illegalTransition } from "../update-outcome.ts";
import type { HoldStore } from "./hold-store.ts";

export interface HoldRunDeps {
  readonly runs: Pick<RunStore, "find">;
  readonly holds: Pick<HoldStore, "hold">;
  readonly executions: LastStepReader;
  readonly clock: Clock;
}

export interface HoldRunInput {
  readonly runId: string;
  readonly reason?: string | undefined;
  /** @default holdSeconds.default */
  readonly seconds?: number | undefined;
}

/**
 * The executor stops between two steps, and input of the run is refused from this write on. The response comes when the
 * action in flight is over. By the holder again it extends the hold.
 *
 * @throws {DomainError} `insufficient_scope`, `not_found`, `not_a_service_run`, `illegal_transition` or `machine_held`.
 * @throws {AlreadyOnRecord} @throws {ChangedTooOften}
 */
export async function holdRun(
  deps: HoldRunDeps,
  caller: Caller,
  input: HoldRunInput,
  idempotency?: Idempotency,
): Promise<Run> {
  requireScope(caller, "write");
  const { organizationId } = caller;
  const { runId } = input;
  const held = await untilWritten(deps, {
    what: "the run",
    read: () => deps.runs.find(organizationId, runId),
    decide: async (run) => {
      if (run === undefined) throw notFound("run", runId);
      requireCarriedOut(run);
      const nowMs = deps.clock.now();
      requireHolder(run, caller, nowMs);
      const hold = heldBy(caller, run.held, input, nowMs);
      return (await deps.holds.hold(run, hold, idempotency)) ?? overtaken;
    },
  });
  await untilStill(deps, held);
  return held;
}

/** @throws {DomainError} `not_a_service_run` or `illegal_transition`. */
export function requireCarriedOut(run: Run): void {
  if (run.status !== "running") throw illegalTransition(run);
  if (run.executor === "service") return;
  throw new DomainError(
    "not_a_service_run",
    "a worker carries out the run, which can stop by itself; only a run that the service carries out is held",
  );
}

/** A model's hold is anybody's. @throws {DomainError} `machine_held` */
export function requireHolder({ held }: Run, caller: Caller, nowMs: number): void {
  if (held === null || held.by.kind === "model" || !isInForce(held, nowMs)) return;
  if (!isHolder(held, caller) && !mayTakeOver(caller)) throw machineHeld(held, "the run");
}

function heldBy(caller: Caller, before: Hold | null, { reason, seconds }: HoldRunInput, nowMs: number): Hold {
  const until = isoTimestamp(nowMs + (seconds ?? holdSeconds.default) * 1_000);
  return {
    by: holderOf(caller),
    reason: reason ?? before?.reason ?? null,
    since: before?.since ?? isoTimestamp(nowMs),
    // A repeated request extends, so an executor that waits never waits too long.
    until: before !== null && before.until > until ? before.until : until,
  };
}

/** An action with its look takes less than this in most cases; a response without waiting longer is still true. */
const stillWithinMs = 5_000;
const pauseMs = 200;

/** The holder acts after the action in flight, and no later picture of the run shows what the holder does. */
async function untilStill({ executions, clock }: HoldRunDeps, run: Run): Promise<void> {
  const untilMs = clock.now() + stillWithinMs;
  for (;;) {
    const last = await executions.findLastStep(run.organizationId, run.id);
    const isUnderWay = last?.status === "sending" && last.assignmentId === run.assignmentId;
    if (!isUnderWay || clock.now() >= untilMs) return;
    await clock.sleep(pauseMs);
  }
}

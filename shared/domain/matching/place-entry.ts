import { isoTimestamp } from "../clock.ts";
import { startExecution } from "../execution/engine/start-execution.ts";
import type { Machine } from "../machine/machine.ts";
import type { Run } from "../run/run.ts";
import { isRunEntry, type WaitingRunEntry } from "../run/waiting/queue-entry.ts";
import { hindranceOf, isSameSet } from "../run/waiting/waiting-reason.ts";
import type { Session } from "../session/session.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import { endChainQueue } from "./cancel-waiting.ts";
import { entriesMax } from "./find-candidates.ts";
import type { MatchDeps } from "./match-deps.ts";
import type { MatchRound } from "./match-round.ts";
import type { Assignment, Candidate, QueuedEntry, QueuedRun } from "./match-store.ts";
import { isFullFor, refusedFor } from "./organization-limit.ts";
import { entryOfRun } from "./queue-places.ts";
import { readinessOf } from "./readiness.ts";
import { StepOrder } from "./step-order.ts";

export type Placed =
  | "assigned"
  /** The run has left the queue, because it ended or was deleted. */
  | "removed"
  /** Another matcher has taken the run out of the queue. */
  | "gone"
  | "waits"
  /** The machine or the session changed since it was read. */
  | "overtaken";

export interface Taker {
  readonly machine: Machine;
  readonly session: Session | undefined;
  /** The time from which reads count; earlier ones may be out of date. */
  readonly since: number;
  readonly expected?: Expected | undefined;
}

/** A run that was read ahead, without a machine, after its entry's event. */
export interface Expected {
  readonly entry: WaitingRunEntry;
  readonly candidate: Candidate;
}

/** Assigns a run to the machine: the entry's, or the oldest of the session that the entry represents. */
export async function placeEntry(
  deps: MatchDeps,
  round: MatchRound,
  taker: Taker,
  entry: QueuedEntry,
): Promise<Placed> {
  if (!isRunEntry(entry)) return await placeSession(deps, round, taker, entry);
  const { session } = taker;
  return await placeRun(deps, round, taker, entry, session && { session, place: undefined });
}

async function placeSession(
  deps: MatchDeps,
  round: MatchRound,
  taker: Taker,
  place: QueuedEntry,
): Promise<Placed> {
  const { matches } = deps;
  const sessionId = place.waiting.kind === "session" ? place.waiting.sessionId : "";
  const { session, entries } = await matches.sessionQueue(place.organizationId, sessionId, entriesMax);
  if (session?.status !== "pending") {
    if (isSince(session?.usedAt, round.startedMs)) return "gone";
    await matches.removeEntry(place);
    return "removed";
  }
  // The place was moved since it was read.
  if (session.isPriority !== place.isPriority) return "gone";
  if (entries.length === 0) {
    await matches.removeEmptyPlace(place);
    return "removed";
  }
  let hasRemoved = false;
  const steps = new StepOrder();
  for (const entry of entries.filter(isRunEntry)) {
    if (steps.isBehind(entry)) continue;
    const placed = await placeRun(deps, round, taker, entry, { session, place });
    if (placed === "assigned" || placed === "overtaken") return placed;
    if (placed === "removed" || placed === "gone") hasRemoved = true;
    else steps.passOver(entry);
  }
  return hasRemoved ? "removed" : "waits";
}

async function placeRun(
  deps: MatchDeps,
  round: MatchRound,
  taker: Taker,
  entry: QueuedRun,
  session: Assignment["session"],
): Promise<Placed> {
  const { matches, clock, ids } = deps;
  const { machine: seen } = taker;
  const { organizationId } = entry;
  const isFull = (since: number) => isFullFor(deps, round, organizationId, refusedFor(seen), since);
  if (entry.waiting.executor === "service" && (await isFull(taker.since))) return "waits";
  return await untilWritten<Candidate | undefined, Placed>(deps, {
    what: "the run",
    // A run that keeps changing is left to the next machine.
    attemptsMax: 5,
    first: expectedFor(entry, taker),
    read: async () => {
      round.requireTime();
      // The machine is read once more: changes made before the run was queued count, and it may be taken by now.
      return await matches.candidate(entry, seen.id);
    },
    decide: async (candidate) => {
      if (candidate === undefined || !isWaitingThere(candidate.run, entry)) {
        // Taking or ending a run removes its place; a leftover place would be read again and again.
        if (!isChangedSince(candidate?.run, round.startedMs)) await matches.removeEntry(entry);
        if (candidate?.run.status === "running") round.meet();
        return "gone";
      }
      const { run, machine } = candidate;
      if (machine === undefined || !isStillFor(machine, seen)) return "overtaken";
      const readiness = await readinessOf(
        {
          ...deps,
          checker: {
            check: (...given) => round.checking(run.organizationId, () => deps.checker.check(...given)),
          },
        },
        candidate,
        machine,
      );
      if (readiness.kind === "waits") {
        const isHere = readiness.for.status === "scheduling" && readiness.for.sessionId === run.sessionId;
        // The entry was queued again behind this one, and perhaps behind more entries than were read.
        if (!isHere) return "waits";
        const behind = { ...entryOfRun(readiness.for), writeId: null };
        return await placeRun(deps, round, taker, behind, session);
      }
      if (readiness.kind === "ends") {
        const { status, reasons, errorCode = null } = readiness;
        const change = { status, error: reasons, errorCode, endedAt: isoTimestamp(clock.now()) };
        const judgedOn = { machine, isSessionPending: session?.session.status === "pending" };
        const expectation = { revision: run.revision, judgedOn };
        const outcome = await deps.runs.update(run.organizationId, run.id, change, expectation);
        if (outcome.kind !== "updated") return "overtaken";
        deps.logger.info("a run ended before it began", { ...idsOf(run), status });
        return "removed";
      }
      const startedAtMs = clock.now();
      const assignmentId = ids.uuid7();
      const { kind: _, ...inputs } = readiness;
      const startedAt = isoTimestamp(startedAtMs);
      const assignment = { machine, run, entry, session, ...inputs, assignmentId, startedAt };
      const assigned = await matches.assign(assignment, round.isTurn);
      switch (assigned.kind) {
        case "assigned": {
          const waitedMs = startedAtMs - entry.queuedAtMs;
          const sinceMs = round.sinceChangeMs(startedAtMs);
          deps.logger.info("run assigned", {
            ...idsOf(run),
            machine_id: machine.id,
            waited_ms: waitedMs,
            ...(sinceMs === undefined ? {} : { matched_ms: Math.min(sinceMs, waitedMs) }),
          });
          if (run.executor === "service") {
            round.usePlace();
            await startExecution(deps, { organizationId, runId: run.id, assignmentId, part: 1 });
          }
          return "assigned";
        }
        case "machine_gone":
        case "session_gone":
          return "overtaken";
        case "chain_stopped":
          return await endItsChain(deps, round, entry);
        case "organization_full":
          round.setFull(organizationId, true);
          if (await isFull(round.reads.now())) return "waits";
          return overtaken;
        case "service_full":
          round.isServiceFull = true;
          await isFull(round.reads.now());
          return "waits";
        case "run_gone":
          if (assigned.isTaken) round.meet();
          return "gone";
        case "changed":
          return overtaken;
      }
    },
  });
}

/** A run that no longer waits is read again, because its entry may have been put back after the early read. */
function expectedFor(entry: QueuedRun, { expected, machine }: Taker): Candidate | undefined {
  if (expected?.entry.waiting.runId !== entry.waiting.runId) return undefined;
  return isWaitingThere(expected.candidate.run, entry) ? { ...expected.candidate, machine } : undefined;
}

/** The stream's event does the same, but may arrive late or not at all. */
async function endItsChain(deps: MatchDeps, round: MatchRound, entry: QueuedRun): Promise<Placed> {
  const { organizationId, target, waiting } = entry;
  if (target.kind !== "session" || waiting.chainId === null) return "waits";
  const { sessionId } = target;
  await endChainQueue(deps, round, organizationId, { sessionId, chainId: waiting.chainId });
  await deps.matches.removeStoppedChain(organizationId, sessionId, waiting.chainId);
  return "removed";
}

function isChangedSince(run: Run | undefined, sinceMs: number): boolean {
  return isSince(run?.startedAt, sinceMs) || isSince(run?.endedAt, sinceMs);
}

function isSince(at: string | null | undefined, sinceMs: number): boolean {
  return at != null && Date.parse(at) >= sinceMs;
}

/** A retried run waits in another place. */
function isWaitingThere(run: Run, entry: QueuedRun): boolean {
  return run.status === "scheduling" && Date.parse(run.queuedAt) === entry.queuedAtMs;
}

function isStillFor(machine: Machine, seen: Machine): boolean {
  return (
    hindranceOf(machine) === undefined &&
    machine.reservedSessionId === seen.reservedSessionId &&
    isSameSet(machine.poolIds, seen.poolIds)
  );
}

function idsOf(run: Run) {
  return { organization_id: run.organizationId, run_id: run.id };
}

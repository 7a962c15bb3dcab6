import type { Machine } from "../../../shared/domain/machine/machine.ts";
import { earlierRunIds, entryOfRun, entryOfSession } from "../../../shared/domain/matching/queue-places.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { placementOf, targetOfRun } from "../../../shared/domain/run/waiting/target.ts";
import { hindranceOf } from "../../../shared/domain/run/waiting/waiting-reason.ts";
import type { Session } from "../../../shared/domain/session/session.ts";
import { idleKeys } from "../../../shared/storage/queue/queue-rows.ts";
import { Violation } from "./step-invariants.ts";
import { isServedBy, rowKey, type View } from "./view.ts";

interface Limits {
  readonly executionsMax: number;
  readonly isServiceFull: boolean;
}

export function checkAtRest(view: View, { executionsMax, isServiceFull }: Limits): void {
  const waiting = view.livingRuns().filter(({ status }) => status === "scheduling");
  const eligible = view.livingMachines().filter((machine) => hindranceOf(machine) === undefined);
  const isFull = isServiceFull || view.executedRuns().length >= executionsMax;
  for (const run of waiting) {
    checkStillWanted(view, run);
    if (needsStepElsewhere(view, run)) continue;
    if (isFull && waiting.some((other) => other.executor === "service" && isBehind(run, other))) continue;
    for (const machine of eligible) {
      if (!fits(view, run, machine)) continue;
      throw new Violation(`run ${run.id} waits while machine ${machine.id} is idle and fits`);
    }
  }
  checkIdleRows(view, eligible);
  checkSessions(view, waiting);
  if (view.stoppedChains.size > 0) throw new Violation(`chains are stopped: ${[...view.stoppedChains]}`);
}

function needsStepElsewhere(view: View, run: Run): boolean {
  return earlierRunIds(run).some((id) => view.runs.get(id)?.sessionId !== run.sessionId);
}

function isBehind(run: Run, other: Run): boolean {
  if (run.id === other.id) return true;
  const isStep = run.chainId !== null && run.chainId === other.chainId;
  return isStep && rowKey(entryOfRun(other)) < rowKey(entryOfRun(run));
}

function fits(view: View, run: Run, machine: Machine): boolean {
  const target = targetOfRun(run);
  if (target.kind !== "session") {
    return (
      machine.reservedSessionId === null && machine.id !== run.triedMachineId && isServedBy(target, machine)
    );
  }
  const session = view.sessions.get(target.sessionId);
  if (session === undefined || session.status === "ended") return false;
  if (session.status === "active") return machine.reservedSessionId === session.id;
  return machine.reservedSessionId === null && isServedBy(placementOf(session), machine);
}

/** Checks that everything a waiting run needs is there; otherwise it must have ended. */
function checkStillWanted(view: View, run: Run): void {
  if (!view.workflows.has(run.workflowId)) throw new Violation(`run ${run.id} waits for a deleted workflow`);
  const target = targetOfRun(run);
  if (target.kind === "machine" && !view.livingMachines().some(({ id }) => id === target.machineId)) {
    throw new Violation(`run ${run.id} waits for a machine that is gone`);
  }
  if (target.kind === "pools" && !target.poolIds.every((id) => view.pools.has(id))) {
    throw new Violation(`run ${run.id} waits for a pool that is gone`);
  }
  if (target.kind !== "session") return;
  const session = view.sessions.get(target.sessionId);
  if (session === undefined || session.status === "ended") {
    throw new Violation(`run ${run.id} waits in session ${target.sessionId}, which is ${session?.status}`);
  }
}

function checkIdleRows(view: View, eligible: readonly Machine[]): void {
  const free = eligible.filter((one) => one.reservedSessionId === null);
  const due = new Set(free.flatMap((machine) => idleKeys(machine).map(({ pk, sk }) => `${pk} ${sk}`)));
  for (const [row, { machineId, poolIds }] of view.idle) {
    if (!due.delete(row)) throw new Violation(`machine ${machineId} has the idle row ${row}`);
    const machine = free.find(({ id }) => id === machineId);
    const unknown = machine?.poolIds.find((id) => !poolIds.includes(id));
    if (unknown !== undefined) throw new Violation(`the idle row ${row} does not name pool ${unknown}`);
  }
  const [missing] = due;
  if (missing !== undefined) throw new Violation(`a machine is idle without its row ${missing}`);
}

function checkSessions(view: View, waiting: readonly Run[]): void {
  const places = new Set(
    [...view.queue].filter(([, { waiting: who }]) => who.kind === "session").map(([row]) => row),
  );
  for (const session of view.sessions.values()) {
    if (session.status === "active") checkActive(view, session);
    if (session.status === "ended") checkEnded(view, session);
    const isWaitedFor = waiting.some(({ sessionId }) => sessionId === session.id);
    if (session.status !== "pending" || !isWaitedFor) continue;
    if (!places.delete(rowKey(entryOfSession(session)))) {
      throw new Violation(`session ${session.id} is pending with waiting runs, and has no place`);
    }
  }
  // A matcher removes the place of a session without waiting runs once a machine finds it.
  for (const row of places) checkPlace(view, row);
}

/** Checks an ended session: a run still running at its end keeps the machine until the run ends. */
function checkEnded(view: View, { id }: Session): void {
  const holder = [...view.machines.values()].find(
    (one) => one.reservedSessionId === id && one.currentRunId === null,
  );
  if (holder) throw new Violation(`machine ${holder.id} is reserved for ended session ${id}`);
}

function checkActive(view: View, { id, machineId }: Session): void {
  const machine = view.machines.get(machineId ?? "");
  if (machine?.reservedSessionId !== id) {
    throw new Violation(
      `session ${id} is active on ${machineId}, reserved for ${machine?.reservedSessionId}`,
    );
  }
}

function checkPlace(view: View, row: string): void {
  const place = view.queue.get(row);
  const id = place?.waiting.kind === "session" ? place.waiting.sessionId : "";
  const session = view.sessions.get(id);
  if (session?.status !== "pending")
    throw new Violation(`session ${id}, ${session?.status}, has a place: ${row}`);
  const machine = view
    .livingMachines()
    .find(
      (one) =>
        hindranceOf(one) === undefined &&
        one.reservedSessionId === null &&
        place &&
        isServedBy(place.target, one),
    );
  if (machine)
    throw new Violation(`the empty place of session ${id} is kept while machine ${machine.id} is idle`);
}

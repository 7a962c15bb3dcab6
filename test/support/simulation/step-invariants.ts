import type { Machine } from "../../../shared/domain/machine/machine.ts";
import { earlierRunIds, entryOfRun } from "../../../shared/domain/matching/queue-places.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { isTerminal } from "../../../shared/domain/run/run-status.ts";
import { placementOf } from "../../../shared/domain/run/waiting/target.ts";
import { hindranceOf } from "../../../shared/domain/run/waiting/waiting-reason.ts";
import { runMember } from "../../../shared/storage/execution/executions-under-way.ts";
import { parseMachine } from "../../../shared/storage/machine/machine-item.ts";
import { stoppedChainKey } from "../../../shared/storage/table/keys.ts";
import type { ModelRecord } from "../dynamo-model/dynamo-model.ts";
import { isServedBy, plain, rowKey, type View } from "./view.ts";

export class Violation extends Error {
  override readonly name = "Violation";
}

export class StepInvariants {
  readonly #view: View;
  readonly #executionsMax: number;
  readonly #assignments = new Set<string>();

  constructor(view: View, executionsMax: number) {
    this.#view = view;
    this.#executionsMax = executionsMax;
  }

  /** @param records of the one call that was just made; the view has seen them. */
  check(records: readonly ModelRecord[]): void {
    for (const record of records) {
      this.#checkAssignment(record);
      this.#checkTaker(record);
      this.#checkJudged(record);
    }
    this.#checkMachines();
    this.#checkSessions();
    this.#checkQueue();
    this.#checkExecutions();
  }

  #checkAssignment({ dynamodb: { OldImage, NewImage } }: ModelRecord): void {
    const [before, after] = [attributes(OldImage), attributes(NewImage)];
    if (after.kind !== "run" || after.status !== "running") return;
    if (before.status === "running") {
      if (before.assignment_id !== after.assignment_id || before.machine_id !== after.machine_id) {
        throw new Violation(`run ${after.id} was given away twice`);
      }
      return;
    }
    if (before.status !== "scheduling") throw new Violation(`run ${after.id} began from ${before.status}`);
    const assignment = String(after.assignment_id);
    if (this.#assignments.has(assignment)) throw new Violation(`assignment ${assignment} was made twice`);
    this.#assignments.add(assignment);
  }

  #checkTaker({ dynamodb: { OldImage, NewImage } }: ModelRecord): void {
    const [before, after] = [attributes(OldImage), attributes(NewImage)];
    const isTaking = after.kind === "machine" && after.current_run_id !== undefined;
    if (!isTaking || OldImage === undefined || before.current_run_id === after.current_run_id) return;
    const machine = parseMachine(plain(OldImage));
    const run = this.#view.runs.get(after.current_run_id ?? "");
    const hindrance = hindranceOf(machine);
    if (hindrance !== undefined) throw new Violation(`machine ${machine.id}, ${hindrance}, took ${run?.id}`);
    if (run === undefined || !isFor(this.#view, run, machine)) {
      throw new Violation(`run ${run?.id} was given to machine ${machine.id}, which is not for it`);
    }
    if (run.chainId === null || run.sessionId === null) return;
    const { pk, sk } = stoppedChainKey(run.organizationId, run.sessionId, run.chainId);
    if (this.#view.stoppedChains.has(`${pk} ${sk}`))
      throw new Violation(`a step of a stopped chain began: ${run.id}`);
  }

  /** Checks that no run is decided by the output of a step that has not ended. */
  #checkJudged({ dynamodb: { OldImage, NewImage } }: ModelRecord): void {
    const [before, after] = [attributes(OldImage), attributes(NewImage)];
    const run = this.#view.runs.get(String(after.id));
    if (after.kind !== "run" || before.status !== "scheduling" || run === undefined) return;
    if (run.status !== "running" && !run.error.join().includes("cannot be resolved")) return;
    for (const id of earlierRunIds(run)) {
      const step = this.#view.runs.get(id);
      if (step === undefined || step.deletedAt !== null || isTerminal(step.status)) continue;
      throw new Violation(`run ${run.id} became ${run.status} while step ${id} is ${step.status}`);
    }
  }

  #checkMachines(): void {
    const { machines, runs } = this.#view;
    const running = [...runs.values()].filter(({ status }) => status === "running");
    for (const run of running) {
      const machine = machines.get(run.machineId ?? "");
      if (machine?.currentRunId !== run.id) {
        throw new Violation(
          `run ${run.id} is running on ${run.machineId}, which has ${machine?.currentRunId}`,
        );
      }
      if (run.assignmentId === null) throw new Violation(`run ${run.id} is running without an assignment`);
    }
    for (const machine of machines.values()) {
      const run = machine.currentRunId === null ? undefined : runs.get(machine.currentRunId);
      if (machine.currentRunId === null) continue;
      if (run?.status !== "running" || run.machineId !== machine.id) {
        throw new Violation(`machine ${machine.id} has ${machine.currentRunId}, which is ${run?.status}`);
      }
    }
  }

  #checkSessions(): void {
    const { machines, runs, sessions } = this.#view;
    for (const machine of machines.values()) this.#checkReservation(machine);
    const busy = new Map<string, Run>();
    for (const run of runs.values()) {
      if (run.status !== "running" || run.sessionId === null) continue;
      const other = busy.get(run.sessionId);
      if (other)
        throw new Violation(`runs ${run.id} and ${other.id} of session ${run.sessionId} are running`);
      busy.set(run.sessionId, run);
      if (machines.get(run.machineId ?? "")?.reservedSessionId !== run.sessionId) {
        throw new Violation(`run ${run.id} of session ${run.sessionId} is on a machine not reserved for it`);
      }
    }
    for (const session of sessions.values()) {
      if (session.status === "active" && session.machineId === null) {
        throw new Violation(`session ${session.id} is active without a machine`);
      }
      const holders = [...machines.values()].filter((one) => one.reservedSessionId === session.id);
      if (holders.length > 1) throw new Violation(`session ${session.id} holds ${holders.length} machines`);
    }
  }

  #checkReservation({ id, reservedSessionId }: Machine): void {
    if (reservedSessionId === null) return;
    const session = this.#view.sessions.get(reservedSessionId);
    if (session === undefined) {
      throw new Violation(`machine ${id} is reserved for ${reservedSessionId}, which is not there`);
    }
    if (session.status === "pending") {
      throw new Violation(`machine ${id} is reserved for ${reservedSessionId}, which is pending`);
    }
    if (session.status === "active" && session.machineId !== id) {
      throw new Violation(`machine ${id} is reserved for a session that has ${session.machineId}`);
    }
  }

  #checkExecutions(): void {
    const { executions } = this.#view;
    const runs = this.#view.executedRuns().map(({ id }) => id);
    if (runs.length > this.#executionsMax) throw new Violation(`the service carries out ${runs.join(" ")}`);
    if (runs.length === executions.size && runs.every((id) => executions.has(runMember(id)))) return;
    throw new Violation(`of ${runs.join(" ")} the row has ${[...executions].join(" ")}`);
  }

  #checkQueue(): void {
    const rows = new Set<string>();
    for (const run of this.#view.livingRuns()) {
      if (run.status === "scheduling") rows.add(rowKey(entryOfRun(run)));
    }
    for (const [row, { waiting }] of this.#view.queue) {
      if (waiting.kind === "session") continue;
      if (!rows.delete(row)) {
        const run = this.#view.runs.get(waiting.runId);
        throw new Violation(`a queue has run ${waiting.runId}, which is ${run?.status ?? "gone"}: ${row}`);
      }
    }
    const [missing] = rows;
    if (missing !== undefined) throw new Violation(`a run waits without its queue row ${missing}`);
  }
}

function attributes(
  image: Readonly<Record<string, unknown>> | undefined,
): Record<string, string | undefined> {
  const texts: Record<string, string | undefined> = {};
  for (const name of ["kind", "id", "status", "assignment_id", "machine_id", "current_run_id"]) {
    texts[name] = (image?.[name] as { readonly S?: string } | undefined)?.S;
  }
  return texts;
}

/** Whether a machine may take a run. Of a session that began with the run, only its present machine is known. */
function isFor(view: View, run: Run, before: Machine): boolean {
  const session = run.sessionId === null ? undefined : view.sessions.get(run.sessionId);
  const isStarted = session?.machineId === before.id && before.reservedSessionId === null;
  if (run.sessionId !== null && !isStarted) return before.reservedSessionId === run.sessionId;
  const target = placementOf(session ?? { machineId: run.namedMachineId, poolIds: run.poolIds });
  const isFree = before.reservedSessionId === null && before.id !== run.triedMachineId;
  return isFree && isServedBy(target, before);
}

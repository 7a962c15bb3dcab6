import { recordingSeconds } from "../../vocabulary/recordings.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { type Ids, isoTimestamp } from "../clock.ts";
import { notFound } from "../entity/not-found.ts";
import { DomainError } from "../errors.ts";
import { holderOf, isInForce, machineHeld } from "../hold/hold.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import type { Machine } from "../machine/machine.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import type { WorkflowStore } from "../workflow/workflow-store.ts";
import type { Recording } from "./recording.ts";
import { holdOf, type RecordingDeps } from "./recording-deps.ts";

export interface StartRecordingDeps extends RecordingDeps {
  readonly workflows: Pick<WorkflowStore, "find">;
  readonly ids: Ids;
}

export interface StartRecordingInput {
  readonly machineId: string;
  readonly workflowId?: string | undefined;
  /** @default recordingSeconds.default */
  readonly seconds?: number | undefined;
}

/**
 * The machine is held from this write on: no run gets it, and nobody else acts there.
 *
 * @throws {DomainError} `insufficient_scope`, `not_found`, `conflict` for a machine with a run, `machine_not_connected`,
 * `machine_held` or `machine_reserved`. @throws {AlreadyOnRecord} @throws {ChangedTooOften}
 */
export async function startRecording(
  deps: StartRecordingDeps,
  caller: Caller,
  { machineId, workflowId, seconds }: StartRecordingInput,
  idempotency?: Idempotency,
): Promise<Recording> {
  requireScope(caller, "write");
  const { organizationId, userId } = caller;
  if (workflowId !== undefined && !(await deps.workflows.find(organizationId, workflowId))) {
    throw notFound("workflow", workflowId);
  }
  const id = idempotency?.ids[0] ?? deps.ids.uuid7();
  return await untilWritten(deps, {
    what: "the machine",
    read: () => deps.machines.find(organizationId, machineId),
    decide: async (machine) => {
      if (machine === undefined) throw notFound("machine", machineId);
      const nowMs = deps.clock.now();
      requireFree(machine, nowMs);
      const recording: Recording = {
        id,
        organizationId,
        userId,
        machineId,
        workflowId: workflowId ?? null,
        by: holderOf(caller),
        status: "recording",
        until: isoTimestamp(nowMs + (seconds ?? recordingSeconds.default) * 1_000),
        elementCount: 0,
        lastIndex: 0,
        lastPicture: null,
        painted: [],
        inputValues: {},
        trajectoryId: null,
        createdAt: isoTimestamp(nowMs),
        revision: 1,
      };
      const isStarted = await deps.recordings.start(recording, machine, holdOf(recording), idempotency);
      return isStarted ? recording : overtaken;
    },
  });
}

/** A machine out of service or switched off takes no runs, but a person may work on it. */
function requireFree(machine: Machine, nowMs: number): void {
  const { id, currentRunId, held, connection, reservedSessionId, clearingSince } = machine;
  if (currentRunId !== null) {
    throw new DomainError(
      "conflict",
      `the machine ${id} has the run ${currentRunId}: cancel it, or wait for its end`,
      { details: { run_id: currentRunId } },
    );
  }
  if (held !== null && isInForce(held, nowMs)) throw machineHeld(held, `the machine ${id}`);
  if (connection === null) {
    throw new DomainError("machine_not_connected", `the machine ${id} is not connected`);
  }
  if (reservedSessionId !== null || clearingSince !== null) {
    throw new DomainError(
      "machine_reserved",
      `the machine ${id} is reserved for the session ${reservedSessionId ?? "that ends now"}`,
    );
  }
}

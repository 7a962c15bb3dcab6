import { recordingSeconds } from "../../vocabulary/recordings.ts";
import { type Caller, requireScope } from "../access/caller.ts";
import { isoTimestamp } from "../clock.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { overtaken, untilWritten } from "../until-written.ts";
import { type Recording, recordingEnded, requireMaker, statusOf } from "./recording.ts";
import { holdOf, machineOf, type RecordingDeps, requireRecording } from "./recording-deps.ts";

export interface RecordingNamed {
  readonly recordingId: string;
}

export interface ExtendRecordingInput extends RecordingNamed {
  /** @default recordingSeconds.default */
  readonly seconds?: number | undefined;
}

/**
 * Never shortens it.
 *
 * @throws {DomainError} `insufficient_scope`, `not_found`, `machine_held` or `illegal_transition`.
 * @throws {AlreadyOnRecord} @throws {ChangedTooOften}
 */
export async function extendRecording(
  deps: RecordingDeps,
  caller: Caller,
  { recordingId, seconds }: ExtendRecordingInput,
  idempotency?: Idempotency,
): Promise<Recording> {
  requireScope(caller, "write");
  return await untilWritten(deps, {
    what: "the recording",
    read: () => requireRecording(deps, caller, recordingId),
    decide: async (before) => {
      const nowMs = deps.clock.now();
      requireMaker(before, caller, nowMs);
      const status = statusOf(before, nowMs);
      if (status !== "recording") throw recordingEnded(before, status, "begin another one");
      const wanted = isoTimestamp(nowMs + (seconds ?? recordingSeconds.default) * 1_000);
      const until = wanted > before.until ? wanted : before.until;
      const machine = await machineOf(deps, before);
      const holding = { machine, held: holdOf({ ...before, until }) };
      return (await deps.recordings.change(before, { until }, holding, idempotency)) ?? overtaken;
    },
  });
}

/**
 * The sweeper removes steps and pictures. Idempotent.
 *
 * @throws {DomainError} `insufficient_scope`, `not_found`, `machine_held` or `illegal_transition` for a finished one.
 * @throws {AlreadyOnRecord} @throws {ChangedTooOften}
 */
export async function discardRecording(
  deps: RecordingDeps,
  caller: Caller,
  { recordingId }: RecordingNamed,
  idempotency?: Idempotency,
): Promise<void> {
  requireScope(caller, "write");
  await untilWritten(deps, {
    what: "the recording",
    read: () => requireRecording(deps, caller, recordingId),
    decide: async (before) => {
      if (before.status === "finished") {
        throw recordingEnded(before, before.status, "delete its trajectory instead");
      }
      requireMaker(before, caller, deps.clock.now());
      const holding = { machine: await machineOf(deps, before), held: null };
      return (
        (await deps.recordings.change(before, { status: "discarded" }, holding, idempotency)) ?? overtaken
      );
    },
  });
}

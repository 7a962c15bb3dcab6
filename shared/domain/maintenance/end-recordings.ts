import { forEachBounded } from "../bounded-parallel.ts";
import { keptUntilMs, type Recording, statusOf } from "../demonstration/recording.ts";
import { machineOf, type RecordingDeps } from "../demonstration/recording-deps.ts";
import type { FileStore } from "../file-store.ts";
import { removeStepFiles } from "./finish-run-deletion.ts";

export interface EndRecordingsDeps extends RecordingDeps {
  readonly files: Pick<FileStore, "stepPrefix" | "list" | "remove">;
}

const recordingsPerRun = 50;

/**
 * Ends the hold of expired recordings, and removes the steps and pictures of discarded ones and of those that can no
 * longer be finished. Idempotent: an interrupted removal is still due.
 */
export async function endRecordings(deps: EndRecordingsDeps): Promise<number> {
  const nowMs = deps.clock.now();
  const due = await deps.recordings.listDue(nowMs, recordingsPerRun);
  return await forEachBounded(due, async (recording) => {
    if (recording.status === "finished") return;
    if (recording.status === "recording") await expire(deps, recording, nowMs);
    else if (recording.status === "discarded" || keptUntilMs(recording) <= nowMs)
      await remove(deps, recording);
  });
}

/** A recording that was extended meanwhile is as it is. */
async function expire(deps: EndRecordingsDeps, recording: Recording, nowMs: number): Promise<void> {
  if (statusOf(recording, nowMs) !== "expired") return;
  const holding = { machine: await machineOf(deps, recording), held: null };
  await deps.recordings.change(recording, { status: "expired" }, holding);
}

/** The rows go last, because they say what is due. */
async function remove(deps: EndRecordingsDeps, recording: Recording): Promise<void> {
  await removeStepFiles(deps, recording.organizationId, recording.id);
  await deps.recordings.removeSteps(recording);
}

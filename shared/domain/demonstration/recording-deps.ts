import type { Caller } from "../access/caller.ts";
import type { Clock } from "../clock.ts";
import type { MachineHold } from "../hold/hold.ts";
import type { Machine } from "../machine/machine.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import { type Recording, recordingNotFound } from "./recording.ts";
import type { RecordingStore } from "./recording-store.ts";

export interface RecordingDeps {
  readonly recordings: RecordingStore;
  readonly machines: Pick<MachineStore, "find">;
  readonly clock: Clock;
}

/** @throws {DomainError} `not_found` */
export async function requireRecording(
  { recordings }: { readonly recordings: Pick<RecordingStore, "find"> },
  { organizationId }: Pick<Caller, "organizationId">,
  recordingId: string,
): Promise<Recording> {
  const recording = await recordings.find(organizationId, recordingId);
  if (recording === undefined) throw recordingNotFound(recordingId);
  return recording;
}

/** Returns undefined if the machine is gone, or held for something else. */
export async function machineOf(
  { machines }: Pick<RecordingDeps, "machines">,
  { organizationId, machineId, id }: Recording,
): Promise<Machine | undefined> {
  const machine = await machines.find(organizationId, machineId);
  return machine?.held?.recordingId === id ? machine : undefined;
}

export function holdOf({ id, by, createdAt, until }: Recording): MachineHold {
  return { by, reason: null, since: createdAt, until, runId: null, recordingId: id };
}

import type { Caller } from "../access/caller.ts";
import type { Clock } from "../clock.ts";
import { required } from "../entity/not-found.ts";
import type { MachineHold } from "../hold/hold.ts";
import type { Machine } from "../machine/machine.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { Recording } from "./recording.ts";
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
  return required(await recordings.find(organizationId, recordingId), "recording", recordingId);
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

import type * as z from "zod";
import type { Held, MachineHeld } from "../contract/held.ts";
import type { Hold, MachineHold } from "../domain/hold/hold.ts";

export function presentHeld(held: Hold | null): z.infer<typeof Held> | null {
  if (held === null) return null;
  const { by, reason, since, until } = held;
  return { by: { kind: by.kind, id: by.id }, reason, since, until };
}

export function presentMachineHeld(held: MachineHold | null): z.infer<typeof MachineHeld> | null {
  const presented = presentHeld(held);
  return held && presented && { ...presented, run_id: held.runId, recording_id: held.recordingId };
}

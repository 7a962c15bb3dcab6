import type { Machine } from "../../machine/machine.ts";

export type Hindrance = "deleted" | "disconnected" | "out_of_service" | "unavailable" | "busy" | "clearing";

/** Undefined when the machine could take a run. Reservations are checked separately. */
export function hindranceOf(
  machine: Pick<
    Machine,
    "deletedAt" | "connection" | "outOfService" | "isAvailable" | "currentRunId" | "clearingSince"
  >,
): Hindrance | undefined {
  if (machine.deletedAt !== null) return "deleted";
  if (machine.outOfService) return "out_of_service";
  if (machine.connection === null) return "disconnected";
  if (!machine.isAvailable) return "unavailable";
  if (machine.clearingSince !== null) return "clearing";
  if (machine.currentRunId !== null) return "busy";
  return undefined;
}

export function isSameSet(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((id) => right.includes(id));
}

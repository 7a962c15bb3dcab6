import type { MachineList } from "../../../../shared/contract/machine.ts";

export type ShownMachine = MachineList["items"][number];

export type Hold = NonNullable<ShownMachine["held"]>;

/** Why the machine takes no new run now, in a few words; undefined when it takes one. */
export function whyNotAvailable(
  { status, is_available, held, reserved_session_id }: ShownMachine,
  hasRun: boolean,
): string | undefined {
  if (status === "error") return "out of service";
  if (status === "disconnected") return "its driver is not connected";
  if (held) return `held by ${holderOf(held)}`;
  if (hasRun) return "carries out a run";
  if (!is_available) return "switched off for new runs";
  if (reserved_session_id !== null) return "reserved for a session";
  return undefined;
}

function holderOf({ by }: Hold): string {
  if (by.kind === "model") return "the run's model, which asks for a person";
  return by.kind === "user" ? "a person" : "an API key";
}

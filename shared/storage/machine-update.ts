import type { Machine } from "../domain/machine/machine.ts";
import type { MachineChange, UpdateMachineOutcome } from "../domain/machine/machine-store.ts";
import type { Condition } from "./expression.ts";

/** Holds for every machine that is not deleted. */
export const isLiving = "attribute_exists(pk) AND attribute_not_exists(deleted_at)";

/** @param revision the one that the machine must still be at. */
export function updateCondition(change: MachineChange, revision: number | undefined): Condition {
  const reserves = typeof change.reservedSessionId === "string";
  return {
    expression: [
      isLiving,
      ...(revision === undefined ? [] : ["revision = :revision"]),
      ...(reserves ? ["(attribute_not_exists(reserved_session_id) OR reserved_session_id = :session)"] : []),
    ].join(" AND "),
    values: {
      ...(revision === undefined ? {} : { revision }),
      ...(reserves ? { session: change.reservedSessionId } : {}),
    },
  };
}

/** Which rule keeps that machine from being changed; undefined when none does. */
export function refusal(
  machine: Machine | undefined,
  change: MachineChange,
  revision: number | undefined,
): UpdateMachineOutcome | undefined {
  if (!machine || machine.deletedAt !== null) return { kind: "not_found" };
  if (revision !== undefined && machine.revision !== revision) return { kind: "changed" };
  const wanted = change.reservedSessionId ?? null;
  const given = machine.reservedSessionId;
  return wanted !== null && given !== null && given !== wanted ? { kind: "reserved" } : undefined;
}

/** The machine after the change; `machineChange` says the same to the table. */
export function changed(machine: Machine, change: MachineChange): Machine {
  const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  return { ...machine, ...given, revision: machine.revision + 1 };
}

import { notFound } from "../entity/not-found.ts";
import { ChangedTooOften, DomainError } from "../errors.ts";
import type { Machine } from "./machine.ts";
import type { UpdateMachineOutcome } from "./machine-store.ts";

/** @throws {DomainError} `not_found`, `machine_reserved` or `service_unavailable`. */
export function requireUpdatedMachine(machineId: string, outcome: UpdateMachineOutcome): Machine {
  switch (outcome.kind) {
    case "updated":
      return outcome.machine;
    case "not_found":
      throw notFound("machine", machineId);
    case "reserved":
      throw new DomainError(
        "machine_reserved",
        "the machine is reserved for another session; reserved_session_id null clears that first",
      );
    case "session_elsewhere":
    case "session_changed":
    case "not_cleared":
    case "changed":
      throw new ChangedTooOften("the machine");
  }
}

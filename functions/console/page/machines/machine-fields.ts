import type { ShownFields } from "../parts/changes/changes-between.ts";
import type { ShownMachine } from "./machine-words.ts";

/** People change these of a machine. */
export const machineFields: ShownFields<ShownMachine> = {
  Name: ({ name }) => name,
  Parameters: ({ machine_parameters }) => JSON.stringify(machine_parameters, null, 2),
  Secrets: ({ machine_sensitive_parameters }) => Object.keys(machine_sensitive_parameters).join(", "),
  Pools: ({ pools }) => pools.map(({ name }) => name).join(", "),
  "Takes new runs": ({ is_available }) => (is_available ? "yes" : "no"),
  "In service": ({ status }) => (status === "error" ? "no" : "yes"),
};

import { MachineHealthReport } from "../health.ts";
import { defineOperations } from "./operation.ts";

/** The public paths belong to another function, which may read only what they need. */
export const machineHealthOperations = defineOperations("Health", [
  {
    id: "probeMachines",
    method: "GET",
    path: "/health/machines",
    summary: "Probes all connected machines",
    description:
      "Asks each connected machine for its display's dimensions: at most 50 at once, 8 s each, 25 s in all. Of the credentials' organization, or of all organizations, in turns, for a key with the scope `operator`.",
    access: "bearer",
    scopes: ["read", "operator"],
    responses: {
      200: {
        description:
          "The report, also when machines are in error; machines that the time did not suffice for count as such.",
        schema: MachineHealthReport,
      },
    },
  },
]);

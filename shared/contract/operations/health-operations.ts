import { DatabaseHealth, Health, MachineHealthReport } from "../health.ts";
import { defineOperations } from "./operation.ts";

const tag = "Health";

export const healthOperations = defineOperations([
  {
    id: "getHealth",
    method: "GET",
    path: "/v1/health",
    tag,
    summary: "Returns whether the service responds",
    description: "Public, and exempt from rate limits.",
    access: "public",
    responses: { 200: { description: "It does, and which version.", schema: Health } },
  },
  {
    id: "getDatabaseHealth",
    method: "GET",
    path: "/v1/health/db",
    tag,
    summary: "Returns whether the database responds",
    description: "Public, and exempt from rate limits. Makes one strongly consistent read.",
    access: "public",
    responses: {
      200: { description: "It does, and the read's time in milliseconds.", schema: DatabaseHealth },
      503: { description: "It does not.", schema: DatabaseHealth },
    },
  },
  {
    id: "probeMachines",
    method: "GET",
    path: "/health/machines",
    tag,
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

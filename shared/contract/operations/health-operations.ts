import { DatabaseHealth, Health } from "../health.ts";
import { defineOperations } from "./operation.ts";

export const healthOperations = defineOperations("Health", [
  {
    id: "getHealth",
    method: "GET",
    path: "/v1/health",
    summary: "Returns whether the service responds",
    description: "Public, and exempt from rate limits.",
    access: "public",
    responses: { 200: { description: "The service responds, with its version.", schema: Health } },
  },
  {
    id: "getDatabaseHealth",
    method: "GET",
    path: "/v1/health/db",
    summary: "Returns whether the database responds",
    description: "Public, and exempt from rate limits. Makes one strongly consistent read.",
    access: "public",
    responses: {
      200: { description: "The database responds, with the time that a read took.", schema: DatabaseHealth },
      503: { description: "The database does not respond.", schema: DatabaseHealth },
    },
  },
]);

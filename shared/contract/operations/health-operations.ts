import { DatabaseHealth, Health } from "../health.ts";
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
]);

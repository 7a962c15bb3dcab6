import { Connection, ConnectionList, ConnectionPath, ConnectionsQuery } from "../connection.ts";
import { defineOperations } from "./operation.ts";

const tag = "Connections";
const pathParameters = ConnectionPath;

export const connectionOperations = defineOperations([
  {
    id: "listConnections",
    method: "GET",
    path: "/v1/connections",
    tag,
    summary: "Lists connections",
    description: "Newest first; those that have ended are kept for 30 days.",
    access: "bearer",
    scopes: ["read"],
    query: ConnectionsQuery,
    answers: { 200: { description: "A page, with the exact total.", schema: ConnectionList } },
  },
  {
    id: "getConnection",
    method: "GET",
    path: "/v1/connections/{connection_id}",
    tag,
    summary: "Reads one connection",
    access: "bearer",
    scopes: ["read"],
    pathParameters,
    answers: { 200: { description: "The connection.", schema: Connection } },
  },
  {
    id: "deleteConnection",
    method: "DELETE",
    path: "/v1/connections/{connection_id}",
    tag,
    summary: "Closes a connection's socket and forgets it",
    description:
      "Not typically used, because connections are managed automatically: the driver, which is not told to stay away, connects again.",
    access: "bearer",
    scopes: ["write"],
    pathParameters,
    answers: { 204: { description: "Closed and forgotten." } },
  },
]);

import { Connection, ConnectionList, ConnectionPath, ConnectionsQuery } from "../connection.ts";
import { defineOperations, reading, writing } from "./operation.ts";

const pathParameters = ConnectionPath;

export const connectionOperations = defineOperations("Connections", [
  {
    ...reading,
    id: "listConnections",
    path: "/v1/connections",
    summary: "Lists connections",
    description: "The list is sorted newest first; connections that have ended are kept for 30 days.",
    query: ConnectionsQuery,
    responses: { 200: { description: "A page, with the exact total.", schema: ConnectionList } },
  },
  {
    ...reading,
    id: "getConnection",
    path: "/v1/connections/{connection_id}",
    summary: "Reads one connection",
    pathParameters,
    responses: { 200: { description: "The connection.", schema: Connection } },
  },
  {
    ...writing("DELETE"),
    id: "deleteConnection",
    writes: "connection",
    path: "/v1/connections/{connection_id}",
    summary: "Closes a connection's socket and forgets it",
    description:
      "This is not typically used, because connections are managed automatically: the driver, which is not told to stay away, connects again.",
    pathParameters,
    responses: { 204: { description: "Closed and forgotten." } },
  },
]);

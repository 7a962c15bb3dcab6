import { liveTicketSeconds, topicsMax, viewersMax } from "../../vocabulary/live.ts";
import { Connection, ConnectionList, ConnectionsQuery } from "../connection.ts";
import { LiveTicket } from "../live.ts";
import { defineOperations, reading, writing } from "./operation.ts";

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
    responses: { 204: { description: "Closed and forgotten." } },
  },
  {
    id: "createLiveTicket",
    method: "POST",
    access: "bearer",
    scopes: ["read"],
    tag: "Live channel",
    path: "/v1/live-tickets",
    summary: "Gives a browser the address of the live channel",
    description: `Good for one connection, within ${liveTicketSeconds} seconds. Over it come hints of what has changed, never the data: the viewer reads what it may read. A viewer watches up to ${topicsMax} topics, for two hours at most, and until its session ends or its key is revoked; an organization has up to ${viewersMax} viewers at once. The AsyncAPI document has the messages. Each request makes another ticket, so an Idempotency-Key has no effect.`,
    responses: { 201: { description: "The ticket, and the address that has it.", schema: LiveTicket } },
    refusals: { 429: `The organization has ${viewersMax} viewers already.` },
  },
]);

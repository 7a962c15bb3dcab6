import * as z from "zod";
import { connectionStatuses } from "../vocabulary/machines.ts";
import { pageOf, pageQuery, Uuid } from "./fields/common.ts";
import { example } from "./fields/example.ts";
import { anyOf } from "./fields/query-values.ts";

export const ConnectionStatus = z
  .enum(connectionStatuses)
  .describe(
    "The state of a connection: `pending` until the driver's first message is answered, then `connected`, in the end `disconnected`.",
  );

export const ConnectionsQuery = z.strictObject({
  ...pageQuery,
  machine_id: anyOf(Uuid, "Only connections of this machine are listed."),
  status: anyOf(ConnectionStatus, "Only connections in this state are listed."),
});

export const Connection = z
  .strictObject({
    id: z.uuid().describe("The connection's id."),
    machine_id: z.uuid().describe("The machine whose driver opened the connection."),
    websocket_id: example(z.string(), "JKJaXmPLvHcESHA=").describe("API Gateway's id of the WebSocket."),
    connected_at: z.iso.datetime().describe("Time at which the driver connected."),
    disconnected_at: z.iso
      .datetime()
      .nullable()
      .describe("Time at which the connection ended; null while it is open."),
    last_ping: z.iso
      .datetime()
      .describe("Time at which the driver was last heard of, to about half an hour."),
    status: ConnectionStatus.describe(
      "The connection's state; `pending` until the driver's first message has been answered.",
    ),
    ip_address: example(z.string(), "203.0.113.7").describe("The IP address that the driver connected from."),
    user_agent: example(z.string(), "desktop-driver/1.0.0").describe(
      "The `User-Agent` header of the driver's handshake.",
    ),
  })
  .describe("A driver's connection to the service; it stays on record for 30 days after it ends.");
export type Connection = z.infer<typeof Connection>;

export const ConnectionList = pageOf(Connection).describe("A page of connections, newest first.");
export type ConnectionList = z.infer<typeof ConnectionList>;

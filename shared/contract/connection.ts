import * as z from "zod";
import { connectionStatuses } from "../vocabulary/machines.ts";
import { listOf, pageQuery, Uuid } from "./fields/common.ts";

export const ConnectionStatus = z.enum(connectionStatuses);

export const ConnectionPath = z.strictObject({ connection_id: Uuid });

export const ConnectionsQuery = z.strictObject({
  ...pageQuery,
  machine_id: Uuid.optional(),
  status: ConnectionStatus.optional(),
});

/** Kept for 30 days after it ends. */
export const Connection = z.strictObject({
  id: z.uuid(),
  machine_id: z.uuid(),
  /** API Gateway's id of the socket. */
  websocket_id: z.string(),
  connected_at: z.iso.datetime(),
  disconnected_at: z.iso.datetime().nullable(),
  last_ping: z.iso.datetime(),
  status: ConnectionStatus,
  ip_address: z.string(),
  user_agent: z.string(),
});
export type Connection = z.infer<typeof Connection>;

export const ConnectionList = listOf(Connection, z.never()).omit({ included: true });
export type ConnectionList = z.infer<typeof ConnectionList>;

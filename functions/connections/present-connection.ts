import type { Connection as WireConnection } from "../../shared/contract/connection.ts";
import type { Connection } from "../../shared/domain/connection/connection.ts";

export function presentConnection(connection: Connection): WireConnection {
  return {
    id: connection.id,
    machine_id: connection.machineId,
    websocket_id: connection.websocketId,
    connected_at: connection.connectedAt,
    disconnected_at: connection.disconnectedAt,
    last_ping: connection.lastPing,
    status: connection.status,
    ip_address: connection.ipAddress,
    user_agent: connection.userAgent,
  };
}

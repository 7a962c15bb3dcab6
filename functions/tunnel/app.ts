import { closeConnection } from "../../shared/domain/connection/close-connection.ts";
import type { Connection } from "../../shared/domain/connection/connection.ts";
import type { Logger } from "../../shared/domain/logger.ts";
import { connect } from "./connect.ts";
import { receiveMessage } from "./receive-message.ts";
import type { TunnelDeps } from "./tunnel-deps.ts";
import type { TunnelEvent, TunnelResult } from "./tunnel-event.ts";

/** A failed message is rethrown: the gateway notifies the driver, which resends what was not acknowledged. */
export function createTunnelHandler(deps: TunnelDeps): (event: TunnelEvent) => Promise<TunnelResult> {
  return async (event) => {
    const { eventType, connectionId, requestId } = event.requestContext;
    const logger = deps.logger.with({ request_id: requestId, websocket_id: connectionId });
    const own = { ...deps, logger };
    if (eventType === "CONNECT") return await connect(own, event);
    try {
      if (eventType === "MESSAGE") await receiveMessage(own, connectionId, event.body ?? "");
      else await close(own, connectionId);
      return { statusCode: 200 };
    } catch (cause) {
      logger.error("tunnel event failed", { event_type: eventType, cause });
      throw cause;
    }
  };
}

/** After a refused handshake there is neither. A driver's connection, the usual case, costs no read of a viewer. */
async function close(deps: TunnelDeps, websocketId: string): Promise<void> {
  const connection = await closeConnection(deps, websocketId);
  if (connection) return logClosed(deps.logger, connection);
  const viewer = await deps.viewers.findBySocket(websocketId);
  if (viewer) await deps.viewers.remove(viewer);
}

function logClosed(logger: Logger, connection: Connection): void {
  const { organizationId, machineId, id } = connection;
  const facts = { organization_id: organizationId, machine_id: machineId, connection_id: id };
  logger.info("driver disconnected", facts);
}

import { closeConnection } from "../../shared/domain/connection/close-connection.ts";
import { connect } from "./connect.ts";
import { receiveMessage } from "./receive-message.ts";
import type { TunnelDeps } from "./tunnel-deps.ts";
import type { TunnelEvent, TunnelResult } from "./tunnel-event.ts";

/**
 * The three routes of the WebSocket API.
 *
 * A fault while a message is handled is thrown on: the gateway then tells the driver, which sends again what was
 * not acknowledged.
 */
export function createTunnelHandler(deps: TunnelDeps): (event: TunnelEvent) => Promise<TunnelResult> {
  return async (event) => {
    const { eventType, connectionId, requestId } = event.requestContext;
    const logger = deps.logger.with({ request_id: requestId, websocket_id: connectionId });
    const own = { ...deps, logger };
    if (eventType === "CONNECT") return await connect(own, event);
    try {
      if (eventType === "MESSAGE") await receiveMessage(own, connectionId, event.body ?? "");
      else await closeConnection(own, connectionId);
      return { statusCode: 200 };
    } catch (cause) {
      logger.error("tunnel event failed", { event_type: eventType, cause });
      throw cause;
    }
  };
}

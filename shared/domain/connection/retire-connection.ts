import type { OrganizationId } from "../access/organization-id.ts";
import type { Clock } from "../clock.ts";
import type { DismissalReason, SocketDismissal } from "../tunnel/socket-dismissal.ts";
import type { ConnectionStore } from "./connection-store.ts";

export interface RetireConnectionDeps {
  readonly connections: Pick<ConnectionStore, "find" | "close">;
  readonly dismissal: SocketDismissal;
  readonly clock: Clock;
}

export interface RetiredConnection {
  readonly id: string;
  readonly websocketId: string;
}

/**
 * Ends a connection from this side: goodbye and the end of the socket first, then the row. While the row is open,
 * whoever looks for connections to end still finds it, so an interrupted call can be made again.
 */
export async function retireConnection(
  deps: RetireConnectionDeps,
  organizationId: OrganizationId,
  retired: RetiredConnection,
  reason: DismissalReason,
): Promise<void> {
  await deps.dismissal.dismiss(retired.websocketId, reason);
  const connection = await deps.connections.find(organizationId, retired.id);
  if (connection) await deps.connections.close(connection, deps.clock.now());
}

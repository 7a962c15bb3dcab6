import type { DismissalReason } from "../../vocabulary/machines.ts";
import type { Clock } from "../clock.ts";
import type { OrganizationId } from "../organization-id.ts";
import type { SocketDismissal } from "../tunnel/socket-dismissal.ts";
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

/** The goodbye is sent first: while the row is open, the sweeps find it, so an interrupted call can be repeated. */
export async function retireConnection(
  deps: RetireConnectionDeps,
  organizationId: OrganizationId,
  retired: RetiredConnection,
  reason: DismissalReason,
  address?: string,
): Promise<void> {
  await deps.dismissal.dismiss(retired.websocketId, reason, address);
  const connection = await deps.connections.find(organizationId, retired.id);
  if (connection) await deps.connections.close(connection, deps.clock.now());
}

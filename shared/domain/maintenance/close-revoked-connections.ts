import type { ApiKeyStore, Revocation } from "../access/api-key.ts";
import { forEachBounded } from "../bounded-parallel.ts";
import type { ConnectionStore } from "../connection/connection-store.ts";
import { type RetireConnectionDeps, retireConnection } from "../connection/retire-connection.ts";
import { dismissViewers } from "../live/end-viewers.ts";
import type { ViewerStore } from "../live/viewer-store.ts";

const keysPerRun = 50;
const connectionsPerRun = 500;

/** An instance may cache a revoked key for 30 s, and a handshake begun by then may finish. */
const settleAfterMs = 2 * 60_000;

export interface CloseRevokedConnectionsDeps extends RetireConnectionDeps {
  readonly keys: Pick<ApiKeyStore, "listRevocations" | "settleRevocation">;
  readonly connections: Pick<ConnectionStore, "find" | "close" | "listByKey">;
  readonly viewers: Pick<ViewerStore, "listByKey" | "remove">;
}

export async function closeRevokedConnections(deps: CloseRevokedConnectionsDeps): Promise<number> {
  let closed = 0;
  const failures: unknown[] = [];
  for (const revocation of await deps.keys.listRevocations(keysPerRun, deps.clock.now())) {
    if (closed >= connectionsPerRun) break;
    try {
      closed += await closeConnectionsOf(deps, revocation, connectionsPerRun - closed);
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, "connections of revoked keys stayed open");
  return closed;
}

async function closeConnectionsOf(
  deps: CloseRevokedConnectionsDeps,
  { keyId, revokedAt }: Revocation,
  limit: number,
): Promise<number> {
  const open = await deps.connections.listByKey(keyId);
  const closed = await forEachBounded(open.slice(0, limit), (connection) =>
    retireConnection(deps, connection.organizationId, connection, "revoked"),
  );
  // There are at most as many as one organization has places.
  const ended = await dismissViewers(deps, await deps.viewers.listByKey(keyId), "revoked");
  const isOld = Date.parse(revokedAt) < deps.clock.now() - settleAfterMs;
  if (isOld && closed === open.length) await deps.keys.settleRevocation(keyId);
  return closed + ended;
}

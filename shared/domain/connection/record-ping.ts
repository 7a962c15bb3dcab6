import type { MachineStore } from "../machine/machine-store.ts";
import type { SocketGateway } from "../tunnel/socket-gateway.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionStore } from "./connection-store.ts";
import { type FrameLimitDeps, isWithinLimit } from "./count-frame.ts";
import { type RetireConnectionDeps, retireConnection } from "./retire-connection.ts";

export interface RecordPingDeps extends RetireConnectionDeps, FrameLimitDeps {
  readonly machines: Pick<MachineStore, "find" | "proveSecret">;
  readonly connections: Pick<ConnectionStore, "find" | "close" | "ping">;
  readonly sockets: Pick<SocketGateway, "disconnect">;
}

/**
 * Keeps a connection alive. False when the ping is not to be answered: the connection is no longer valid, or has sent
 * too many frames, and its socket has been closed.
 *
 * Costs one read more than the writes need, every five minutes: it closes sockets left by an interrupted hello or
 * deletion.
 *
 * @param isProved whether the ping proves that its driver has the secret with that digest.
 */
export async function recordPing(
  deps: RecordPingDeps,
  connection: Connection,
  isProved: (digest: string) => boolean = () => false,
): Promise<boolean> {
  const frames = await deps.connections.ping(connection, deps.clock.now());
  if (frames === undefined) {
    await deps.sockets.disconnect(connection.websocketId);
    return false;
  }
  if (!(await isWithinLimit(deps, connection.websocketId, frames))) return false;
  const machine = await deps.machines.find(connection.organizationId, connection.machineId);
  if (!machine) {
    await retireConnection(deps, connection.organizationId, connection, "deleted");
    return false;
  }
  if (machine.connection && machine.connection.id > connection.id) {
    await retireConnection(deps, connection.organizationId, connection, "superseded");
    return false;
  }
  const { pendingSecretDigest: pending } = machine;
  if (pending !== null && machine.connection?.id === connection.id && isProved(pending)) {
    await deps.machines.proveSecret(connection.organizationId, machine.id, pending);
  }
  return true;
}

import type { Clock } from "../clock.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { ConnectionStore } from "./connection-store.ts";
import { type CountFrameDeps, countFrameHere, countFrameOnRecord, isWithinLimit } from "./count-frame.ts";
import { isPingNoted } from "./ping-turn.ts";
import { type RetireConnectionDeps, retireConnection } from "./retire-connection.ts";

export interface RecordPingDeps extends RetireConnectionDeps, CountFrameDeps {
  readonly machines: Pick<MachineStore, "find" | "proveSecret">;
  readonly connections: Pick<
    ConnectionStore,
    "find" | "findByWebsocketId" | "close" | "hear" | "isCurrent" | "ping" | "countFrame" | "countFrameHere"
  >;
  readonly clock: Clock;
  readonly pingSeconds: number;
}

export type RecordedPing =
  | "heard"
  | "hello_expected"
  /** The connection is no longer valid, or has sent too many frames; its socket is closed. */
  | "ended";

/** Checks that a ping proves the secret with that digest, over that connection. */
export type SecretProof = (digest: string, connectionId: string) => boolean;

/**
 * Records a ping once in half an hour: a write for each would cost $10.95 a month for 1,000 machines, and the gateway
 * reports which connections are gone.
 */
export async function recordPing(
  deps: RecordPingDeps,
  websocketId: string,
  proof?: SecretProof,
): Promise<RecordedPing> {
  if (!(await countFrameHere(deps, websocketId))) return "ended";
  const { connections, pingSeconds } = deps;
  const nowMs = deps.clock.now();
  const heardBeforeMs = connections.hear(websocketId, nowMs);
  if (isPingNoted({ pingSeconds, websocketId, nowMs, heardBeforeMs, hasProof: proof !== undefined })) {
    return await note(deps, websocketId, proof);
  }
  return (await connections.isCurrent(websocketId, nowMs)) ? "heard" : await judge(deps, websocketId);
}

async function note(
  deps: RecordPingDeps,
  websocketId: string,
  proof: SecretProof | undefined,
): Promise<RecordedPing> {
  const ping = await deps.connections.ping(websocketId, deps.clock.now());
  if (!ping) return await judge(deps, websocketId);
  if (!(await isWithinLimit(deps, websocketId, ping.frames))) return "ended";
  const { connection, pendingSecretDigest: pending } = ping;
  if (pending !== null && proof?.(pending, connection.id)) {
    await deps.machines.proveSecret(connection.organizationId, connection.machineId, pending);
  }
  return "heard";
}

/** Closes sockets that an interrupted hello, deletion or close has left open. */
async function judge(deps: RecordPingDeps, websocketId: string): Promise<RecordedPing> {
  if (!(await countFrameOnRecord(deps, websocketId))) return "ended";
  const connection = await deps.connections.findByWebsocketId(websocketId);
  if (connection?.status === "pending") return "hello_expected";
  if (connection) {
    const { organizationId, machineId, id } = connection;
    const machine = await deps.machines.find(organizationId, machineId);
    if (!machine || (machine.connection && machine.connection.id > id)) {
      await retireConnection(deps, organizationId, connection, machine ? "superseded" : "deleted");
      return "ended";
    }
    // The hello was answered meanwhile.
    if (machine.connection?.id === id) return "heard";
  }
  await deps.sockets.disconnect(websocketId);
  return "ended";
}

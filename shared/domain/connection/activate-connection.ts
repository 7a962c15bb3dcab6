import type { ApiKeyStore } from "../access/api-key.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { SocketGateway } from "../tunnel/socket-gateway.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionStore, DriverFacts } from "./connection-store.ts";
import { type RetireConnectionDeps, type RetiredConnection, retireConnection } from "./retire-connection.ts";

export interface ActivateConnectionDeps extends RetireConnectionDeps {
  readonly machines: Pick<MachineStore, "find">;
  readonly connections: Pick<ConnectionStore, "find" | "close" | "activate">;
  readonly keys: Pick<ApiKeyStore, "find">;
  readonly sockets: Pick<SocketGateway, "disconnect">;
}

export type Activation =
  /** Welcome it, then retire `superseded`. */
  | { readonly kind: "active"; readonly superseded: RetiredConnection | null }
  /** Its socket has been closed already. */
  | { readonly kind: "ended" };

/** Handles a driver's hello: makes its connection the machine's current one, unless a newer one is. */
export async function activateConnection(
  deps: ActivateConnectionDeps,
  connection: Connection,
  facts: DriverFacts,
): Promise<Activation> {
  const { organizationId, machineId } = connection;
  const machine = await deps.machines.find(organizationId, machineId);
  if (!machine) return await end(deps, connection, "deleted");
  const { name = "", ...others } = { ...connection.facts, ...facts };
  // The user may change the name: the driver's is used only while there is none.
  const learned = machine.name === "" && name !== "" ? { ...others, name } : others;
  const activate = (bindKey: boolean) =>
    deps.connections.activate(connection, learned, deps.clock.now(), { bindKey });
  let outcome = await activate(false);
  if (outcome.kind === "bound_to_another") {
    // The handshake has checked this, but two keys may have connected before either said hello.
    if (!(await mayBindAnew(deps, connection.keyId))) return await end(deps, connection, "superseded");
    outcome = await activate(true);
  }
  if (outcome.kind === "active") return outcome;
  if (outcome.kind === "older") return await end(deps, connection, "superseded");
  if (!(await deps.machines.find(organizationId, machineId))) return await end(deps, connection, "deleted");
  // Closed meanwhile, for example by the sweeper: the driver may reconnect.
  await deps.sockets.disconnect(connection.websocketId);
  return { kind: "ended" };
}

async function mayBindAnew(deps: ActivateConnectionDeps, keyId: string): Promise<boolean> {
  const key = await deps.keys.find(keyId);
  return key !== undefined && key.revokedAt === null && key.scopes.includes("write");
}

async function end(
  deps: ActivateConnectionDeps,
  connection: Connection,
  reason: "superseded" | "deleted",
): Promise<Activation> {
  await retireConnection(deps, connection.organizationId, connection, reason);
  return { kind: "ended" };
}

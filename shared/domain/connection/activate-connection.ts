import { type ApiKeyStore, isUsable } from "../access/api-key.ts";
import { callerOfKey } from "../access/credentials.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { SocketGateway } from "../tunnel/socket-gateway.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionStore, DriverFacts } from "./connection-store.ts";
import { isOwnDriver, needsSecret } from "./machine-secret.ts";
import { type RetireConnectionDeps, type RetiredConnection, retireConnection } from "./retire-connection.ts";

export interface ActivateConnectionDeps extends RetireConnectionDeps {
  readonly machines: Pick<MachineStore, "find">;
  readonly connections: Pick<ConnectionStore, "find" | "close" | "activate">;
  readonly keys: Pick<ApiKeyStore, "find">;
  readonly sockets: Pick<SocketGateway, "disconnect">;
}

export type Activation =
  /** The caller welcomes the connection, then retires `superseded`. */
  | { readonly kind: "active"; readonly superseded: RetiredConnection | null; readonly givesSecret: boolean }
  | { readonly kind: "ended" };

/** Handles a driver's hello. @param offeredSecretDigest is of the welcome's secret; null if the driver keeps none */
export async function activateConnection(
  deps: ActivateConnectionDeps,
  connection: Connection,
  facts: DriverFacts,
  offeredSecretDigest: string | null,
): Promise<Activation> {
  const { organizationId, machineId } = connection;
  const machine = await deps.machines.find(organizationId, machineId);
  if (!machine) return await end(deps, connection, "deleted");
  const isCurrent = machine.connection?.id === connection.id;
  // The handshake has checked this, but another driver may have said hello or proved a secret since.
  if (!isCurrent && !isOwnDriver(machine, connection.shownSecretDigest)) {
    if (!(await mayWrite(deps, connection.keyId))) return await drop(deps, connection);
  }
  const givesSecret = offeredSecretDigest !== null && needsSecret(machine, connection);
  const { secretDigest, pendingSecretDigest } = machine;
  const secret = {
    secretDigest,
    pendingSecretDigest,
    isShown: secretDigest !== null && secretDigest === connection.shownSecretDigest,
    nextDigest: givesSecret ? offeredSecretDigest : null,
  };
  const { name = "", ...others } = { ...connection.facts, ...facts };
  // The user may change the name: the driver's is used only while there is none.
  const learned = machine.name === "" && name !== "" ? { ...others, name } : others;
  const activate = (bindKey: boolean) =>
    deps.connections.activate(connection, learned, deps.clock.now(), { bindKey, secret });
  let outcome = await activate(false);
  if (outcome.kind === "bound_to_another") {
    // The handshake has checked this, but two keys may have connected before either said hello.
    if (!(await mayWrite(deps, connection.keyId))) return await end(deps, connection, "superseded");
    outcome = await activate(true);
  }
  if (outcome.kind === "active") return { ...outcome, givesSecret };
  if (outcome.kind === "older") return await end(deps, connection, "superseded");
  if (!(await deps.machines.find(organizationId, machineId))) return await end(deps, connection, "deleted");
  // The connection was closed meanwhile, for example by the sweeper, or its machine got another secret.
  return await drop(deps, connection);
}

/** Sends no goodbye, which would end the driver. It may reconnect, and the handshake then explains the refusal. */
async function drop(deps: ActivateConnectionDeps, connection: Connection): Promise<Activation> {
  await deps.sockets.disconnect(connection.websocketId);
  return { kind: "ended" };
}

async function mayWrite(deps: ActivateConnectionDeps, keyId: string): Promise<boolean> {
  const key = await deps.keys.find(keyId);
  return key !== undefined && isUsable(key, deps.clock.now()) && callerOfKey(key).scopes.includes("write");
}

async function end(
  deps: ActivateConnectionDeps,
  connection: Connection,
  reason: "superseded" | "deleted",
): Promise<Activation> {
  await retireConnection(deps, connection.organizationId, connection, reason);
  return { kind: "ended" };
}

import { type Caller, requireScope } from "../access/caller.ts";
import { type RateLimiter, requireRoom } from "../access/rate-limits.ts";
import { type Clock, type Ids, isoTimestamp } from "../clock.ts";
import { DomainError } from "../errors.ts";
import { type Machine, newMachine } from "../machine/machine.ts";
import type { MachineStore } from "../machine/machine-store.ts";
import type { Connection } from "./connection.ts";
import type { ConnectionStore, DriverFacts } from "./connection-store.ts";
import { isOwnDriver } from "./machine-secret.ts";

const connectsPerMinuteMax = 10;

/** This many set up a floor of desktops, while a leaked key cannot fill the table with made-up fingerprints. */
const machinesMadePerMinuteMax = 60;

/** A connection that ends without a close frame is closed within minutes. */
const keyFullRetrySeconds = 60;

export interface OpenConnectionDeps {
  readonly machines: Pick<MachineStore, "find" | "findByFingerprint" | "create" | "proveSecret">;
  readonly connections: Pick<ConnectionStore, "open" | "countByKey">;
  readonly rateLimiter: RateLimiter;
  /** The limit includes pending connections and those about to be replaced. */
  readonly keyConnectionsMax: number;
  readonly clock: Clock;
  readonly ids: Ids;
}

export interface OpenConnectionInput {
  readonly fingerprint: string;
  readonly websocketId: string;
  readonly host: string;
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly remotePeerId: string;
  readonly shownSecretDigest: string | null;
  /** The initial values of a new machine; a known one gets them with the hello. */
  readonly facts: DriverFacts;
  /** The id is as the driver wrote it. */
  readonly keepaliveFor: string | null;
}

/**
 * Finds or creates the machine, and opens a connection that is `pending` until its hello.
 *
 * @throws {DomainError} `insufficient_scope`, `rate_limited`, `conflict`, `key_not_bound` or `machine_secret_required`.
 */
export async function openConnection(
  deps: OpenConnectionDeps,
  caller: Caller,
  input: OpenConnectionInput,
): Promise<Connection> {
  requireScope(caller, "driver", "write");
  const keyId = caller.keyId;
  if (keyId === null) throw new DomainError("insufficient_scope", "a tunnel is opened with an API key");
  // Organization and fingerprint identify the machine, whether it exists yet or not.
  await requireRoom(
    deps,
    { name: `connect#${caller.organizationId}#${input.fingerprint}`, limit: connectsPerMinuteMax },
    `this machine connected ${connectsPerMinuteMax} times within a minute already`,
  );
  const { keyConnectionsMax } = deps;
  // The count is not exact: concurrent connects may pass together, while each instance goes by its own count.
  const count = await deps.connections.countByKey(keyId, keyConnectionsMax, deps.clock.now());
  if (count >= keyConnectionsMax) {
    const problem = `this key has ${keyConnectionsMax} connections open, as many as one key may have`;
    throw new DomainError("rate_limited", problem, { retryAfterSeconds: keyFullRetrySeconds });
  }

  const known = await deps.machines.findByFingerprint(caller.organizationId, input.fingerprint);
  const keepaliveForMachineId = await keepaliveTarget(deps, caller, input.keepaliveFor, known);
  const machine = known ?? (await registerMachine(deps, caller, keyId, input));
  requireBinding(caller, keyId, machine);
  requireOwnDriver(caller, machine, input.shownSecretDigest);
  const { pendingSecretDigest } = machine;
  if (pendingSecretDigest !== null && pendingSecretDigest === input.shownSecretDigest) {
    await deps.machines.proveSecret(caller.organizationId, machine.id, pendingSecretDigest);
  }

  const now = isoTimestamp(deps.clock.now());
  const connection: Connection = {
    id: deps.ids.uuid7(),
    organizationId: caller.organizationId,
    machineId: machine.id,
    websocketId: input.websocketId,
    keyId,
    host: input.host,
    status: "pending",
    connectedAt: now,
    disconnectedAt: null,
    lastPing: now,
    ipAddress: input.ipAddress,
    userAgent: input.userAgent,
    remotePeerId: input.remotePeerId,
    shownSecretDigest: input.shownSecretDigest,
    supersededAddress: null,
    facts: input.facts,
    keepaliveForMachineId,
  };
  await deps.connections.open(connection);
  return connection;
}

/** The machine itself, an unknown one and another organization's get the same error, so that ids cannot be probed. */
async function keepaliveTarget(
  deps: OpenConnectionDeps,
  caller: Caller,
  wanted: string | null,
  self: Machine | undefined,
): Promise<string | null> {
  if (wanted === null) return null;
  const targetId = wanted.toLowerCase();
  const isOther = uuid.test(targetId) && targetId !== self?.id;
  const target = isOther ? await deps.machines.find(caller.organizationId, targetId) : undefined;
  if (target) return target.id;
  throw new DomainError("conflict", "X-Keepalive-For must name another machine of this organization");
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function registerMachine(
  deps: OpenConnectionDeps,
  caller: Caller,
  keyId: string,
  input: OpenConnectionInput,
): Promise<Machine> {
  await requireRoom(
    deps,
    { name: `machines-made#${keyId}`, limit: machinesMadePerMinuteMax },
    `this key made ${machinesMadePerMinuteMax} machines within a minute already`,
  );
  const begun = newMachine({
    ...input.facts,
    id: deps.ids.uuid7(),
    organizationId: caller.organizationId,
    userId: caller.userId,
    fingerprint: input.fingerprint,
  });
  const machine: Machine = { ...begun, keyServiceKeyId: keyId };
  const outcome = await deps.machines.create(machine);
  if (outcome.kind === "created") return machine;
  // A concurrent connect of the same installation created the machine first.
  const winner = await deps.machines.find(caller.organizationId, outcome.machineId);
  if (winner) return winner;
  throw new DomainError("service_unavailable", "the machine is being deleted; connect again", {
    retryAfterSeconds: 1,
  });
}

function requireBinding(caller: Caller, keyId: string, machine: Machine): void {
  if (machine.keyServiceKeyId === "" || machine.keyServiceKeyId === keyId) return;
  if (caller.scopes.includes("write")) return;
  throw new DomainError(
    "key_not_bound",
    "this machine is bound to another key; connect with that key, or with one that has the scope write",
  );
}

/** A key with `write` may reset the secret anyway, so its driver is accepted like the first one after a reset. */
function requireOwnDriver(caller: Caller, machine: Machine, shown: string | null): void {
  if (isOwnDriver(machine, shown) || caller.scopes.includes("write")) return;
  throw new DomainError(
    "machine_secret_required",
    "this machine has a secret of its own, and X-Machine-Secret is not it; reset it with POST /v1/machines/{machine_id}/reset-secret, or connect with a key that has the scope write",
  );
}

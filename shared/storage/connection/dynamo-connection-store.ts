import type { OrganizationId } from "../../domain/access/organization-id.ts";
import { ChangedTooOften } from "../../domain/changed-too-often.ts";
import type { Connection } from "../../domain/connection/connection.ts";
import type {
  ActivateOptions,
  ActivateOutcome,
  ConnectionFilter,
  ConnectionStore,
  DriverFacts,
} from "../../domain/connection/connection-store.ts";
import type { SecretDigests } from "../../domain/connection/machine-secret.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { Machine } from "../../domain/machine/machine.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { parseMachine } from "../machine/machine-item.ts";
import { countWrite } from "../table/counters.ts";
import { DynamoStore } from "../table/dynamo-store.ts";

import { isNew, type Write } from "../table/expression.ts";
import { connectionKey, expiredConnectionKey, machineKey, socketKey } from "../table/keys.ts";
import { transactIdempotent } from "../table/transact-idempotent.ts";
import {
  closedChange,
  connectionItem,
  heardAttributes,
  parseConnection,
  parseSocket,
  socketItem,
} from "./connection-item.ts";
import { listByKey, listConnected, listSilent, queryConnections } from "./connection-lists.ts";
import {
  activateWrites,
  both,
  clearWrite,
  factsChange,
  hasSecret,
  isCurrent,
  isElsewhere,
} from "./connection-writes.ts";

type SocketIds = ReturnType<typeof parseSocket>;

/** Socket rows that one instance caches; they never change. */
const socketsKnownMax = 10_000;

/** How often a hello or a close is retried when the machine's connection changes meanwhile. */
const overtakenMax = 20;

/** TTL may be days late, and the stream retries for an hour: the mark outlives both. */
const expiredMarkSeconds = 7 * 24 * 3_600;

const isOpen = { expression: "status <> :disconnected", values: { disconnected: "disconnected" } };

export class DynamoConnectionStore extends DynamoStore implements ConnectionStore {
  readonly #sockets = new Map<string, SocketIds>();
  async open(connection: Connection): Promise<void> {
    const outcome = await this.table.transact([
      { kind: "put", item: connectionItem(connection), condition: isNew },
      { kind: "put", item: socketItem(connection), condition: isNew },
      countWrite("CONNECTION", connection, 1),
    ]);
    if (outcome.kind === "failed" && !outcome.failed.has(0)) {
      throw new Error("another connection has this websocket id");
    }
  }

  async findByWebsocketId(websocketId: string): Promise<Connection | undefined> {
    const ids = this.#sockets.get(websocketId) ?? (await this.#readSocket(websocketId));
    return ids && (await this.find(ids.organizationId, ids.connectionId));
  }

  async find(organizationId: OrganizationId, connectionId: string): Promise<Connection | undefined> {
    const item = await this.table.get(connectionKey(organizationId, connectionId));
    return item && parseConnection(item);
  }

  async activate(
    connection: Connection,
    facts: DriverFacts,
    nowMs: number,
    options: ActivateOptions = {},
  ): Promise<ActivateOutcome> {
    const { organizationId, machineId } = connection;
    let item = await this.table.get(machineKey(organizationId, machineId));
    for (let attempt = 0; attempt < overtakenMax; attempt++) {
      const machine = item && parseMachine(item);
      if (!machine || machine.deletedAt !== null) return { kind: "gone" };
      const current = machine.connection;
      if (current && current.id > connection.id) return { kind: "older" };
      if (!hasDigests(machine, options.secret)) return { kind: "secret_changed" };
      if (current?.id === connection.id) return await this.#tell(connection, facts, options);
      if (!options.bindKey && isBoundToAnother(machine, connection)) return { kind: "bound_to_another" };
      const isTold = current !== null && options.secret?.isShown === false;
      const replaced = isTold ? await this.find(organizationId, current.id) : undefined;
      const outcome = await this.table.transact(
        activateWrites(connection, facts, nowMs, {
          current,
          bindKey: options.bindKey === true,
          secret: options.secret,
          supersededAddress: replaced?.ipAddress,
        }),
      );
      if (outcome.kind === "written") {
        return {
          kind: "active",
          superseded: current && { id: current.id, websocketId: current.websocketId },
        };
      }
      if (outcome.failed.has(0)) return { kind: "gone" };
      item = outcome.failed.get(1);
    }
    throw new ChangedTooOften("the machine's connection");
  }

  /** A repeated hello on the machine's current connection. */
  async #tell(
    connection: Connection,
    facts: DriverFacts,
    { secret }: ActivateOptions,
  ): Promise<ActivateOutcome> {
    const open = await this.find(connection.organizationId, connection.id);
    if (!open || open.status === "disconnected") return { kind: "gone" };
    const { organizationId, machineId } = connection;
    const outcome = await this.table.update(
      machineKey(organizationId, machineId),
      factsChange(organizationId, facts, secret),
      both(isCurrent(connection), hasSecret(secret)),
    );
    if (outcome.kind === "updated") return { kind: "active", superseded: null };
    const isStillCurrent = outcome.item?.connection_id === connection.id;
    return isStillCurrent ? { kind: "secret_changed" } : { kind: "older" };
  }

  /** Two parallel writes without a transaction: each is correct on its own. */
  async ping(connection: Connection, nowMs: number): Promise<boolean> {
    const { organizationId, machineId, id } = connection;
    const heard = heardAttributes(connection, nowMs);
    const [outcome] = await Promise.all([
      this.table.update(connectionKey(organizationId, id), { set: heard }, existing(isOpen)),
      this.table.update(
        machineKey(organizationId, machineId),
        { set: { last_seen: heard.last_ping }, add: { revision: 1 } },
        isCurrent(connection),
      ),
    ]);
    return outcome.kind === "updated";
  }

  /**
   * Writes connection and machine if it is the machine's current connection, else the connection only. Either way on
   * that condition, so that a concurrent hello is not lost.
   */
  async close(connection: Connection, nowMs: number): Promise<void> {
    const end: Write = {
      kind: "update",
      key: connectionKey(connection.organizationId, connection.id),
      change: closedChange(connection, nowMs),
      condition: existing(isOpen),
    };
    for (let attempt = 0; attempt < overtakenMax; attempt++) {
      const beside = attempt % 2 === 0 ? clearWrite(connection, nowMs) : isElsewhere(connection);
      const outcome = await this.table.transact([end, beside]);
      if (outcome.kind === "written" || outcome.failed.has(0)) return;
    }
    throw new ChangedTooOften("the machine's connection");
  }

  async listSilent(lastPingBeforeMs: number, limit: number): Promise<readonly Connection[]> {
    return await listSilent(this.table, lastPingBeforeMs, limit);
  }

  async listByKey(keyId: string): Promise<readonly Connection[]> {
    return await listByKey(this.table, keyId);
  }

  async listConnected(organizationId: OrganizationId | undefined): Promise<readonly Connection[]> {
    return await listConnected(this.table, organizationId);
  }

  /** Decrements the organization's connection count for a connection that TTL has removed. Idempotent. */
  async settleExpired(organizationId: OrganizationId, connectionId: string, nowMs: number): Promise<void> {
    await this.table.transact(uncountWrites(organizationId, connectionId, nowMs));
  }

  async list(
    organizationId: OrganizationId,
    filter: ConnectionFilter,
    page: PageRequest,
  ): Promise<Page<Connection>> {
    return await queryConnections(this.table, organizationId, filter, page);
  }

  /** Marks the connection as already uncounted, so that the stream's record of its removal changes nothing. */
  async remove(
    organizationId: OrganizationId,
    connectionId: string,
    nowMs: number,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    const outcome = await transactIdempotent(
      this.table,
      [
        {
          kind: "delete",
          key: connectionKey(organizationId, connectionId),
          condition: { expression: "status = :disconnected", values: { disconnected: "disconnected" } },
        },
        ...uncountWrites(organizationId, connectionId, nowMs),
      ],
      { idempotency, result: null, nowMs },
    );
    return outcome.kind === "written";
  }

  async #readSocket(websocketId: string): Promise<SocketIds | undefined> {
    const item = await this.table.get(socketKey(websocketId));
    if (!item) return undefined;
    const ids = parseSocket(item);
    if (this.#sockets.size >= socketsKnownMax) this.#sockets.clear();
    this.#sockets.set(websocketId, ids);
    return ids;
  }
}

/** Decrements the connection count. Idempotent. */
function uncountWrites(
  organizationId: OrganizationId,
  connectionId: string,
  nowMs: number,
): readonly Write[] {
  const item = { ...expiredConnectionKey(organizationId, connectionId), kind: "expired_connection" };
  const ttl = Math.ceil(nowMs / 1_000) + expiredMarkSeconds;
  return [
    { kind: "put", item: { ...item, ttl }, condition: isNew },
    countWrite("CONNECTION", { organizationId, id: connectionId }, -1),
  ];
}

function hasDigests(machine: SecretDigests, secret: ActivateOptions["secret"]): boolean {
  return (
    secret === undefined ||
    (machine.secretDigest === secret.secretDigest &&
      machine.pendingSecretDigest === secret.pendingSecretDigest)
  );
}

function isBoundToAnother(machine: Pick<Machine, "keyServiceKeyId">, connection: Connection): boolean {
  return machine.keyServiceKeyId !== "" && machine.keyServiceKeyId !== connection.keyId;
}

function existing(condition: typeof isOpen) {
  return { ...condition, expression: `attribute_exists(pk) AND ${condition.expression}` };
}

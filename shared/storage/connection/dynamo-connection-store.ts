import type { OrganizationId } from "../../domain/access/organization-id.ts";
import { ChangedTooOften } from "../../domain/changed-too-often.ts";
import type { Connection } from "../../domain/connection/connection.ts";
import type {
  ActivateOptions,
  ActivateOutcome,
  ConnectionFilter,
  ConnectionName,
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
import { allOf, type Condition, isNew, type Write } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
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
import { countByKey, listByKey, listConnected, listSilent, queryConnections } from "./connection-lists.ts";
import {
  activateWrites,
  answered,
  both,
  clearWrite,
  factsChange,
  hasSecret,
  isCurrent,
  isElsewhere,
  leftUnanswered,
} from "./connection-writes.ts";

type SocketIds = ReturnType<typeof parseSocket>;

/** Sockets that one instance remembers: their rows, which never change. */
const socketsKnownMax = 10_000;

const frameWindowMs = 60_000;

/** How often a hello or a close is retried when the machine's connection changes meanwhile. */
const overtakenMax = 20;

/** TTL may be days late, and the stream retries for an hour: the mark outlives both. */
const expiredMarkSeconds = 7 * 24 * 3_600;

const isOpen = { expression: "status <> :disconnected", values: { disconnected: "disconnected" } };

export class DynamoConnectionStore extends DynamoStore implements ConnectionStore {
  readonly #sockets = new Map<string, SocketIds>();
  /** The window that this instance last counted in, by socket: a guess that saves a write. */
  readonly #windows = new Map<string, number>();

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
    const ids = await this.#idsOf(websocketId);
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
      { ...factsChange(organizationId, facts, secret), ...answered },
      both(isCurrent(connection), hasSecret(secret)),
    );
    if (outcome.kind === "updated") return { kind: "active", superseded: null };
    const isStillCurrent = outcome.item?.connection_id === connection.id;
    return isStillCurrent ? { kind: "secret_changed" } : { kind: "older" };
  }

  /** Two parallel writes without a transaction: each is correct on its own. */
  async ping(connection: Connection, nowMs: number): Promise<number | undefined> {
    const { organizationId, machineId, id } = connection;
    const heard = heardAttributes(connection, nowMs);
    const [counted] = await Promise.all([
      this.#count(connection.websocketId, connectionKey(organizationId, id), nowMs, {
        set: heard,
        condition: existing(isOpen),
      }),
      this.table.update(
        machineKey(organizationId, machineId),
        { set: { last_seen: heard.last_ping }, add: { revision: 1 }, ...answered },
        isCurrent(connection),
      ),
    ]);
    return counted && Number(counted.frames);
  }

  async noteUnanswered({ organizationId, machineId, id }: ConnectionName): Promise<void> {
    await this.table.update(machineKey(organizationId, machineId), leftUnanswered, isCurrent({ id }));
  }

  async noteAnswered({ organizationId, machineId, id }: ConnectionName): Promise<void> {
    await this.table.update(machineKey(organizationId, machineId), answered, isCurrent({ id }));
  }

  async countFrame(websocketId: string, nowMs: number) {
    const ids = await this.#idsOf(websocketId);
    if (!ids) return undefined;
    const key = connectionKey(ids.organizationId, ids.connectionId);
    const condition = { expression: "attribute_exists(pk)" };
    const item = await this.#count(websocketId, key, nowMs, { set: {}, condition });
    return item && { connection: parseConnection(item), frames: Number(item.frames) };
  }

  /** Adds a frame to its window, or begins the window: exactly one of the two conditions holds. */
  async #count(
    websocketId: string,
    key: Key,
    nowMs: number,
    change: { readonly set: Item; readonly condition: Condition },
  ): Promise<Item | undefined> {
    const window = Math.floor(nowMs / frameWindowMs);
    const values = { window };
    const add = {
      change: { set: change.set, add: { frames: 1 } },
      when: { expression: "frame_window >= :window", values },
    };
    const begin = {
      change: { set: { ...change.set, frame_window: window, frames: 1 } },
      when: { expression: "(attribute_not_exists(frame_window) OR frame_window < :window)", values },
    };
    for (const way of this.#windows.get(websocketId) === window ? [add, begin] : [begin, add]) {
      const outcome = await this.table.update(key, way.change, allOf(change.condition, way.when));
      if (outcome.kind === "failed") continue;
      remember(this.#windows, websocketId, window);
      return outcome.item;
    }
    return undefined;
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
    // Most machines have none: then the first attempt is the only one.
    let beside = clearWrite(connection, nowMs, false);
    for (let attempt = 0; attempt < overtakenMax; attempt++) {
      const outcome = await this.table.transact([end, beside]);
      if (outcome.kind === "written" || outcome.failed.has(0)) return;
      const machine = outcome.failed.get(1);
      const isIts = machine?.connection_id === connection.id;
      beside = isIts
        ? clearWrite(connection, nowMs, machine.current_run_id !== undefined)
        : isElsewhere(connection);
    }
    throw new ChangedTooOften("the machine's connection");
  }

  async listSilent(lastPingBeforeMs: number, limit: number, shard?: number): Promise<readonly Connection[]> {
    return await listSilent(this.table, lastPingBeforeMs, limit, shard);
  }

  async listByKey(keyId: string): Promise<readonly Connection[]> {
    return await listByKey(this.table, keyId);
  }

  async countByKey(keyId: string, max: number): Promise<number> {
    return await countByKey(this.table, keyId, max);
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

  async #idsOf(websocketId: string): Promise<SocketIds | undefined> {
    const known = this.#sockets.get(websocketId);
    if (known) return known;
    const item = await this.table.get(socketKey(websocketId));
    if (!item) return undefined;
    const ids = parseSocket(item);
    remember(this.#sockets, websocketId, ids);
    return ids;
  }
}

function remember<T>(known: Map<string, T>, websocketId: string, value: T): void {
  if (known.size >= socketsKnownMax) known.clear();
  known.set(websocketId, value);
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

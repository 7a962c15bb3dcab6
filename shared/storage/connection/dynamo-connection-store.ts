import { isoTimestamp } from "../../domain/clock.ts";
import type { Connection, HandshakeNotes } from "../../domain/connection/connection.ts";
import type {
  ActivateOptions,
  ActivateOutcome,
  ConnectionName,
  ConnectionStore,
  DriverFacts,
  Ping,
} from "../../domain/connection/connection-store.ts";
import { isPingStale } from "../../domain/connection/ping-turn.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { Machine } from "../../domain/machine/machine.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { overtakenBy, untilWritten } from "../../domain/until-written.ts";
import { transactIdempotent } from "../idempotency/transact-idempotent.ts";
import { machineRow, parseMachine } from "../machine/machine-item.ts";
import { countWrite } from "../table/counters.ts";
import { allOf, hasValue, isNew, put, remove, update } from "../table/expression.ts";
import type { Item } from "../table/item.ts";
import { connectionKey, expiredConnectionKey, machineKey, socketKey } from "../table/keys.ts";
import { countRows } from "../table/query.ts";
import {
  closedChange,
  connectionItem,
  notesOf,
  parseConnection,
  parseSocket,
  socketItem,
  withNotes,
} from "./connection-item.ts";
import { ConnectionLists, lastPingOf, rowsOfKey } from "./connection-lists.ts";
import {
  activateParts,
  answered,
  clearWrite,
  factsChange,
  hasDigests,
  hasSecret,
  hasUnanswered,
  isCurrent,
  isElsewhere,
  isOpen,
  leftUnanswered,
} from "./connection-writes.ts";
import { FrameCounter } from "./frame-counter.ts";
import { KeyCounts } from "./key-counts.ts";
import { PingMemory } from "./ping-memory.ts";
import { remember } from "./remember.ts";

/** TTL may be days late, and the stream retries for an hour, so the mark outlives both. */
const expiredMarkSeconds = 7 * 24 * 3_600;

const pingedMachine = machineRow.pick("pendingSecretDigest");

interface MachineSeen {
  readonly item: Item | undefined;
  readonly closesCurrent: boolean;
}

interface KnownSocket {
  readonly name: ConnectionName;
  readonly handshake: HandshakeNotes;
}

export class DynamoConnectionStore extends ConnectionLists implements ConnectionStore {
  /** A socket's row never changes. */
  readonly #sockets = new Map<string, KnownSocket>();
  readonly #frames = new FrameCounter(this.table);
  readonly #pings = new PingMemory();
  readonly #keyCounts = new KeyCounts();

  async open(connection: Connection): Promise<void> {
    // The socket's row is written separately: without a connection it refers to nothing, and TTL removes it.
    const socket = await this.table.put(socketItem(connection), isNew);
    if (socket.kind === "failed" && socket.item?.connection_id !== connection.id) {
      throw new Error("another connection has this websocket id");
    }
    await this.table.transact({
      connection: put(connectionItem(connection), isNew),
      count: countWrite("CONNECTION", connection, 1),
    });
    const { organizationId, machineId, id, websocketId } = connection;
    this.#keyCounts.noteOpened(connection.keyId);
    const handshake = notesOf(connection);
    remember(this.#sockets, websocketId, { name: { organizationId, machineId, id }, handshake });
  }

  async findByWebsocketId(websocketId: string): Promise<Connection | undefined> {
    const socket = await this.#socketOf(websocketId);
    const connection = socket && (await this.find(socket.name.organizationId, socket.name.id));
    return connection && withNotes(connection, socket.handshake);
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
    return await untilWritten<MachineSeen, ActivateOutcome>(this.table.pacing, {
      what: "the machine's connection",
      read: async () => ({
        item: await this.table.get(machineKey(organizationId, machineId)),
        closesCurrent: true,
      }),
      decide: async ({ item, closesCurrent }) => {
        const machine = item && parseMachine(item);
        if (!machine || machine.deletedAt !== null) return { kind: "gone" };
        const current = machine.connection;
        if (current && current.id > connection.id) return { kind: "older" };
        if (!hasDigests(machine, options.secret)) return { kind: "secret_changed" };
        if (current?.id === connection.id) return await this.#tell(connection, facts, options);
        if (!options.bindKey && isBoundToAnother(machine, connection)) return { kind: "bound_to_another" };
        const isTold = current !== null && options.secret?.isShown === false;
        const replaced = isTold ? await this.find(organizationId, current.id) : undefined;
        const { failed, failures } = await this.table.transact(
          activateParts(connection, facts, nowMs, {
            current,
            closesCurrent,
            bindKey: options.bindKey === true,
            secret: options.secret,
            supersededAddress: replaced?.ipAddress,
          }),
        );
        if (failed === "connection") return { kind: "gone" };
        if (failed === undefined) {
          this.#frames.noteBegun(connection.websocketId, nowMs);
          this.#pings.noteCurrent(connection.websocketId, nowMs);
          if (current) this.#pings.forget(current.websocketId);
          return {
            kind: "active",
            superseded: current && { id: current.id, websocketId: current.websocketId },
          };
        }
        return overtakenBy({
          item: failed === "machine" ? failures.item("machine") : item,
          closesCurrent: closesCurrent && !failures.has("current"),
        });
      },
    });
  }

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
      allOf(isCurrent(connection), hasSecret(secret)),
    );
    if (outcome.kind === "updated") return { kind: "active", superseded: null };
    const isStillCurrent = outcome.item?.connection_id === connection.id;
    return isStillCurrent ? { kind: "secret_changed" } : { kind: "older" };
  }

  hear(websocketId: string, nowMs: number): number | undefined {
    return this.#pings.hear(websocketId, nowMs);
  }

  async isCurrent(websocketId: string, nowMs: number): Promise<boolean> {
    if (this.#pings.isCurrent(websocketId, nowMs)) return true;
    const name = await this.#nameOf(websocketId, false);
    if (!name) return false;
    const machine = await this.table.get(machineKey(name.organizationId, name.machineId), false);
    if (machine?.connection_id !== name.id || machine.deleted_at !== undefined) return false;
    const isStale = isPingStale(String(machine.connection_last_ping), nowMs);
    if (isStale || hasUnanswered(machine)) return (await this.ping(websocketId, nowMs)) !== undefined;
    this.#pings.noteCurrent(websocketId, nowMs);
    return true;
  }

  async ping(websocketId: string, nowMs: number): Promise<Ping | undefined> {
    const connection = await this.#nameOf(websocketId);
    if (!connection) return undefined;
    const heard = isoTimestamp(nowMs);
    const counted = await this.#frames.countCurrent(connection, websocketId, nowMs, {
      set: { last_seen: heard, connection_last_ping: heard },
      ...answered,
    });
    if (!counted) {
      this.#pings.forget(websocketId);
      return undefined;
    }
    this.#pings.noteCurrent(websocketId, nowMs);
    const { pendingSecretDigest } = pingedMachine.parse(counted.item);
    return { connection, frames: counted.frames, pendingSecretDigest };
  }

  async noteUnanswered({ organizationId, machineId, id }: ConnectionName, nowMs: number): Promise<void> {
    await this.table.update(machineKey(organizationId, machineId), leftUnanswered(nowMs), isCurrent({ id }));
  }

  async noteAnswered({ organizationId, machineId, id }: ConnectionName): Promise<void> {
    await this.table.update(machineKey(organizationId, machineId), answered, isCurrent({ id }));
  }

  countFrameHere(websocketId: string, nowMs: number): number {
    return this.#frames.countHere(websocketId, nowMs);
  }

  async countFrame(websocketId: string, nowMs: number): Promise<number | undefined> {
    const name = await this.#nameOf(websocketId);
    if (!name) return undefined;
    const counted =
      (await this.#frames.countCurrent(name, websocketId, nowMs)) ??
      (await this.#frames.countOther(name, websocketId, nowMs));
    return counted?.frames;
  }

  /** The condition keeps a concurrent hello from being lost. The machine, which has the last ping, is read first. */
  async close(connection: Connection, nowMs: number, isHeard = false): Promise<void> {
    const { organizationId, machineId, id } = connection;
    this.#pings.forget(connection.websocketId);
    const attributes = ["connection_id", "connection_last_ping", "current_run_id"];
    await untilWritten<Item | undefined, undefined>(this.table.pacing, {
      what: "the machine's connection",
      read: async () => (await this.table.batchGet([machineKey(organizationId, machineId)], attributes))[0],
      decide: async (machine) => {
        const isIts = machine?.connection_id === id;
        const lastPing = isIts && machine ? lastPingOf(connection, machine).lastPing : undefined;
        const closed = closedChange(connection, nowMs, lastPing);
        const { failed, failures } = await this.table.transact({
          connection: update(connectionKey(organizationId, id), closed, isOpen),
          machine: isIts
            ? clearWrite(connection, nowMs, { hasRun: machine?.current_run_id !== undefined, isHeard })
            : isElsewhere(connection),
        });
        return failed === "machine" ? overtakenBy(failures.item("machine")) : undefined;
      },
    });
  }

  async countByKey(keyId: string, max: number, nowMs: number): Promise<number> {
    const known = this.#keyCounts.find(keyId, max, nowMs);
    if (known !== undefined) return known;
    const count = await countRows(this.table, rowsOfKey(keyId), max);
    this.#keyCounts.noteRead(keyId, count, nowMs);
    return count;
  }

  async settleExpired(organizationId: OrganizationId, connectionId: string, nowMs: number): Promise<void> {
    await this.table.transact(uncountParts(organizationId, connectionId, nowMs));
  }

  /** The mark keeps the stream's record of the removal from counting again. */
  async remove(
    organizationId: OrganizationId,
    connectionId: string,
    nowMs: number,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    const isClosed = hasValue("status", "disconnected");
    const { failed } = await transactIdempotent(
      this.table,
      {
        connection: remove(connectionKey(organizationId, connectionId), isClosed),
        ...uncountParts(organizationId, connectionId, nowMs),
      },
      { idempotency, result: null, nowMs },
    );
    return failed === undefined;
  }

  async #nameOf(websocketId: string, isConsistent = true): Promise<ConnectionName | undefined> {
    return (await this.#socketOf(websocketId, isConsistent))?.name;
  }

  async #socketOf(websocketId: string, isConsistent = true): Promise<KnownSocket | undefined> {
    const known = this.#sockets.get(websocketId);
    if (known) return known;
    const item = await this.table.get(socketKey(websocketId), isConsistent);
    if (!item) return undefined;
    const { organizationId, connectionId: id, machineId, handshake } = parseSocket(item);
    const found = { name: { organizationId, machineId, id }, handshake };
    remember(this.#sockets, websocketId, found);
    return found;
  }
}

function uncountParts(organizationId: OrganizationId, connectionId: string, nowMs: number) {
  const item = { ...expiredConnectionKey(organizationId, connectionId), kind: "expired_connection" };
  const ttl = Math.ceil(nowMs / 1_000) + expiredMarkSeconds;
  return {
    mark: put({ ...item, ttl }, isNew),
    count: countWrite("CONNECTION", { organizationId, id: connectionId }, -1),
  };
}

function isBoundToAnother(machine: Pick<Machine, "keyServiceKeyId">, connection: Connection): boolean {
  return machine.keyServiceKeyId !== "" && machine.keyServiceKeyId !== connection.keyId;
}

import { isoMoment } from "../../../shared/domain/clock.ts";
import type { Connection } from "../../../shared/domain/connection/connection.ts";
import type {
  ActivateOutcome,
  ConnectionFilter,
  ConnectionStore,
  DriverFacts,
} from "../../../shared/domain/connection/connection-store.ts";
import type { Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import type { Page, PageRequest } from "../../../shared/domain/page.ts";
import type { InMemoryIdempotencyStore } from "./in-memory-idempotency-store.ts";
import type { InMemoryMachineStore } from "./in-memory-machine-store.ts";

/** Connections in memory; they change the machines of the store given. */
export class InMemoryConnectionStore implements ConnectionStore {
  readonly #machines: InMemoryMachineStore;
  readonly #idempotencyRecords: InMemoryIdempotencyStore;
  readonly #rows = new Map<string, Connection>();

  constructor(machines: InMemoryMachineStore, idempotencyRecords: InMemoryIdempotencyStore) {
    this.#machines = machines;
    this.#idempotencyRecords = idempotencyRecords;
  }

  async open(connection: Connection): Promise<void> {
    const known = await this.findByWebsocketId(connection.websocketId);
    if (known && known.id !== connection.id) throw new Error("another connection has this websocket id");
    if (!this.#rows.has(connection.id)) this.#rows.set(connection.id, structuredClone(connection));
  }

  async findByWebsocketId(websocketId: string): Promise<Connection | undefined> {
    return structuredClone([...this.#rows.values()].find((row) => row.websocketId === websocketId));
  }

  async find(organizationId: string, connectionId: string): Promise<Connection | undefined> {
    const row = this.#rows.get(connectionId);
    return row?.organizationId === organizationId ? structuredClone(row) : undefined;
  }

  async activate(
    connection: Connection,
    facts: DriverFacts,
    nowMs: number,
    options: { readonly bindKey?: boolean } = {},
  ): Promise<ActivateOutcome> {
    const row = this.#rows.get(connection.id);
    const machine = this.#machines.row(connection.organizationId, connection.machineId);
    if (!row || row.status === "disconnected" || !machine || machine.deletedAt !== null)
      return { kind: "gone" };
    const current = machine.connection;
    if (current && current.id > connection.id) return { kind: "older" };
    const given = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
    if (current?.id === connection.id) {
      this.#change(machine, given);
      return { kind: "active", superseded: null };
    }
    const isBound = machine.keyServiceKeyId !== "" && options.bindKey !== true;
    if (isBound && machine.keyServiceKeyId !== connection.keyId) return { kind: "bound_to_another" };
    this.#change(machine, {
      ...given,
      connection: { id: connection.id, websocketId: connection.websocketId, host: connection.host },
      disconnectedAt: null,
      lastSeen: isoMoment(nowMs),
      linkedKeepaliveMachineId: connection.keepaliveForMachineId,
      keyServiceKeyId: isBound ? machine.keyServiceKeyId : connection.keyId,
    });
    this.#rows.set(row.id, { ...row, status: "connected", lastPing: isoMoment(nowMs) });
    return {
      kind: "active",
      superseded: current ? { id: current.id, websocketId: current.websocketId } : null,
    };
  }

  async ping(connection: Connection, nowMs: number): Promise<boolean> {
    const row = this.#rows.get(connection.id);
    if (!row || row.status === "disconnected") return false;
    this.#rows.set(row.id, { ...row, lastPing: isoMoment(nowMs) });
    const machine = this.#machines.row(row.organizationId, row.machineId);
    if (machine?.connection?.id === row.id) this.#change(machine, { lastSeen: isoMoment(nowMs) });
    return true;
  }

  async close(connection: Connection, nowMs: number): Promise<void> {
    const row = this.#rows.get(connection.id);
    if (!row || row.status === "disconnected") return;
    this.#rows.set(row.id, { ...row, status: "disconnected", disconnectedAt: isoMoment(nowMs) });
    const machine = this.#machines.row(row.organizationId, row.machineId);
    if (machine?.connection?.id !== row.id) return;
    this.#change(machine, {
      connection: null,
      linkedKeepaliveMachineId: null,
      disconnectedAt: isoMoment(nowMs),
    });
  }

  async list(
    organizationId: string,
    { machineId, status }: ConnectionFilter,
    { skip, limit }: PageRequest,
  ): Promise<Page<Connection>> {
    const found = [...this.#rows.values()]
      .filter((row) => row.organizationId === organizationId)
      .filter((row) => machineId === undefined || row.machineId === machineId)
      .filter((row) => status === undefined || row.status === status)
      .sort((one, other) => (one.id < other.id ? 1 : -1));
    return { items: structuredClone(found.slice(skip, skip + limit)), total: found.length };
  }

  async remove(
    organizationId: string,
    connectionId: string,
    _nowMs: number,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    const row = await this.find(organizationId, connectionId);
    this.#idempotencyRecords.check(idempotency);
    if (row?.status !== "disconnected") return false;
    this.#idempotencyRecords.commit(idempotency, null);
    this.#rows.delete(connectionId);
    return true;
  }

  async listSilent(lastPingBeforeMs: number, limit: number): Promise<readonly Connection[]> {
    return this.#live()
      .filter((row) => Date.parse(row.lastPing) < lastPingBeforeMs)
      .sort((one, other) => (one.lastPing < other.lastPing ? -1 : 1))
      .slice(0, limit);
  }

  async listByKey(keyId: string): Promise<readonly Connection[]> {
    return this.#live().filter((row) => row.keyId === keyId);
  }

  async listConnected(organizationId: string | undefined): Promise<readonly Connection[]> {
    return this.#live().filter((row) => {
      if (organizationId !== undefined && row.organizationId !== organizationId) return false;
      const machine = this.#machines.row(row.organizationId, row.machineId);
      return machine?.deletedAt === null && machine.connection?.id === row.id && row.status === "connected";
    });
  }

  #live(): Connection[] {
    return structuredClone([...this.#rows.values()].filter((row) => row.status !== "disconnected"));
  }

  #change(machine: Machine, change: Partial<Machine>): void {
    this.#machines.write({ ...machine, ...change, revision: machine.revision + 1 });
  }
}

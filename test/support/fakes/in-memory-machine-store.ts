import { DomainError } from "../../../shared/domain/errors.ts";
import type { Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import { type Machine, machineStatus } from "../../../shared/domain/machine/machine.ts";
import type {
  CreateMachineOutcome,
  MachineChange,
  MachineFilter,
  MachineStore,
  Reservation,
  UpdateMachineOptions,
  UpdateMachineOutcome,
} from "../../../shared/domain/machine/machine-store.ts";
import type { Page, PageRequest } from "../../../shared/domain/page.ts";
import type { Session } from "../../../shared/domain/run/run.ts";
import type { InMemoryIdempotencyStore } from "./in-memory-idempotency-store.ts";

/** Machines in memory. An `InMemoryConnectionStore` is given this one, since connections change machines. */
export class InMemoryMachineStore implements MachineStore {
  readonly #idempotencyRecords: InMemoryIdempotencyStore;
  readonly #rows = new Map<string, Machine>();
  readonly #searchRowsMax: number;

  constructor(idempotencyRecords: InMemoryIdempotencyStore, searchRowsMax = 10_000) {
    this.#idempotencyRecords = idempotencyRecords;
    this.#searchRowsMax = searchRowsMax;
  }

  async find(organizationId: string, machineId: string): Promise<Machine | undefined> {
    const machine = this.row(organizationId, machineId);
    return machine?.deletedAt === null ? structuredClone(machine) : undefined;
  }

  async findMany(organizationId: string, machineIds: readonly string[]): Promise<readonly Machine[]> {
    const found = await Promise.all(machineIds.map((machineId) => this.find(organizationId, machineId)));
    return found.filter((machine) => machine !== undefined);
  }

  async findByFingerprint(organizationId: string, fingerprint: string): Promise<Machine | undefined> {
    return structuredClone(
      this.#living(organizationId).find((machine) => machine.fingerprint === fingerprint),
    );
  }

  async create(machine: Machine, idempotency?: Idempotency): Promise<CreateMachineOutcome> {
    this.#idempotencyRecords.check(idempotency);
    const other = this.#living(machine.organizationId).find((one) => one.fingerprint === machine.fingerprint);
    if (other) return { kind: "fingerprint_taken", machineId: other.id };
    this.#idempotencyRecords.commit(idempotency, machine);
    this.write(machine);
    return { kind: "created" };
  }

  async update(
    organizationId: string,
    machineId: string,
    change: MachineChange,
    options: UpdateMachineOptions = {},
  ): Promise<UpdateMachineOutcome> {
    this.#idempotencyRecords.check(options.idempotency);
    const machine = this.row(organizationId, machineId);
    const refused = refusalOf(machine, change, options);
    if (refused || !machine) return refused ?? { kind: "not_found" };
    const { reservation } = options;
    if (reservation && !this.#reserve(reservation, machineId)) return { kind: "session_changed" };
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const changed: Machine = { ...machine, ...given, revision: machine.revision + 1 };
    this.#idempotencyRecords.commit(options.idempotency, changed);
    this.write(changed);
    return { kind: "updated", machine: structuredClone(changed) };
  }

  async markDeleted(
    organizationId: string,
    machineId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    this.#idempotencyRecords.check(idempotency);
    const machine = this.row(organizationId, machineId);
    if (!machine || machine.deletedAt !== null) return false;
    this.#idempotencyRecords.commit(idempotency, null);
    this.write({ ...machine, deletedAt, revision: machine.revision + 1 });
    return true;
  }

  async list(organizationId: string, filter: MachineFilter, page: PageRequest): Promise<Page<Machine>> {
    const from = Date.parse(filter.createdAtFrom ?? "") || 0;
    const to = Date.parse(filter.createdAtTo ?? "") || Number.MAX_SAFE_INTEGER;
    const indexed = this.#living(organizationId).filter((machine) => {
      const createdAt = Date.parse(machine.createdAt);
      if (createdAt < from || createdAt > to) return false;
      if (filter.name !== undefined) return machine.name === filter.name;
      return filter.status === undefined || machineStatus(machine) === filter.status;
    });
    const needsItems =
      filter.search !== undefined || (filter.name !== undefined && filter.status !== undefined);
    if (needsItems && indexed.length > this.#searchRowsMax) {
      throw new DomainError("search_too_broad", "the search reads too many machines; narrow its range");
    }
    const search = filter.search?.toLowerCase() ?? "";
    const found = indexed
      .filter((machine) => filter.status === undefined || machineStatus(machine) === filter.status)
      .filter((machine) =>
        [machine.id, machine.name, machine.hostname].some((text) => text.toLowerCase().includes(search)),
      )
      .sort((one, other) => (order(one) < order(other) ? 1 : -1));
    return { items: structuredClone(found.slice(page.skip, page.skip + page.limit)), total: found.length };
  }

  async listDeletedDue(limit: number): Promise<readonly Machine[]> {
    const deleted = [...this.#rows.values()].filter((machine) => machine.deletedAt !== null);
    deleted.sort((one, other) => (String(one.deletedAt) < String(other.deletedAt) ? -1 : 1));
    return structuredClone(deleted.slice(0, limit));
  }

  async findDeleted(organizationId: string, machineId: string): Promise<Machine | undefined> {
    const machine = this.row(organizationId, machineId);
    return machine && machine.deletedAt !== null ? structuredClone(machine) : undefined;
  }

  async remove(organizationId: string, machineId: string): Promise<void> {
    if (await this.findDeleted(organizationId, machineId))
      this.#rows.delete(keyOf(organizationId, machineId));
  }

  async beginClearing(
    organizationId: string,
    machineId: string,
    since: string,
  ): Promise<Machine | undefined> {
    const machine = await this.find(organizationId, machineId);
    if (machine === undefined) return undefined;
    const session = this.sessions.get(machine.reservedSessionId ?? "");
    if (session) this.sessions.set(session.id, { ...session, status: "ended" });
    const clearing = { ...machine, clearingSince: since, revision: machine.revision + 1 };
    this.write(clearing);
    return clearing;
  }

  async listClearingDue(limit: number): Promise<readonly Machine[]> {
    const due = [...this.#rows.values()].filter(
      (machine) => machine.clearingSince !== null && machine.deletedAt === null,
    );
    due.sort((one, other) => (String(one.clearingSince) < String(other.clearingSince) ? -1 : 1));
    return structuredClone(due.slice(0, limit));
  }

  /** Sessions by id, which the fake of the runs shares: reservations and runs both make and end them. */
  readonly sessions = new Map<string, Session>();

  #reserve({ session, isNew }: Reservation, machineId: string): boolean {
    const found = this.sessions.get(session.id);
    if (isNew ? found : found?.status !== session.status || found.machineId !== session.machineId)
      return false;
    this.sessions.set(session.id, { ...session, status: "active", machineId });
    return true;
  }

  /** The row as it is, deleted or not: for the fake of the connections. */
  row(organizationId: string, machineId: string): Machine | undefined {
    return this.#rows.get(keyOf(organizationId, machineId));
  }

  /** Puts a row in place, whatever was there: for the fake of the connections, and to arrange a test. */
  write(machine: Machine): void {
    this.#rows.set(keyOf(machine.organizationId, machine.id), structuredClone(machine));
  }

  #living(organizationId: string): readonly Machine[] {
    return [...this.#rows.values()].filter(
      (machine) => machine.organizationId === organizationId && machine.deletedAt === null,
    );
  }
}

function refusalOf(
  machine: Machine | undefined,
  change: MachineChange,
  { revision, clearingSince, reservation }: UpdateMachineOptions,
): UpdateMachineOutcome | undefined {
  if (!machine || machine.deletedAt !== null) return { kind: "not_found" };
  if (revision !== undefined && machine.revision !== revision) return { kind: "changed" };
  const isCleared = machine.clearingSince === clearingSince && machine.currentRunId === null;
  if (clearingSince !== undefined && !isCleared) return { kind: "not_cleared", machine };
  const wanted = change.reservedSessionId ?? null;
  if (wanted === null) return undefined;
  const leased = machine.reservedSessionId;
  if (leased !== null && leased !== wanted) return { kind: "reserved" };
  if (machine.clearingSince !== null) return { kind: "changed" };
  const poolIds = reservation?.session.status === "pending" ? reservation.session.poolIds : [];
  return poolIds.every((poolId) => machine.poolIds.includes(poolId))
    ? undefined
    : { kind: "session_elsewhere" };
}

function keyOf(organizationId: string, machineId: string): string {
  return JSON.stringify([organizationId, machineId]);
}

function order(machine: Machine): string {
  return `${machine.createdAt} ${machine.id}`;
}

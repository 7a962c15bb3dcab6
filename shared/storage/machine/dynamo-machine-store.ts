import { randomUUID } from "node:crypto";
import type { Clock } from "../../domain/clock.ts";
import { DomainError } from "../../domain/errors.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { Machine } from "../../domain/machine/machine.ts";
import type {
  CreateMachineOutcome,
  MachineChange,
  MachineFilter,
  MachineStore,
  UpdateMachineOptions,
  UpdateMachineOutcome,
} from "../../domain/machine/machine-store.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { countWrite } from "../table/counters.ts";
import type { DynamoTable } from "../table/dynamo-table.ts";
import type { Condition } from "../table/expression.ts";
import { dueSortKey, duePartitions, fingerprintKey, machineKey } from "../table/keys.ts";
import { machineChange, machineItem, parseMachine } from "./machine-item.ts";
import { listMachines } from "./machine-list.ts";
import { isLiving, refusal, updateCondition } from "./machine-update.ts";
import { clearingWrites, reservationWrites } from "./machine-reservation.ts";
import { queryKeys } from "../table/query.ts";
import { changedEntity } from "../table/row.ts";
import { refuseTaken, transactIdempotent } from "../table/transact-idempotent.ts";

export interface DynamoMachineStoreOptions {
  readonly table: DynamoTable;
  readonly clock: Pick<Clock, "now">;
  /** Index rows that a search may read. @default 10_000 */
  readonly searchRowsMax?: number;
}

/** A writer with an idempotency record reads before it writes, so it may be overtaken; each attempt writes unless it was. */
const overtakenMax = 20;

export class DynamoMachineStore implements MachineStore {
  readonly #table: DynamoTable;
  readonly #clock: Pick<Clock, "now">;
  readonly #searchRowsMax: number;

  constructor({ table, clock, searchRowsMax = 10_000 }: DynamoMachineStoreOptions) {
    this.#table = table;
    this.#clock = clock;
    this.#searchRowsMax = searchRowsMax;
  }

  async find(organizationId: string, machineId: string): Promise<Machine | undefined> {
    const machine = await this.#read(organizationId, machineId);
    return machine?.deletedAt === null ? machine : undefined;
  }

  async findMany(organizationId: string, machineIds: readonly string[]): Promise<readonly Machine[]> {
    const keys = machineIds.map((machineId) => machineKey(organizationId, machineId));
    const machines = (await this.#table.batchGet(keys)).map(parseMachine);
    return machines.filter((machine) => machine.deletedAt === null);
  }

  async findByFingerprint(organizationId: string, fingerprint: string): Promise<Machine | undefined> {
    const row = await this.#table.get(fingerprintKey(organizationId, fingerprint));
    return row && (await this.find(organizationId, String(row.machine_id)));
  }

  /** A deleted machine's fingerprint row may still be there: it is free, and taken over. */
  async create(machine: Machine, idempotency?: Idempotency): Promise<CreateMachineOutcome> {
    const holder = await this.#tryCreate(machine, idempotency, undefined);
    if (holder === undefined) return { kind: "created" };
    if (await this.find(machine.organizationId, holder))
      return { kind: "fingerprint_taken", machineId: holder };
    const next = await this.#tryCreate(machine, idempotency, holder);
    return next === undefined ? { kind: "created" } : { kind: "fingerprint_taken", machineId: next };
  }

  /** Answers the id of the machine that has the fingerprint, undefined when this one has been made. */
  async #tryCreate(
    machine: Machine,
    idempotency: Idempotency | undefined,
    deletedHolder: string | undefined,
  ) {
    const { organizationId, id } = machine;
    const fingerprint = {
      ...fingerprintKey(organizationId, machine.fingerprint),
      kind: "fingerprint",
      machine_id: id,
    };
    const isFree: Condition =
      deletedHolder === undefined
        ? { expression: "attribute_not_exists(pk)" }
        : {
            expression: "attribute_not_exists(pk) OR machine_id = :deleted",
            values: { deleted: deletedHolder },
          };
    const outcome = await transactIdempotent(
      this.#table,
      [
        { kind: "put", item: fingerprint, condition: isFree },
        { kind: "put", item: machineItem(machine), condition: { expression: "attribute_not_exists(pk)" } },
        countWrite("MACHINE", machine, 1),
      ],
      { idempotency, result: machine, nowMs: this.#clock.now() },
    );
    if (outcome.kind === "written") return undefined;
    const row = outcome.failed.get(0);
    if (row) return String(row.machine_id);
    throw new Error("a machine with this id is there already");
  }

  async update(
    organizationId: string,
    machineId: string,
    change: MachineChange,
    options: UpdateMachineOptions = {},
  ): Promise<UpdateMachineOutcome> {
    if (options.idempotency || options.reservation) {
      return await this.#updateIdempotent(organizationId, machineId, change, options);
    }
    const key = machineKey(organizationId, machineId);
    const changed = machineChange(organizationId, change);
    const writeId = randomUUID();
    const outcome = await this.#table.update(
      key,
      { ...changed, set: { ...changed.set, write_id: writeId } },
      updateCondition(change, options),
    );
    if (outcome.kind === "updated") return { kind: "updated", machine: parseMachine(outcome.item) };
    // An answer was lost and the write sent again: what it found is itself.
    if (outcome.item && outcome.item.write_id === writeId) {
      return { kind: "updated", machine: parseMachine(outcome.item) };
    }
    return refusal(outcome.item && parseMachine(outcome.item), change, options) ?? { kind: "changed" };
  }

  /** The answer on record is the machine after the change, so it is computed from what is read. */
  async #updateIdempotent(
    organizationId: string,
    machineId: string,
    change: MachineChange,
    options: UpdateMachineOptions,
  ): Promise<UpdateMachineOutcome> {
    const { idempotency, before, reservation } = options;
    const key = machineKey(organizationId, machineId);
    const beside =
      reservation === undefined ? [] : reservationWrites(reservation, machineId, this.#clock.now());
    let current = before ?? (await this.#read(organizationId, machineId));
    for (let attempt = 0; attempt < overtakenMax; attempt++) {
      const refused = refusal(current, change, options);
      if (refused || !current) {
        if (idempotency) await refuseTaken(this.#table, idempotency, this.#clock.now());
        return refused ?? { kind: "not_found" };
      }
      const machine = changedEntity(current, change);
      const condition = updateCondition(change, { ...options, revision: current.revision });
      const outcome = await transactIdempotent(
        this.#table,
        [{ kind: "update", key, change: machineChange(organizationId, change), condition }, ...beside],
        { idempotency, result: machine, nowMs: this.#clock.now() },
      );
      if (outcome.kind === "written") return { kind: "updated", machine };
      if (reservation && !outcome.failed.has(0)) return { kind: "session_changed" };
      const found = outcome.failed.get(0);
      current = found && parseMachine(found);
    }
    throw overtaken();
  }

  async beginClearing(
    organizationId: string,
    machineId: string,
    since: string,
  ): Promise<Machine | undefined> {
    let current = await this.find(organizationId, machineId);
    let hasSession = true;
    for (let attempt = 0; attempt < overtakenMax && current !== undefined; attempt += 1) {
      const outcome = await this.#table.transact(clearingWrites(current, since, hasSession));
      if (outcome.kind === "written") {
        return { ...current, clearingSince: since, revision: current.revision + 1 };
      }
      // A machine may be reserved for a session that nobody keeps any more.
      if (!outcome.failed.has(0)) hasSession = false;
      else current = await this.find(organizationId, machineId);
    }
    if (current === undefined) return undefined;
    throw overtaken();
  }

  async listClearingDue(limit: number): Promise<readonly Machine[]> {
    const rows = { index: "due", partition: duePartitions.clearingMachines } as const;
    const keys = await queryKeys(this.#table, rows, { skip: 0, limit });
    const machines = (await this.#table.batchGet(keys)).map(parseMachine);
    return machines.filter((machine) => machine.clearingSince !== null && machine.deletedAt === null);
  }

  /** Its fingerprint's row stays until `remove`, and counts as free: reading it here would cost every deletion a call. */
  async markDeleted(
    organizationId: string,
    machineId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    const outcome = await transactIdempotent(
      this.#table,
      [
        {
          kind: "update",
          key: machineKey(organizationId, machineId),
          change: {
            set: {
              deleted_at: deletedAt,
              due_pk: duePartitions.deletedMachines,
              due_sk: dueSortKey(Date.parse(deletedAt), machineId),
            },
            remove: ["list_pk", "list_sk", "filter1_sk", "filter2_pk", "filter2_sk"],
            add: { revision: 1 },
          },
          condition: { expression: isLiving },
        },
        countWrite("MACHINE", { organizationId, id: machineId }, -1),
      ],
      { idempotency, result: null, nowMs: this.#clock.now() },
    );
    return outcome.kind === "written";
  }

  async list(organizationId: string, filter: MachineFilter, page: PageRequest): Promise<Page<Machine>> {
    return await listMachines(this.#table, organizationId, filter, page, this.#searchRowsMax);
  }

  async listDeletedDue(limit: number): Promise<readonly Machine[]> {
    const rows = { index: "due", partition: duePartitions.deletedMachines } as const;
    const keys = await queryKeys(this.#table, rows, { skip: 0, limit });
    const machines = (await this.#table.batchGet(keys)).map(parseMachine);
    return machines.filter((machine) => machine.deletedAt !== null);
  }

  async findDeleted(organizationId: string, machineId: string): Promise<Machine | undefined> {
    const machine = await this.#read(organizationId, machineId);
    return machine && machine.deletedAt !== null ? machine : undefined;
  }

  async remove(organizationId: string, machineId: string): Promise<void> {
    const machine = await this.findDeleted(organizationId, machineId);
    if (!machine) return;
    // First the row that points at the machine: interrupted in between, the machine is still due.
    await this.#table.delete(fingerprintKey(organizationId, machine.fingerprint), {
      expression: "machine_id = :machine_id",
      values: { machine_id: machineId },
    });
    await this.#table.delete(machineKey(organizationId, machineId), {
      expression: "attribute_exists(deleted_at)",
    });
  }

  async #read(organizationId: string, machineId: string): Promise<Machine | undefined> {
    const item = await this.#table.get(machineKey(organizationId, machineId));
    return item && parseMachine(item);
  }
}

function overtaken(): DomainError {
  return new DomainError("service_unavailable", "the machine is being changed too often; try again", {
    retryAfterSeconds: 1,
  });
}

import type { OrganizationId } from "../../domain/access/organization-id.ts";
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
import { readDue } from "../table/due-items.ts";
import { DynamoEntityStore } from "../table/dynamo-entity-store.ts";
import { type Condition, isNew } from "../table/expression.ts";
import { attributesOf } from "../table/index-attributes.ts";
import { fingerprintKey, machineKey } from "../table/keys.ts";
import { changedEntity } from "../table/row.ts";
import { transactIdempotent } from "../table/transact-idempotent.ts";
import { updateEntity, writeAsRead } from "../table/update-entity.ts";
import { machineChange, machineItem, parseMachine } from "./machine-item.ts";
import { queryMachines } from "./machine-list.ts";
import { clearingWrites, reservationWrites } from "./machine-reservation.ts";
import { refusal, updateCondition } from "./machine-update.ts";

export class DynamoMachineStore extends DynamoEntityStore<Machine> implements MachineStore {
  protected readonly kind = "machine";
  protected readonly counted = "MACHINE";
  /** `filter1_pk` stays: its connection may still open or close, which writes that. */
  protected readonly listed = [...attributesOf("list", "filter2"), "filter1_sk"];
  protected readonly key = machineKey;
  protected readonly parse = parseMachine;

  async findByFingerprint(organizationId: OrganizationId, fingerprint: string): Promise<Machine | undefined> {
    const row = await this.table.get(fingerprintKey(organizationId, fingerprint));
    return row && (await this.find(organizationId, String(row.machine_id)));
  }

  /** The fingerprint row of a deleted machine may still exist: it counts as free and is replaced. */
  async create(machine: Machine, idempotency?: Idempotency): Promise<CreateMachineOutcome> {
    const holder = await this.#tryCreate(machine, idempotency, undefined);
    if (holder === undefined) return { kind: "created" };
    if (await this.find(machine.organizationId, holder))
      return { kind: "fingerprint_taken", machineId: holder };
    const next = await this.#tryCreate(machine, idempotency, holder);
    return next === undefined ? { kind: "created" } : { kind: "fingerprint_taken", machineId: next };
  }

  /** Returns the id of the machine that has the fingerprint; undefined when this one was created. */
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
        ? isNew
        : {
            expression: "attribute_not_exists(pk) OR machine_id = :deleted",
            values: { deleted: deletedHolder },
          };
    const outcome = await transactIdempotent(
      this.table,
      [
        { kind: "put", item: fingerprint, condition: isFree },
        { kind: "put", item: machineItem(machine), condition: isNew },
        countWrite("MACHINE", machine, 1),
      ],
      { idempotency, result: machine, nowMs: this.deps.clock.now() },
    );
    if (outcome.kind === "written") return undefined;
    const row = outcome.failed.get(0);
    if (row) return String(row.machine_id);
    throw new Error("a machine with this id is there already");
  }

  async update(
    organizationId: OrganizationId,
    machineId: string,
    change: MachineChange,
    options: UpdateMachineOptions = {},
  ): Promise<UpdateMachineOutcome> {
    const { reservation, idempotency, before } = options;
    const beside = reservation && reservationWrites(reservation, machineId, this.deps.clock.now());
    const outcome = await updateEntity(this.deps, {
      ...{ what: "the machine", key: machineKey(organizationId, machineId), parse: parseMachine },
      ...{ change, idempotency, before },
      write: machineChange(organizationId, change),
      condition: updateCondition(change, options),
      refuse: (current) => refusal(current, change, options),
      beside: beside && (() => beside),
      refuseBeside: async (failed) =>
        reservation && !failed.has(0) ? ({ kind: "session_changed" } as const) : undefined,
    });
    return outcome.kind === "updated" ? { kind: "updated", machine: outcome.entity } : outcome;
  }

  async beginClearing(
    organizationId: OrganizationId,
    machineId: string,
    since: string,
  ): Promise<Machine | undefined> {
    let hasSession = true;
    return await writeAsRead<Machine | undefined>(this.deps, { what: "the machine" }, async (failed) => {
      // A machine may be reserved for a session that has no row any more.
      if (failed && !failed.has(0)) hasSession = false;
      const current = await this.find(organizationId, machineId);
      if (!current) return { refused: undefined };
      const writes = clearingWrites(current, since, hasSession);
      return { writes, outcome: changedEntity(current, { clearingSince: since }), result: null };
    });
  }

  async listClearingDue(limit: number): Promise<readonly Machine[]> {
    const machines = (await readDue(this.table, "CLEARING#MACHINE", { limit })).map(parseMachine);
    return machines.filter((machine) => machine.clearingSince !== null && machine.deletedAt === null);
  }

  async list(
    organizationId: OrganizationId,
    filter: MachineFilter,
    page: PageRequest,
  ): Promise<Page<Machine>> {
    return await queryMachines(this.table, organizationId, filter, page, this.searchRowsMax);
  }

  /** The fingerprint row stays until here and counts as free: marking as deleted would need a read for it. */
  async remove(organizationId: OrganizationId, machineId: string): Promise<void> {
    const machine = await this.findDeleted(organizationId, machineId);
    if (!machine) return;
    // The row that points at the machine goes first: after an interruption the machine is still due.
    await this.table.delete(fingerprintKey(organizationId, machine.fingerprint), {
      expression: "machine_id = :machine_id",
      values: { machine_id: machineId },
    });
    await this.removeRow(organizationId, machineId);
  }
}

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
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { DynamoEntityStore } from "../entity/dynamo-entity-store.ts";
import { updateEntity, writeAsRead } from "../entity/update-entity.ts";
import { readDue } from "../table/due-items.ts";
import { attributesOf } from "../table/index-attributes.ts";
import { callsUnderWayKey, fingerprintKey, machineKey } from "../table/keys.ts";
import { changedEntity } from "../table/row.ts";
import { countCallsUnderWay } from "../tunnel/dynamo-calls-under-way.ts";
import { machineChange, machineItem, parseMachine } from "./machine-item.ts";
import { queryMachines } from "./machine-list.ts";
import { type ClearingPart, clearingParts, reservationParts } from "./machine-reservation.ts";
import { refusal, updateCondition } from "./machine-update.ts";

export class DynamoMachineStore extends DynamoEntityStore<Machine> implements MachineStore {
  protected readonly kind = "machine";
  protected readonly counted = "MACHINE";
  /** `filter1_pk` stays: the machine's connection may still open or close, which writes it. */
  protected readonly listed = [...attributesOf("list", "filter2"), "filter1_sk"];
  protected readonly key = machineKey;
  protected readonly parse = parseMachine;

  async findWithCalls(
    organizationId: OrganizationId,
    machineId: string,
  ): Promise<{ readonly machine: Machine; readonly callsUnderWay: number } | undefined> {
    const calls = callsUnderWayKey(organizationId);
    const rows = await this.table.batchGet([machineKey(organizationId, machineId), calls]);
    const [item] = rows.filter(({ pk }) => pk !== calls.pk);
    const machine = item && parseMachine(item);
    if (machine?.deletedAt !== null) return undefined;
    const counted = rows.find(({ pk }) => pk === calls.pk);
    return { machine, callsUnderWay: countCallsUnderWay(counted, this.deps.clock.now()) };
  }

  async findByFingerprint(organizationId: OrganizationId, fingerprint: string): Promise<Machine | undefined> {
    const row = await this.table.get(fingerprintKey(organizationId, fingerprint));
    return row && (await this.find(organizationId, String(row.machine_id)));
  }

  async create(machine: Machine, idempotency?: Idempotency): Promise<CreateMachineOutcome> {
    const { organizationId, id, fingerprint } = machine;
    const item = { ...fingerprintKey(organizationId, fingerprint), kind: "fingerprint", machine_id: id };
    const unique = { item, holder: "machine_id" };
    const holder = await this.createUnique(machine, machineItem(machine), unique, idempotency);
    return holder === undefined ? { kind: "created" } : { kind: "fingerprint_taken", machineId: holder };
  }

  async update(
    organizationId: OrganizationId,
    machineId: string,
    change: MachineChange,
    options: UpdateMachineOptions = {},
  ): Promise<UpdateMachineOutcome> {
    const { reservation, idempotency, before } = options;
    const beside = reservation && reservationParts(reservation, machineId, this.deps.clock.now());
    const outcome = await updateEntity(this.deps, {
      what: "the machine",
      key: machineKey(organizationId, machineId),
      parse: parseMachine,
      change,
      idempotency,
      before,
      write: machineChange(organizationId, change),
      condition: updateCondition(change, options),
      refuse: (current) => refusal(current, change, options),
      beside: beside && (() => beside),
      refuseBeside: async (failures) =>
        reservation && !failures.has("entity") ? ({ kind: "session_changed" } as const) : undefined,
    });
    return outcome.kind === "updated" ? { kind: "updated", machine: outcome.entity } : outcome;
  }

  async proveSecret(organizationId: OrganizationId, machineId: string, digest: string): Promise<void> {
    await this.table.update(
      machineKey(organizationId, machineId),
      machineChange(organizationId, { secretDigest: digest, pendingSecretDigest: null }),
      { expression: "pending_secret_digest = :digest", values: { digest } },
    );
  }

  async beginClearing(
    organizationId: OrganizationId,
    machineId: string,
    since: string,
  ): Promise<Machine | undefined> {
    let hasSession = true;
    const what = "the machine";
    return await writeAsRead<Machine | undefined, ClearingPart>(this.deps, { what }, async (failures) => {
      // A machine may be reserved for a session that has no row any more.
      if (failures && !failures.has("machine")) hasSession = false;
      const current = await this.find(organizationId, machineId);
      if (!current) return { refused: undefined };
      const parts = clearingParts(current, since, hasSession);
      return { parts, outcome: changedEntity(current, { clearingSince: since }), result: null };
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

  /** The fingerprint row counts as free until here: marking as deleted would need a read for it. */
  async remove(organizationId: OrganizationId, machineId: string): Promise<void> {
    const machine = await this.findDeleted(organizationId, machineId);
    if (!machine) return;
    // This row goes first: after an interruption the machine is still due.
    await this.table.delete(fingerprintKey(organizationId, machine.fingerprint), {
      expression: "machine_id = :machine_id",
      values: { machine_id: machineId },
    });
    await this.removeRow(organizationId, machineId);
  }
}

import { type Edit, requireEdition } from "../../domain/entity/edition.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import { type Machine, machineStatus } from "../../domain/machine/machine.ts";
import type {
  ChangedFields,
  CreateMachineOutcome,
  MachineChange,
  MachineFilter,
  MachineStore,
  UpdateMachineOptions,
  UpdateMachineOutcome,
} from "../../domain/machine/machine-store.ts";
import { changedMetadata } from "../../domain/metadata/metadata.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { isAnyOf, type Page, type PageRequest, valuesOf } from "../../domain/page.ts";
import { overtaken, untilWritten } from "../../domain/until-written.ts";
import { DynamoEntityStore } from "../entity/dynamo-entity-store.ts";
import { hasMetadata, hasText, listEntities } from "../entity/entity-list.ts";
import { updateEntity, writeAsRead } from "../entity/update-entity.ts";
import { counting } from "../table/counters.ts";
import { readDue } from "../table/due-items.ts";
import { allOf, type Condition, hasValue, living } from "../table/expression.ts";
import { attributesOf, filterPartitions, listPartitions, placeOfId } from "../table/index-keys.ts";
import type { Item } from "../table/item.ts";
import { callsUnderWayKey, fingerprintKey, machineKey } from "../table/keys.ts";
import { type ListedRows, narrowestIndex } from "../table/listed-rows.ts";
import { createdWithin } from "../table/query.ts";
import { changedEntity } from "../table/row.ts";
import { countCallsUnderWay } from "../tunnel/dynamo-calls-under-way.ts";
import { machineChange, machineItem, parseMachine } from "./machine-item.ts";
import { type ClearingPart, clearingParts, reservationParts } from "./machine-reservation.ts";

/** A search reads only these: the parameters alone may be 64 KB. */
const searched = [
  "id",
  "name",
  "hostname",
  "out_of_service",
  "connection_id",
  "metadata",
  "deleted_at",
] as const;

type WrittenChange = ChangedFields & Partial<Pick<Machine, "metadata">>;

type Expected = Pick<UpdateMachineOptions, "revision" | "clearingSince" | "reservation">;

export class DynamoMachineStore extends DynamoEntityStore<Machine> implements MachineStore {
  protected readonly kind = "machine";
  protected readonly count = counting("MACHINE");
  /** `filter1_pk` stays, because the machine's connection may still open or close, which writes it. */
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
    { metadata, ...change }: MachineChange,
    options: UpdateMachineOptions = {},
  ): Promise<UpdateMachineOutcome> {
    const write = this.#write.bind(this, organizationId, machineId);
    if (metadata === undefined) return await write(change, options);
    return await untilWritten<Machine | undefined, UpdateMachineOutcome>(this.table.pacing, {
      what: "the machine",
      first: options.before,
      read: () => this.find(organizationId, machineId),
      decide: async (before) => {
        if (before === undefined) return await write(change, options);
        requireEdition(before, options.edit ?? {});
        const { revision = before.revision } = options;
        const merged = { ...change, metadata: changedMetadata(before.metadata, metadata) };
        const outcome = await write(merged, { ...options, before, revision });
        return outcome.kind === "changed" && options.revision === undefined ? overtaken : outcome;
      },
    });
  }

  async #write(
    organizationId: OrganizationId,
    machineId: string,
    change: WrittenChange,
    options: UpdateMachineOptions,
  ): Promise<UpdateMachineOutcome> {
    const { reservation, idempotency, before, edit } = options;
    const beside = reservation && reservationParts(reservation, machineId, this.deps.clock.now());
    const outcome = await updateEntity(this.deps, {
      what: "the machine",
      key: machineKey(organizationId, machineId),
      parse: parseMachine,
      change,
      idempotency,
      before,
      edit,
      write: machineChange(organizationId, change),
      condition: updateCondition(change, options),
      refuse: (current) => machineRefusal(current, change, options),
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
      hasValue("pending_secret_digest", digest),
    );
  }

  async beginClearing(
    organizationId: OrganizationId,
    machineId: string,
    since: string,
    edit: Edit = {},
  ): Promise<Machine | undefined> {
    let hasSession = true;
    const what = "the machine";
    return await writeAsRead<Machine | undefined, ClearingPart>(this.deps, { what }, async (failures) => {
      // A machine may be reserved for a session that no longer has a row.
      if (failures && !failures.has("machine")) hasSession = false;
      const current = await this.find(organizationId, machineId);
      if (!current) return { refused: undefined };
      requireEdition(current, edit);
      const parts = clearingParts(current, since, { hasSession, edit });
      return { parts, outcome: changedEntity(current, { clearingSince: since }), result: null };
    });
  }

  async listClearingDue(limit: number): Promise<readonly Machine[]> {
    const machines = (await readDue(this.table, "CLEARING#MACHINE", { limit })).map(parseMachine);
    return machines.filter((machine) => machine.clearingSince !== null && machine.deletedAt === null);
  }

  /** With a `search`, metadata, or a name and a status, rows are read one by one. @throws {DomainError} `search_too_broad` */
  async list(
    organizationId: OrganizationId,
    filter: MachineFilter,
    page: PageRequest,
  ): Promise<Page<Machine>> {
    const isServed =
      filter.search === undefined &&
      filter.metadata === undefined &&
      (filter.name === undefined || filter.status === undefined);
    const question = {
      organizationId,
      rows: indexRows(organizationId, filter),
      counted: isUnfiltered(filter) ? ("MACHINE" as const) : undefined,
      parse: parseMachine,
      isLiving: (machine: Machine) => machine.deletedAt === null,
      cursor: { keyOf: (id: string) => machineKey(organizationId, id), placeOfGone: placeOfId },
      search: isServed
        ? undefined
        : {
            attributes: searched,
            isMatch: (item: Item) => isMatch(item, filter),
            rowsMax: this.searchRowsMax,
            noun: "machines",
          },
    };
    return await listEntities(this.table, question, page);
  }

  /** The fingerprint row counts as free from the deletion on, because marking as deleted would need a read for it. */
  async remove(organizationId: OrganizationId, machineId: string): Promise<void> {
    const machine = await this.findDeleted(organizationId, machineId);
    if (!machine) return;
    // This row is removed first: after an interruption the machine is still due.
    await this.table.delete(
      fingerprintKey(organizationId, machine.fingerprint),
      hasValue("machine_id", machineId),
    );
    await this.removeRow(organizationId, machineId);
  }
}

function indexRows(organizationId: OrganizationId, filter: MachineFilter): ListedRows {
  const { name, status } = filter;
  const index = narrowestIndex({
    filter2: name === undefined ? undefined : [filterPartitions.machinesByName(organizationId, name)],
    filter1: valuesOf(status)?.map((each) => filterPartitions.machinesByStatus(organizationId, each)),
    list: [listPartitions.machines(organizationId)],
  });
  return { ...index, ...createdWithin(filter) };
}

function isUnfiltered(filter: MachineFilter): boolean {
  return Object.values(filter).every((value) => value === undefined);
}

function isMatch(item: Item, filter: MachineFilter): boolean {
  if (item.deleted_at !== undefined) return false;
  if (filter.name !== undefined && item.name !== filter.name) return false;
  if (!isAnyOf(filter.status, statusOf(item))) return false;
  if (!hasMetadata(item, filter.metadata)) return false;
  return hasText(item, ["id", "name", "hostname"], filter.search);
}

function statusOf(item: Item) {
  const connection = item.connection_id === undefined ? null : { id: "", websocketId: "", host: "" };
  return machineStatus({ outOfService: item.out_of_service === true, connection });
}

/** The condition is equivalent to `machineRefusal`, except for a session's pools, for which the revision is enough. */
function updateCondition(change: MachineChange, { revision, clearingSince }: Expected): Condition {
  const { reservedSessionId } = change;
  const isReservable = "(attribute_not_exists(reserved_session_id) OR reserved_session_id = :session)";
  return allOf(
    living,
    revision === undefined ? undefined : hasValue("revision", revision),
    typeof reservedSessionId === "string"
      ? {
          expression: `${isReservable} AND attribute_not_exists(clearing_since)`,
          values: { session: reservedSessionId },
        }
      : undefined,
    clearingSince === undefined
      ? undefined
      : allOf(hasValue("clearing_since", clearingSince), hasValue("current_run_id", null)),
  );
}

function machineRefusal(
  machine: Machine | undefined,
  change: MachineChange,
  { revision, clearingSince, reservation }: Expected,
): Exclude<UpdateMachineOutcome, { readonly kind: "updated" }> | undefined {
  if (!machine || machine.deletedAt !== null) return { kind: "not_found" };
  if (revision !== undefined && machine.revision !== revision) return { kind: "changed" };
  if (clearingSince !== undefined) {
    const isCleared = machine.clearingSince === clearingSince && machine.currentRunId === null;
    return isCleared ? undefined : { kind: "not_cleared", machine };
  }
  const wanted = change.reservedSessionId ?? null;
  if (wanted === null) return undefined;
  const given = machine.reservedSessionId;
  if (given !== null && given !== wanted) return { kind: "reserved" };
  if (machine.clearingSince !== null) return { kind: "changed" };
  const isElsewhere =
    reservation?.session.status === "pending" &&
    reservation.session.poolIds.some((poolId) => !machine.poolIds.includes(poolId));
  return isElsewhere ? { kind: "session_elsewhere" } : undefined;
}

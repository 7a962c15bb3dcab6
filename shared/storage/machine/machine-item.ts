import type { MachineHold } from "../../domain/hold/hold.ts";
import type { JsonObject } from "../../domain/json.ts";
import { type CurrentConnection, type Machine, machineStatus } from "../../domain/machine/machine.ts";
import type { ChangedFields } from "../../domain/machine/machine-store.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Change } from "../table/expression.ts";
import { createdAttributes, filterPartitions, listPartitions } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { machineKey } from "../table/keys.ts";
import {
  editedFields,
  flag,
  json,
  maybe,
  metadataField,
  number,
  orElse,
  orNull,
  row,
  spread,
  text,
  texts,
} from "../table/row.ts";

export const machineRow = row<Machine>("machine", {
  ...editedFields,
  userId: text,
  fingerprint: text,
  keyServiceKeyId: orElse(text, ""),
  name: text,
  version: text,
  hostname: text,
  osInfo: text,
  capabilities: orElse(texts, []),
  programs: orElse(texts, []),
  isAvailable: flag,
  alertsEnabled: flag,
  outOfService: flag,
  lastSeen: text,
  parameters: json<JsonObject>(),
  metadata: metadataField,
  sensitiveAliases: texts,
  secretName: orNull(text),
  secretDigest: orNull(text),
  pendingSecretDigest: orNull(text),
  reservedSessionId: orNull(text),
  clearingSince: orNull(text),
  linkedKeepaliveMachineId: orNull(text),
  currentRunId: orNull(text),
  held: orNull(json<MachineHold>()),
  poolIds: texts,
  connection: orNull(
    spread<CurrentConnection>("connection_", {
      id: text,
      websocketId: orElse(text, ""),
      host: orElse(text, ""),
      lastPing: maybe(text),
      unanswered: maybe(number),
      unansweredAt: maybe(text),
    }),
  ),
  disconnectedAt: orNull(text),
});

export const parseMachine = machineRow.parse;

export function machineItem(machine: Machine): Item & Key {
  const { organizationId, name } = machine;
  const { machinesByStatus, machinesByName } = filterPartitions;
  return {
    ...machineKey(organizationId, machine.id),
    ...machineRow.write(machine),
    ...createdAttributes(machine, {
      list: listPartitions.machines(organizationId),
      filter1: machinesByStatus(organizationId, machineStatus(machine)),
      filter2: machinesByName(organizationId, name),
    }),
    link_pk: machinesByStatus(organizationId, machine.connection ? "connected" : "disconnected"),
    error_pk: machine.outOfService ? machinesByStatus(organizationId, "error") : undefined,
  };
}

type Changeable = ChangedFields &
  Partial<Pick<Machine, "linkedKeepaliveMachineId" | "capabilities" | "programs" | "metadata">>;

/**
 * The status has two writers: `link_pk` is its partition by the connection alone, `error_pk` that of a machine out of
 * service, and a writer of one takes the other from the item.
 */
export function machineChange(organizationId: OrganizationId, change: Changeable): Change {
  const { name, outOfService } = change;
  const also: Record<string, unknown> = {};
  // A machine without a run loses nothing with its connection, so it is due for nothing else.
  if (change.clearingSince === null) Object.assign(also, { due_pk: null, due_sk: null });
  if (name !== undefined) also.filter2_pk = filterPartitions.machinesByName(organizationId, name);
  if (outOfService === true) {
    also.error_pk = filterPartitions.machinesByStatus(organizationId, "error");
    also.filter1_pk = also.error_pk;
  }
  if (outOfService === false) also.error_pk = null;
  const compute = outOfService === false ? { filter1_pk: "link_pk" } : {};
  return { ...machineRow.change(change, also), compute };
}

export function linkChange(organizationId: OrganizationId, status: "connected" | "disconnected") {
  return {
    compute: { filter1_pk: "if_not_exists(error_pk, :link_pk)", link_pk: ":link_pk" },
    values: { link_pk: filterPartitions.machinesByStatus(organizationId, status) },
  } satisfies Change;
}

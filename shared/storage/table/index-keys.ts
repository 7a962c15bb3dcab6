import { timestampOfId } from "../../domain/derive-id.ts";
import type { DeletableKind } from "../../domain/maintenance/deletions.ts";
import { type OrganizationId, organizationIdOf } from "../../domain/organization-id.ts";
import type { AttachmentType } from "../../vocabulary/files.ts";
import type { MachineStatus } from "../../vocabulary/machines.ts";
import type { RunStatus } from "../../vocabulary/runs.ts";
import { dueShards, type IndexName } from "../../vocabulary/table.ts";
import type { Item } from "./item.ts";
import {
  createdSortKey,
  hashed,
  hexTail,
  hexTimestamp,
  inOrganization,
  isUuid7,
  part,
  short,
  timestampOfSortKey,
} from "./key-parts.ts";

export function createdRange(fromMs: number | undefined, toMs: number | undefined) {
  return {
    ...(fromMs === undefined ? {} : { from: hexTimestamp(fromMs) }),
    // `g` sorts after every hexadecimal digit.
    ...(toMs === undefined ? {} : { to: `${hexTimestamp(toMs)}g` }),
  };
}

export const listPartitions = {
  machines: (organizationId: OrganizationId) => inOrganization(organizationId, "MACHINE"),
  connections: (organizationId: OrganizationId) => inOrganization(organizationId, "CONNECTION"),
  workflows: (organizationId: OrganizationId) => inOrganization(organizationId, "WORKFLOW"),
  tags: (organizationId: OrganizationId) => inOrganization(organizationId, "TAG"),
  tagGroups: (organizationId: OrganizationId) => inOrganization(organizationId, "TAG_GROUP"),
  pools: (organizationId: OrganizationId) => inOrganization(organizationId, "POOL"),
  apiKeys: (organizationId: OrganizationId) => inOrganization(organizationId, "KEY"),
  runs: (organizationId: OrganizationId) => inOrganization(organizationId, "RUN"),
  attachments: (organizationId: OrganizationId) => inOrganization(organizationId, "ATTACHMENT"),
  trajectories: (organizationId: OrganizationId) => inOrganization(organizationId, "TRAJECTORY"),
  recordings: (organizationId: OrganizationId) => inOrganization(organizationId, "RECORDING"),
  schedules: (organizationId: OrganizationId) => inOrganization(organizationId, "SCHEDULE"),
  auditEvents: (organizationId: OrganizationId) => inOrganization(organizationId, "AUDIT_EVENT"),
} as const;

/** Partitions are short, since each row of an index has one; within one index no two kinds share a partition. */
export const filterPartitions = {
  machinesByStatus: (organizationId: OrganizationId, status: MachineStatus) =>
    inOrganization(organizationId, "MACHINE", status),
  /** A name may be longer than an index row should be, so a digest replaces it. */
  machinesByName: (organizationId: OrganizationId, name: string) =>
    inOrganization(organizationId, "N", hashed(name)),
  connectionsByMachine: (organizationId: OrganizationId, machineId: string) =>
    inOrganization(organizationId, "M", short(machineId)),
  connectionsByStatus: (organizationId: OrganizationId, status: string) =>
    inOrganization(organizationId, "CONNECTION", status),
  runsByWorkflow: (organizationId: OrganizationId, workflowId: string) =>
    inOrganization(organizationId, "RUN", "W", short(workflowId)),
  runsByMachine: (organizationId: OrganizationId, machineId: string) =>
    inOrganization(organizationId, "RUN", "M", short(machineId)),
  runsBySession: (organizationId: OrganizationId, sessionId: string) =>
    inOrganization(organizationId, "RUN", "S", short(sessionId)),
  runsByStatus: (organizationId: OrganizationId, status: RunStatus) =>
    inOrganization(organizationId, "RUN", status),
  /** No key of metadata has a `=`. */
  runsByMetadata: (organizationId: OrganizationId, key: string, value: string) =>
    inOrganization(organizationId, "K", hashed(`${key}=${value}`)),
  attachmentsByRun: (organizationId: OrganizationId, runId: string) =>
    inOrganization(organizationId, "R", short(runId)),
  attachmentsByType: (organizationId: OrganizationId, type: AttachmentType) =>
    inOrganization(organizationId, "ATTACHMENT", type),
  trajectoriesByWorkflow: (organizationId: OrganizationId, workflowId: string) =>
    inOrganization(organizationId, "W", short(workflowId)),
  trajectoriesByApproval: (organizationId: OrganizationId, isApproved: boolean) =>
    inOrganization(organizationId, "TRAJECTORY", isApproved ? "approved" : "unapproved"),
  auditEventsByResource: (organizationId: OrganizationId, type: string, id: string) =>
    inOrganization(organizationId, "A", part(type), short(id)),
  auditEventsByActor: (organizationId: OrganizationId, principal: string) =>
    inOrganization(organizationId, "A", short(principal)),
  deliveriesByEndpoint: (organizationId: OrganizationId, endpointId: string) =>
    inOrganization(organizationId, "E", short(endpointId)),
  /** Only live connections are listed. A key is revoked without knowing its organization. */
  connectionsByKey: (keyId: string) => `KEY#${part(keyId)}#CONNECTION`,
  viewersByKey: (keyId: string) => `KEY#${part(keyId)}#VIEWER`,
} as const;

/** The sweeper reads these across organizations, each by the timestamp from which an item is due. */
export type DueListing =
  | "LIVE"
  | "WAITING#RUN"
  | "WAITING#SENDS"
  | "ENDED#RUN"
  | "ENDED#RUN_SECRET"
  | "KEPT#RUN_SECRET"
  | "OPEN#SESSION"
  | "OPEN#EXECUTION"
  | "OPEN#VIEWER"
  | "OPEN#RECORDING"
  | "VANISHED#MACHINE"
  | "CLEARING#MACHINE"
  | "EXPIRES#ATTACHMENT"
  | "UPLOAD#ATTACHMENT"
  | "REVOKED#KEY"
  | "EXPIRES#KEY"
  | "DUE#SCHEDULE"
  | `DELETED#${DeletableKind}`;

export function duePartitions(listing: DueListing): readonly string[] {
  return Array.from({ length: dueShards }, (_, shard) => `${listing}#${shard.toString(16)}`);
}

export function duePartition(listing: DueListing, id: string): string {
  return `${listing}#${hexTail(id).toLowerCase()}`;
}

export function shardOfDuePartition(partition: string): number {
  return Number.parseInt(partition.slice(-1), 16);
}

export function dueSortKey(atMs: number, id: string): string {
  return createdSortKey(atMs, id);
}

export function dueRow(listing: DueListing, id: string, at: number | string) {
  const atMs = typeof at === "number" ? at : Date.parse(at);
  return { due_pk: duePartition(listing, id), due_sk: dueSortKey(atMs, id) };
}

/** The sort key has the socket, so that the gateway can be queried without reading the connection. */
export function liveRow(id: string, websocketId: string, openedAt: string) {
  const row = dueRow("LIVE", id, openedAt);
  return { ...row, due_sk: `${row.due_sk}#${websocketId}` };
}

export function placeOfLiveRow({ pk, due_sk }: Item) {
  const [, organization = "", , id = ""] = String(pk).split("#");
  const [opened = "", websocketId = ""] = String(due_sk).split("#");
  return {
    organizationId: organizationIdOf(decodeURIComponent(organization)),
    id: decodeURIComponent(id),
    websocketId,
    openedAtMs: timestampOfSortKey(opened),
  };
}

export function createdAttributes(
  { id, createdAt }: { readonly id: string; readonly createdAt: string },
  partitions: { readonly [Index in IndexName]?: string | undefined },
): Item {
  const sortKey = placeOf(id, createdAt);
  const rows = Object.entries(partitions).filter(([, partition]) => partition !== undefined);
  return Object.fromEntries(
    rows.flatMap(([index, partition]) => [
      [`${index}_pk`, partition],
      [`${index}_sk`, sortKey],
    ]),
  );
}

/** The sort key that an entity has in every index of lists. */
export function placeOf(id: string, createdAt: string): string {
  return createdSortKey(Date.parse(createdAt), id);
}

/** The sort key of an entity created at the time in its id, of version 7; undefined for another id. */
export function placeOfId(id: string): string | undefined {
  return isUuid7(id) ? createdSortKey(timestampOfId(id), id) : undefined;
}

export function attributesOf(...indexes: readonly IndexName[]): readonly string[] {
  return indexes.flatMap((index) => [`${index}_pk`, `${index}_sk`]);
}

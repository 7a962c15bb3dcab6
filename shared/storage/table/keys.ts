import { createHash } from "node:crypto";
import { uuidOfKeyId } from "../../domain/access/api-key.ts";
import type { DeletableKind } from "../../domain/maintenance/deletions.ts";
import { type OrganizationId, organizationIdOf } from "../../domain/organization-id.ts";
import type { QueueEntry } from "../../domain/run/waiting/queue-entry.ts";
import type { Target } from "../../domain/run/waiting/target.ts";
import type { AttachmentType } from "../../vocabulary/files.ts";
import type { MachineStatus } from "../../vocabulary/machines.ts";
import type { RunStatus } from "../../vocabulary/runs.ts";
import { counterShards, dueShards } from "../../vocabulary/table.ts";
import type { Item, Key } from "./item.ts";

export type TagKind = "TAG" | "TAG_GROUP";

export type Counted = "MACHINE" | "CONNECTION" | "WORKFLOW" | "RUN" | "ATTACHMENT" | "POOL" | "TRAJECTORY";

const alone = "#";

/** DynamoDB takes 2,048 bytes of a partition's key. */
const partCharactersMax = 1_024;

/** `#` separates and never results from the encoding, so that no id reaches into another partition. */
function part(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** An index has many rows, of 200 bytes at most; a text that a filter names may be longer than a key. */
function short(id: string): string {
  if (uuid.test(id)) return Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url");
  const text = part(id);
  return text.length > partCharactersMax ? hashed(id) : text;
}

function hashed(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("base64url").slice(0, 22);
}

function inOrganization(organizationId: OrganizationId, ...rest: readonly string[]): string {
  return ["ORG", part(organizationId), ...rest].join("#");
}

export function organizationPrefix(organizationId: OrganizationId): string {
  return inOrganization(organizationId, "");
}

const resourceTypes: Readonly<Record<string, string>> = {
  MACHINE: "machine",
  POOL: "pool",
  WORKFLOW: "workflow",
  TAG: "workflow_tag",
  TAG_GROUP: "workflow_tag_group",
  RUN: "run",
  ATTACHMENT: "attachment",
  TRAJECTORY: "trajectory",
  CONNECTION: "connection",
  PROVIDER: "provider_credential",
  WEBHOOK_DELIVERY: "webhook_delivery",
};

/** An organization's rows of these kinds share one partition. */
export const listedTypes = {
  MODEL_CONFIGURATIONS: "model_configuration",
  PROMPT_IMAGES: "prompt_image",
  WEBHOOK_ENDPOINTS: "webhook_endpoint",
} as const;

export type Listed = keyof typeof listedTypes;

/** Undefined for what lies beside a resource, and for all else. */
export function resourceOfKey({ pk, sk }: Key): { readonly type: string; readonly id: string } | undefined {
  const [, , kind = "", encodedId] = pk.split("#");
  // A deleted key leaves its revocation.
  if (/^(OWN_KEY|REVOKED)#/.test(pk)) return { type: "api_key", id: uuidOfKeyId(pk.split("#")[1] ?? "") };
  if (isListed(kind)) {
    const { from } = listedRange;
    return sk.startsWith(from)
      ? { type: listedTypes[kind], id: decodeURIComponent(sk.slice(from.length)) }
      : undefined;
  }
  const type = resourceTypes[kind];
  if (type === undefined || encodedId === undefined || sk !== alone) return undefined;
  return { type, id: decodeURIComponent(encodedId) };
}

export function machineKey(organizationId: OrganizationId, machineId: string): Key {
  return { pk: inOrganization(organizationId, "MACHINE", part(machineId)), sk: alone };
}

export function fingerprintKey(organizationId: OrganizationId, fingerprint: string): Key {
  return { pk: inOrganization(organizationId, "FINGERPRINT", part(fingerprint)), sk: alone };
}

export function workflowKey(organizationId: OrganizationId, workflowId: string): Key {
  return { pk: inOrganization(organizationId, "WORKFLOW", part(workflowId)), sk: alone };
}

export const versionRange = { from: "VERSION#", to: "VERSION#~" } as const;

export function workflowVersionKey(
  organizationId: OrganizationId,
  workflowId: string,
  versionId: string,
): Key {
  return { pk: workflowKey(organizationId, workflowId).pk, sk: `VERSION#${part(versionId)}` };
}

export function mainTrajectoryKey(organizationId: OrganizationId, workflowId: string): Key {
  return { pk: workflowKey(organizationId, workflowId).pk, sk: "MAIN_TRAJECTORY" };
}

export function tagKey(organizationId: OrganizationId, tagId: string): Key {
  return { pk: inOrganization(organizationId, "TAG", part(tagId)), sk: alone };
}

export const taggedRange = { from: "WORKFLOW#", to: "WORKFLOW#~" } as const;

export function taggedKey(organizationId: OrganizationId, tagId: string, workflowId: string): Key {
  return { pk: tagKey(organizationId, tagId).pk, sk: `WORKFLOW#${part(workflowId)}` };
}

export function tagGroupKey(organizationId: OrganizationId, groupId: string): Key {
  return { pk: inOrganization(organizationId, "TAG_GROUP", part(groupId)), sk: alone };
}

/** Some tags that have left the group still have a row. */
export const groupedRange = { from: "TAG#", to: "TAG#~" } as const;

export function groupedKey(organizationId: OrganizationId, groupId: string, tagId: string): Key {
  return { pk: tagGroupKey(organizationId, groupId).pk, sk: `TAG#${part(tagId)}` };
}

/** Names are long, hence a digest. */
export function nameKey(organizationId: OrganizationId, kind: TagKind | "POOL", name: string): Key {
  return { pk: inOrganization(organizationId, `${kind}_NAME`, hashed(name)), sk: alone };
}

/** One row, not shards: adding a tag or a group is conditional on their number. */
export function tagLimitKey(organizationId: OrganizationId, kind: TagKind): Key {
  return { pk: inOrganization(organizationId, "LIMIT", kind), sk: alone };
}

export function poolKey(organizationId: OrganizationId, poolId: string): Key {
  return { pk: inOrganization(organizationId, "POOL", part(poolId)), sk: alone };
}

export const memberRange = { from: "MACHINE#", to: "MACHINE#~" } as const;

export function memberKey(organizationId: OrganizationId, poolId: string, machineId: string): Key {
  return { pk: poolKey(organizationId, poolId).pk, sk: `MACHINE#${part(machineId)}` };
}

export function providerCredentialKey(organizationId: OrganizationId, slot: string): Key {
  return { pk: inOrganization(organizationId, "PROVIDER", part(slot)), sk: alone };
}

/** A day is of UTC, such as `2026-01-31`. */
export function platformTokensKey(organizationId: OrganizationId, day: string): Key {
  return { pk: inOrganization(organizationId, "PLATFORM_TOKENS"), sk: part(day) };
}

function isListed(kind: string): kind is Listed {
  return Object.hasOwn(listedTypes, kind);
}

/** One query lists all of an organization's, in the order of their ids. */
export function listedPartition(organizationId: OrganizationId, listed: Listed): string {
  return inOrganization(organizationId, listed);
}

export function listedKey(organizationId: OrganizationId, listed: Listed, id: string): Key {
  return { pk: listedPartition(organizationId, listed), sk: `${listedRange.from}${part(id)}` };
}

export const listedRange = { from: "ID#", to: "ID#~" } as const;

export function listedCountKey(organizationId: OrganizationId, listed: Listed): Key {
  return { pk: listedPartition(organizationId, listed), sk: "COUNT" };
}

export function modelConfigurationNameKey(organizationId: OrganizationId, name: string): Key {
  return { pk: listedPartition(organizationId, "MODEL_CONFIGURATIONS"), sk: `NAME#${hashed(name)}` };
}

export function webhookSlotKey(organizationId: OrganizationId, endpointId: string, slot: number): Key {
  return { pk: listedPartition(organizationId, "WEBHOOK_ENDPOINTS"), sk: `SLOT#${part(endpointId)}#${slot}` };
}

export function webhookDeliveryKey(organizationId: OrganizationId, deliveryId: string): Key {
  return { pk: inOrganization(organizationId, "WEBHOOK_DELIVERY", part(deliveryId)), sk: alone };
}

export function webhookMessageKey(organizationId: OrganizationId, eventId: string): Key {
  return { pk: inOrganization(organizationId, "WEBHOOK_MESSAGE", part(eventId)), sk: alone };
}

export function connectionKey(organizationId: OrganizationId, connectionId: string): Key {
  return { pk: inOrganization(organizationId, "CONNECTION", part(connectionId)), sk: alone };
}

export function callSlotKey(
  organizationId: OrganizationId,
  connectionId: string,
  slot: number | string,
): Key {
  return { pk: connectionKey(organizationId, connectionId).pk, sk: `SLOT#${part(String(slot))}` };
}

export function callsUnderWayKey(organizationId: OrganizationId): Key {
  return { pk: inOrganization(organizationId, "CALLS"), sk: alone };
}

export function expiredConnectionKey(organizationId: OrganizationId, connectionId: string): Key {
  return { pk: inOrganization(organizationId, "CONNECTION", part(connectionId)), sk: "EXPIRED" };
}

export function runKey(organizationId: OrganizationId, runId: string): Key {
  return { pk: inOrganization(organizationId, "RUN", part(runId)), sk: alone };
}

/** Attachments lie beside their run, so that they can be read consistently. */
export function runAttachmentKey(organizationId: OrganizationId, runId: string, attachmentId: string): Key {
  return { pk: runKey(organizationId, runId).pk, sk: `ATTACHMENT#${part(attachmentId)}` };
}

export const runAttachmentRange = { from: "ATTACHMENT#", to: "ATTACHMENT#~" } as const;

export function executionKey(organizationId: OrganizationId, runId: string): Key {
  return { pk: runKey(organizationId, runId).pk, sk: executionRange.from };
}

export function stepKey(organizationId: OrganizationId, runId: string, index: number): Key {
  return { pk: runKey(organizationId, runId).pk, sk: `${stepRange.from}${String(index).padStart(6, "0")}` };
}

export function executionsKey(organizationId: OrganizationId): Key {
  return { pk: inOrganization(organizationId, "EXECUTIONS"), sk: alone };
}

export const stepRange = { from: "STEP#", to: "STEP#~" } as const;

export function savedValueKey(
  organizationId: OrganizationId,
  runId: string,
  assignmentId: string,
  name: string,
): Key {
  return { pk: runKey(organizationId, runId).pk, sk: `EXECUTION#SAVED#${part(assignmentId)}#${part(name)}` };
}

/** The row sorts behind the steps. */
export function stepCountKey(organizationId: OrganizationId, runId: string): Key {
  return { pk: runKey(organizationId, runId).pk, sk: "STEPS" };
}

/** All that executions and workers leave beside a run sorts between these. */
export const carriedOutRange = { from: "EXECUTION", to: "STEPS" } as const;

export const executionRange = { from: "EXECUTION", to: "EXECUTION#SAVED#~" } as const;

export function countedEndKey(organizationId: OrganizationId, runId: string, attempt: number): Key {
  return { pk: runKey(organizationId, runId).pk, sk: `COUNTED#${attempt}` };
}

export function usagePartition(organizationId: OrganizationId): string {
  return inOrganization(organizationId, "USAGE");
}

export function usageKey(organizationId: OrganizationId, day: string, runId: string): Key {
  return { pk: usagePartition(organizationId), sk: `${day}#${counterShardOf(runId)}` };
}

export function modelUsageKey(
  organizationId: OrganizationId,
  day: string,
  runId: string,
  { provider, model }: { readonly provider: string; readonly model: string },
): Key {
  const { pk, sk } = usageKey(organizationId, day, runId);
  return { pk, sk: `${sk}#${hashed(`${provider} ${model}`)}` };
}

/** Both days are included. */
export function usageRange(fromDay: string, toDay: string) {
  return { from: `${fromDay}#`, to: `${toDay}#~` };
}

export function runSecretKey(organizationId: OrganizationId, secretId: string): Key {
  return { pk: inOrganization(organizationId, "RUN_SECRET", part(secretId)), sk: alone };
}

export function sessionKey(organizationId: OrganizationId, sessionId: string): Key {
  return { pk: inOrganization(organizationId, "SESSION", part(sessionId)), sk: alone };
}

/** Priority comes first, then age. Queues of machines and sessions lie beside their item: one query reads both. */
export function queueKey(
  { organizationId, target, isPriority, queuedAtMs }: Omit<QueueEntry, "waiting">,
  id: string,
): Key {
  return {
    pk: queuePartition(organizationId, target),
    sk: `${queueRange.from}${isPriority ? 0 : 1}${createdSortKey(queuedAtMs, id)}`,
  };
}

export function queuePartition(organizationId: OrganizationId, target: Target): string {
  switch (target.kind) {
    case "machine":
      return machineKey(organizationId, target.machineId).pk;
    case "session":
      return sessionKey(organizationId, target.sessionId).pk;
    case "pools":
      return inOrganization(organizationId, "QUEUE", "POOLS", poolSetName(target.poolIds));
    case "any":
      return inOrganization(organizationId, "QUEUE", "ANY");
  }
}

/** The item that a queue lies beside sorts before it. */
export const queueRange = { from: "QUEUE#", to: "QUEUE#~" } as const;

export function poolSetKey(organizationId: OrganizationId, poolIds: readonly string[]): Key {
  return { pk: poolSetPartition(organizationId), sk: poolSetName(poolIds) };
}

export function poolSetPartition(organizationId: OrganizationId): string {
  return inOrganization(organizationId, "POOL_SETS");
}

function poolSetName(poolIds: readonly string[]): string {
  return hashed([...new Set(poolIds)].sort().join(" "));
}

export function idleKey(organizationId: OrganizationId, poolId: string | undefined, machineId: string): Key {
  return { pk: idlePartition(organizationId, poolId), sk: part(machineId) };
}

export function idlePartition(organizationId: OrganizationId, poolId: string | undefined): string {
  return poolId === undefined
    ? inOrganization(organizationId, "IDLE")
    : inOrganization(organizationId, "IDLE", part(poolId));
}

export function leftKey(organizationId: OrganizationId): Key {
  return { pk: inOrganization(organizationId, "LEFT"), sk: alone };
}

export function stoppedChainKey(organizationId: OrganizationId, sessionId: string, chainId: string): Key {
  return { pk: sessionKey(organizationId, sessionId).pk, sk: `STOPPED#${part(chainId)}` };
}

export function attachmentKey(organizationId: OrganizationId, attachmentId: string): Key {
  return { pk: inOrganization(organizationId, "ATTACHMENT", part(attachmentId)), sk: alone };
}

export function uploadKey(organizationId: OrganizationId, attachmentId: string): Key {
  return { pk: attachmentKey(organizationId, attachmentId).pk, sk: "UPLOAD" };
}

export function trajectoryKey(organizationId: OrganizationId, trajectoryId: string): Key {
  return { pk: inOrganization(organizationId, "TRAJECTORY", part(trajectoryId)), sk: alone };
}

export function requestPartKey(
  organizationId: OrganizationId,
  idempotencyId: string,
  partNumber: number,
): Key {
  return {
    pk: idempotencyRecordKey(organizationId, idempotencyId).pk,
    sk: `PART#${String(partNumber).padStart(4, "0")}`,
  };
}

export function counterPartition(organizationId: OrganizationId, counted: Counted): string {
  return inOrganization(organizationId, "COUNT", counted);
}

/** An entity always counts in the same shard, so that no shard falls below zero. */
export function counterKey(organizationId: OrganizationId, counted: Counted, entityId: string): Key {
  return { pk: counterPartition(organizationId, counted), sk: counterShardOf(entityId) };
}

/** The last character decides, so that an entity's partition key serves as well as its id. */
export function counterShardOf(text: string): string {
  return String(Number.parseInt(hexTail(text), 16) % counterShards).padStart(2, "0");
}

export function idempotencyRecordKey(organizationId: OrganizationId, idempotencyId: string): Key {
  return { pk: inOrganization(organizationId, "IDEMPOTENCY", part(idempotencyId)), sk: alone };
}

export type LineKind = "AUDIT_EVENT" | "REQUEST_LOG";

export function lineKey(organizationId: OrganizationId, kind: LineKind, id: string): Key {
  return { pk: inOrganization(organizationId, kind, part(id)), sk: alone };
}

export function lineCountPartition(organizationId: OrganizationId, kind: LineKind): string {
  return inOrganization(organizationId, "COUNT", kind);
}

export function lineCountKey(organizationId: OrganizationId, kind: LineKind, day: string, id: string): Key {
  return { pk: lineCountPartition(organizationId, kind), sk: `${day}#${counterShardOf(id)}` };
}

/** No function writes these keys; the operator's program does. */
export function apiKeyKey(keyId: string): Key {
  return { pk: `KEY#${part(keyId)}`, sk: alone };
}

export function ownApiKeyKey(keyId: string): Key {
  return { pk: `OWN_KEY#${part(keyId)}`, sk: alone };
}

/** The use lies apart from the key, which no function writes. */
export function keyUseKey(keyId: string): Key {
  return { pk: `KEY_USE#${part(keyId)}`, sk: alone };
}

export function revocationKey(keyId: string): Key {
  return { pk: `REVOKED#${part(keyId)}`, sk: alone };
}

/** API Gateway names a socket by its id alone. */
export function socketKey(websocketId: string): Key {
  return { pk: `SOCKET#${part(websocketId)}`, sk: alone };
}

/** A ticket is redeemed before its organization is known. */
export function ticketKey(tokenId: string): Key {
  return { pk: `TICKET#${part(tokenId)}`, sk: alone };
}

/** Addresses have no organization. */
export function rateKey(bucketName: string, window: number): Key {
  return { pk: `RATE#${part(bucketName)}#${window}`, sk: alone };
}

/** A mailbox belongs to one invocation; its name is random and authenticated by a MAC. */
export function mailboxPartition(mailbox: string): string {
  return `MAILBOX#${part(mailbox)}`;
}

export function mailboxKey(mailbox: string, websocketId: string, requestId: string, partNumber: number): Key {
  return {
    pk: mailboxPartition(mailbox),
    sk: `${part(websocketId)}#${part(requestId)}#${String(partNumber).padStart(4, "0")}`,
  };
}

export function sweepCursorKey(listing: string): Key {
  return { pk: `SWEEP#${part(listing)}`, sk: alone };
}

export function tableIdKey(): Key {
  return { pk: "TABLE", sk: alone };
}

/** The item never exists; reading it shows whether the table responds. */
export function probeKey(): Key {
  return { pk: "PROBE", sk: alone };
}

/** The timestamp is the entity's own, so that a time range is a range of keys, exact to the millisecond. */
export function createdSortKey(createdAtMs: number, id: string): string {
  return hexTimestamp(createdAtMs) + id.replaceAll("-", "").slice(timestampDigits);
}

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
  lines: (organizationId: OrganizationId, kind: LineKind) => inOrganization(organizationId, kind),
} as const;

/** Partitions are short, since each row of an index has one; within one index no two kinds share a partition. */
export const filterPartitions = {
  machinesByStatus: (organizationId: OrganizationId, status: MachineStatus) =>
    inOrganization(organizationId, "MACHINE", status),
  /** A name may be longer than an index row should be, hence a digest. */
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
  requestLogsByMachine: (organizationId: OrganizationId, machineId: string) =>
    inOrganization(organizationId, "L", short(machineId)),
  deliveriesByEndpoint: (organizationId: OrganizationId, endpointId: string) =>
    inOrganization(organizationId, "E", short(endpointId)),
  /** Only live connections are listed; revoking a key knows no organization. */
  connectionsByKey: (keyId: string) => `KEY#${part(keyId)}#CONNECTION`,
} as const;

/** The sweeper reads these across organizations, each by the timestamp from which an item is due. */
export type DueListing =
  | "LIVE"
  | "WAITING#RUN"
  | "ENDED#RUN"
  | "ENDED#RUN_SECRET"
  | "KEPT#RUN_SECRET"
  | "OPEN#SESSION"
  | "OPEN#EXECUTION"
  | "VANISHED#MACHINE"
  | "CLEARING#MACHINE"
  | "EXPIRES#ATTACHMENT"
  | "UPLOAD#ATTACHMENT"
  | "REVOKED#KEY"
  | "EXPIRES#KEY"
  | `DELETED#${DeletableKind}`;

export function duePartitions(listing: DueListing): readonly string[] {
  return Array.from({ length: dueShards }, (_, shard) => `${listing}#${shard.toString(16)}`);
}

export function duePartition(listing: DueListing, id: string): string {
  return `${listing}#${hexTail(id).toLowerCase()}`;
}

export function dueSortKey(atMs: number, id: string): string {
  return createdSortKey(atMs, id);
}

export function dueRow(listing: DueListing, id: string, at: number | string) {
  const atMs = typeof at === "number" ? at : Date.parse(at);
  return { due_pk: duePartition(listing, id), due_sk: dueSortKey(atMs, id) };
}

/** The sort key has the socket, so that the gateway can be asked for it without reading the connection. */
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

export function deletionMark(kind: DeletableKind, id: string, deletedAt: string) {
  return { deleted_at: deletedAt, ...dueRow(`DELETED#${kind}`, id, deletedAt) };
}

export function timestampOfSortKey(sortKey: string): number {
  return Number.parseInt(sortKey.slice(0, timestampDigits), 16);
}

/** A UUID of version 7 has as many digits for its timestamp. */
const timestampDigits = 12;

function hexTimestamp(ms: number): string {
  const bounded = Math.min(Math.max(Math.trunc(ms), 0), 2 ** 48 - 1);
  return bounded.toString(16).padStart(timestampDigits, "0");
}

/** The last digit of an id is random in a UUID of version 7. */
function hexTail(id: string): string {
  const tail = id.at(-1) ?? "0";
  return /[0-9a-f]/i.test(tail) ? tail : "0";
}

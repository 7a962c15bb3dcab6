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

/** Kinds of entities that are counted per organization. */
export type Counted = "MACHINE" | "CONNECTION" | "WORKFLOW" | "RUN" | "ATTACHMENT" | "POOL" | "TRAJECTORY";

/** Sort key of an item that is alone under its partition key. */
const alone = "#";

/** DynamoDB takes 2,048 bytes of a partition's key. */
const partCharactersMax = 1_024;

/** Encoded so that no id reaches into another partition: `#` separates, and never results from this. */
function part(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A UUID in 22 characters: an index has many rows, of 200 bytes at most. A text that a filter names may be longer than a
 * key.
 */
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

/** With which every partition of an organization begins. */
export function organizationPrefix(organizationId: OrganizationId): string {
  return inOrganization(organizationId, "");
}

/** Resources that users' requests change, by the part of the key that names the kind. */
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

/** Those of which all of an organization's are in one partition. */
export const listedTypes = {
  MODEL_CONFIGURATIONS: "model_configuration",
  PROMPT_IMAGES: "prompt_image",
  WEBHOOK_ENDPOINTS: "webhook_endpoint",
} as const;

export type Listed = keyof typeof listedTypes;

/** The resource whose own item has that key; undefined for what lies beside one, and for all else. */
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

/** The row that makes a fingerprint unique in its organization. */
export function fingerprintKey(organizationId: OrganizationId, fingerprint: string): Key {
  return { pk: inOrganization(organizationId, "FINGERPRINT", part(fingerprint)), sk: alone };
}

export function workflowKey(organizationId: OrganizationId, workflowId: string): Key {
  return { pk: inOrganization(organizationId, "WORKFLOW", part(workflowId)), sk: alone };
}

/** A workflow's earlier prompts are beside it, each under a UUID of version 7 of its own. */
export const versionRange = { from: "VERSION#", to: "VERSION#~" } as const;

export function workflowVersionKey(
  organizationId: OrganizationId,
  workflowId: string,
  versionId: string,
): Key {
  return { pk: workflowKey(organizationId, workflowId).pk, sk: `VERSION#${part(versionId)}` };
}

/** Beside its workflow: names the trajectory that its runs go by. */
export function mainTrajectoryKey(organizationId: OrganizationId, workflowId: string): Key {
  return { pk: workflowKey(organizationId, workflowId).pk, sk: "MAIN_TRAJECTORY" };
}

export function tagKey(organizationId: OrganizationId, tagId: string): Key {
  return { pk: inOrganization(organizationId, "TAG", part(tagId)), sk: alone };
}

/** A row for each workflow that has the tag. */
export const taggedRange = { from: "WORKFLOW#", to: "WORKFLOW#~" } as const;

export function taggedKey(organizationId: OrganizationId, tagId: string, workflowId: string): Key {
  return { pk: tagKey(organizationId, tagId).pk, sk: `WORKFLOW#${part(workflowId)}` };
}

export function tagGroupKey(organizationId: OrganizationId, groupId: string): Key {
  return { pk: inOrganization(organizationId, "TAG_GROUP", part(groupId)), sk: alone };
}

/** A row for each tag of the group, and for some that have left it. */
export const groupedRange = { from: "TAG#", to: "TAG#~" } as const;

export function groupedKey(organizationId: OrganizationId, groupId: string, tagId: string): Key {
  return { pk: tagGroupKey(organizationId, groupId).pk, sk: `TAG#${part(tagId)}` };
}

/** The row that makes a name unique in its organization. A digest, since names are long. */
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

/** A row for each machine of the pool. */
export const memberRange = { from: "MACHINE#", to: "MACHINE#~" } as const;

export function memberKey(organizationId: OrganizationId, poolId: string, machineId: string): Key {
  return { pk: poolKey(organizationId, poolId).pk, sk: `MACHINE#${part(machineId)}` };
}

export function providerCredentialKey(organizationId: OrganizationId, slot: string): Key {
  return { pk: inOrganization(organizationId, "PROVIDER", part(slot)), sk: alone };
}

/** Tokens on the platform's own keys on a day of UTC (`2026-01-31`). */
export function platformTokensKey(organizationId: OrganizationId, day: string): Key {
  return { pk: inOrganization(organizationId, "PLATFORM_TOKENS"), sk: part(day) };
}

function isListed(kind: string): kind is Listed {
  return Object.hasOwn(listedTypes, kind);
}

/** All of an organization's in one partition, in the order of their ids, so that one query lists them. */
export function listedPartition(organizationId: OrganizationId, listed: Listed): string {
  return inOrganization(organizationId, listed);
}

export function listedKey(organizationId: OrganizationId, listed: Listed, id: string): Key {
  return { pk: listedPartition(organizationId, listed), sk: `${listedRange.from}${part(id)}` };
}

/** Bounds of the sort keys of `listedKey`. */
export const listedRange = { from: "ID#", to: "ID#~" } as const;

/** How many there are: making one is conditional on it. */
export function listedCountKey(organizationId: OrganizationId, listed: Listed): Key {
  return { pk: listedPartition(organizationId, listed), sk: "COUNT" };
}

/** The row that makes a configuration's name unique. */
export function modelConfigurationNameKey(organizationId: OrganizationId, name: string): Key {
  return { pk: listedPartition(organizationId, "MODEL_CONFIGURATIONS"), sk: `NAME#${hashed(name)}` };
}

/** The place of an attempt in flight. */
export function webhookSlotKey(organizationId: OrganizationId, endpointId: string, slot: number): Key {
  return { pk: listedPartition(organizationId, "WEBHOOK_ENDPOINTS"), sk: `SLOT#${part(endpointId)}#${slot}` };
}

export function webhookDeliveryKey(organizationId: OrganizationId, deliveryId: string): Key {
  return { pk: inOrganization(organizationId, "WEBHOOK_DELIVERY", part(deliveryId)), sk: alone };
}

/** The message of an event, the same for all endpoints. */
export function webhookMessageKey(organizationId: OrganizationId, eventId: string): Key {
  return { pk: inOrganization(organizationId, "WEBHOOK_MESSAGE", part(eventId)), sk: alone };
}

export function connectionKey(organizationId: OrganizationId, connectionId: string): Key {
  return { pk: inOrganization(organizationId, "CONNECTION", part(connectionId)), sk: alone };
}

/** Beside its connection: the place of a call under way, or a call that needed none. */
export function callSlotKey(
  organizationId: OrganizationId,
  connectionId: string,
  slot: number | string,
): Key {
  return { pk: connectionKey(organizationId, connectionId).pk, sk: `SLOT#${part(String(slot))}` };
}

/** The organization's calls to desktops. */
export function callsUnderWayKey(organizationId: OrganizationId): Key {
  return { pk: inOrganization(organizationId, "CALLS"), sk: alone };
}

/** Marks that an expired connection has been subtracted from its organization's count. */
export function expiredConnectionKey(organizationId: OrganizationId, connectionId: string): Key {
  return { pk: inOrganization(organizationId, "CONNECTION", part(connectionId)), sk: "EXPIRED" };
}

export function runKey(organizationId: OrganizationId, runId: string): Key {
  return { pk: inOrganization(organizationId, "RUN", part(runId)), sk: alone };
}

/** Beside its run, so that a run's attachments can be read consistently. */
export function runAttachmentKey(organizationId: OrganizationId, runId: string, attachmentId: string): Key {
  return { pk: runKey(organizationId, runId).pk, sk: `ATTACHMENT#${part(attachmentId)}` };
}

/** Bounds of the sort keys of `runAttachmentKey`. */
export const runAttachmentRange = { from: "ATTACHMENT#", to: "ATTACHMENT#~" } as const;

/** Beside its run: the assignment that the service carries out. */
export function executionKey(organizationId: OrganizationId, runId: string): Key {
  return { pk: runKey(organizationId, runId).pk, sk: executionRange.from };
}

/** Beside its run: a step, by its index. */
export function stepKey(organizationId: OrganizationId, runId: string, index: number): Key {
  return { pk: runKey(organizationId, runId).pk, sk: `${stepRange.from}${String(index).padStart(6, "0")}` };
}

/** The organization's runs that the service carries out now. */
export function executionsKey(organizationId: OrganizationId): Key {
  return { pk: inOrganization(organizationId, "EXECUTIONS"), sk: alone };
}

/** Bounds of the sort keys of `stepKey`. */
export const stepRange = { from: "STEP#", to: "STEP#~" } as const;

/** Beside its run: what a step of an assignment has saved under a name. */
export function savedValueKey(
  organizationId: OrganizationId,
  runId: string,
  assignmentId: string,
  name: string,
): Key {
  return { pk: runKey(organizationId, runId).pk, sk: `EXECUTION#SAVED#${part(assignmentId)}#${part(name)}` };
}

/** Beside its run, behind its steps: how many a worker has. */
export function stepCountKey(organizationId: OrganizationId, runId: string): Key {
  return { pk: runKey(organizationId, runId).pk, sk: "STEPS" };
}

/** Bounds of the sort keys of all that executions and workers leave beside a run. */
export const carriedOutRange = { from: "EXECUTION", to: "STEPS" } as const;

/** Bounds of the sort keys of `executionKey` and `savedValueKey`. */
export const executionRange = { from: "EXECUTION", to: "EXECUTION#SAVED#~" } as const;

/** Beside its run: that the end of that attempt is counted. */
export function countedEndKey(organizationId: OrganizationId, runId: string, attempt: number): Key {
  return { pk: runKey(organizationId, runId).pk, sk: `COUNTED#${attempt}` };
}

export function usagePartition(organizationId: OrganizationId): string {
  return inOrganization(organizationId, "USAGE");
}

/** The usage of a day of UTC (`2026-01-31`), in shards as counters are. */
export function usageKey(organizationId: OrganizationId, day: string, runId: string): Key {
  return { pk: usagePartition(organizationId), sk: `${day}#${counterShardOf(runId)}` };
}

/** Beside it: what runs of that day used of a model. */
export function modelUsageKey(
  organizationId: OrganizationId,
  day: string,
  runId: string,
  { provider, model }: { readonly provider: string; readonly model: string },
): Key {
  const { pk, sk } = usageKey(organizationId, day, runId);
  return { pk, sk: `${sk}#${hashed(`${provider} ${model}`)}` };
}

/** Bounds of the sort keys of `usageKey` and `modelUsageKey`, both days included. */
export function usageRange(fromDay: string, toDay: string) {
  return { from: `${fromDay}#`, to: `${toDay}#~` };
}

/** The sensitive values of one request, and how many of its runs use them. */
export function runSecretKey(organizationId: OrganizationId, secretId: string): Key {
  return { pk: inOrganization(organizationId, "RUN_SECRET", part(secretId)), sk: alone };
}

export function sessionKey(organizationId: OrganizationId, sessionId: string): Key {
  return { pk: inOrganization(organizationId, "SESSION", part(sessionId)), sk: alone };
}

/**
 * A run's place in the queue of its target, priority first, then by age. Queues of machines and sessions are beside
 * their item, so that one query reads both.
 */
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

/** Bounds of the sort keys of `queueKey`; the item that they are beside sorts before them. */
export const queueRange = { from: "QUEUE#", to: "QUEUE#~" } as const;

/** The registry: a row for each set of pools that runs wait for. */
export function poolSetKey(organizationId: OrganizationId, poolIds: readonly string[]): Key {
  return { pk: poolSetPartition(organizationId), sk: poolSetName(poolIds) };
}

export function poolSetPartition(organizationId: OrganizationId): string {
  return inOrganization(organizationId, "POOL_SETS");
}

function poolSetName(poolIds: readonly string[]): string {
  return hashed([...new Set(poolIds)].sort().join(" "));
}

/** A machine that could take a run, among the organization's or a pool's. */
export function idleKey(organizationId: OrganizationId, poolId: string | undefined, machineId: string): Key {
  return { pk: idlePartition(organizationId, poolId), sk: part(machineId) };
}

export function idlePartition(organizationId: OrganizationId, poolId: string | undefined): string {
  return poolId === undefined
    ? inOrganization(organizationId, "IDLE")
    : inOrganization(organizationId, "IDLE", part(poolId));
}

/** The organization's work that a round of the matcher left. */
export function leftKey(organizationId: OrganizationId): Key {
  return { pk: inOrganization(organizationId, "LEFT"), sk: alone };
}

/** Beside its session: while it is there, no step of the chain begins. */
export function stoppedChainKey(organizationId: OrganizationId, sessionId: string, chainId: string): Key {
  return { pk: sessionKey(organizationId, sessionId).pk, sk: `STOPPED#${part(chainId)}` };
}

export function attachmentKey(organizationId: OrganizationId, attachmentId: string): Key {
  return { pk: inOrganization(organizationId, "ATTACHMENT", part(attachmentId)), sk: alone };
}

/** Beside an attachment that was created before its file. */
export function uploadKey(organizationId: OrganizationId, attachmentId: string): Key {
  return { pk: attachmentKey(organizationId, attachmentId).pk, sk: "UPLOAD" };
}

export function trajectoryKey(organizationId: OrganizationId, trajectoryId: string): Key {
  return { pk: inOrganization(organizationId, "TRAJECTORY", part(trajectoryId)), sk: alone };
}

/** Marks that a part of a request is done. */
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

/** The only partition with more than one row: the shards of one counter. */
export function counterPartition(organizationId: OrganizationId, counted: Counted): string {
  return inOrganization(organizationId, "COUNT", counted);
}

/** An entity always counts in the same shard, so that no shard falls below zero. */
export function counterKey(organizationId: OrganizationId, counted: Counted, entityId: string): Key {
  return { pk: counterPartition(organizationId, counted), sk: counterShardOf(entityId) };
}

/** By the last character, so that an entity's partition key serves as well as its id. */
export function counterShardOf(text: string): string {
  return String(Number.parseInt(hexTail(text), 16) % counterShards).padStart(2, "0");
}

export function idempotencyRecordKey(organizationId: OrganizationId, idempotencyId: string): Key {
  return { pk: inOrganization(organizationId, "IDEMPOTENCY", part(idempotencyId)), sk: alone };
}

/** Lines that are written once, and kept for days. */
export type LineKind = "AUDIT_EVENT" | "REQUEST_LOG";

export function lineKey(organizationId: OrganizationId, kind: LineKind, id: string): Key {
  return { pk: inOrganization(organizationId, kind, part(id)), sk: alone };
}

export function lineCountPartition(organizationId: OrganizationId, kind: LineKind): string {
  return inOrganization(organizationId, "COUNT", kind);
}

/** How many there are of a day of UTC (`2026-01-31`), in shards as counters are. */
export function lineCountKey(organizationId: OrganizationId, kind: LineKind, day: string, id: string): Key {
  return { pk: lineCountPartition(organizationId, kind), sk: `${day}#${counterShardOf(id)}` };
}

/** A key of the operator's program: no function writes one. An API key's id is known before its organization. */
export function apiKeyKey(keyId: string): Key {
  return { pk: `KEY#${part(keyId)}`, sk: alone };
}

/** A key that an organization made over the API. */
export function ownApiKeyKey(keyId: string): Key {
  return { pk: `OWN_KEY#${part(keyId)}`, sk: alone };
}

/** When a key was last used; apart from the key, which no function writes. */
export function keyUseKey(keyId: string): Key {
  return { pk: `KEY_USE#${part(keyId)}`, sk: alone };
}

/** That a revoked key's connections are still to be closed. */
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

/** The sweeper's position in a listing, across organizations. */
export function sweepCursorKey(listing: string): Key {
  return { pk: `SWEEP#${part(listing)}`, sk: alone };
}

/** Which table this is. */
export function tableIdKey(): Key {
  return { pk: "TABLE", sk: alone };
}

/** An item that never exists; reading it probes whether the table responds. */
export function probeKey(): Key {
  return { pk: "PROBE", sk: alone };
}

/**
 * Sort key of lists: the timestamp of creation and the random part of the id, as in a UUID of version 7. The timestamp
 * is the entity's own, so that a time range is a range of keys, exact to the millisecond.
 */
export function createdSortKey(createdAtMs: number, id: string): string {
  return hexTimestamp(createdAtMs) + id.replaceAll("-", "").slice(timestampDigits);
}

/** Bounds of `createdSortKey`, both ends included. */
export function createdRange(fromMs: number | undefined, toMs: number | undefined) {
  return {
    ...(fromMs === undefined ? {} : { from: hexTimestamp(fromMs) }),
    // Sorts after every hexadecimal digit.
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

/** Short, since each row of the index has them; within one index no two kinds share a partition. */
export const filterPartitions = {
  /** filter1 of machines. */
  machinesByStatus: (organizationId: OrganizationId, status: MachineStatus) =>
    inOrganization(organizationId, "MACHINE", status),
  /** filter2 of machines; a digest, since names may be longer than an index row should be. */
  machinesByName: (organizationId: OrganizationId, name: string) =>
    inOrganization(organizationId, "N", hashed(name)),
  /** filter1 of connections. */
  connectionsByMachine: (organizationId: OrganizationId, machineId: string) =>
    inOrganization(organizationId, "M", short(machineId)),
  /** filter2 of connections. */
  connectionsByStatus: (organizationId: OrganizationId, status: string) =>
    inOrganization(organizationId, "CONNECTION", status),
  /** filter1 of runs. */
  runsByWorkflow: (organizationId: OrganizationId, workflowId: string) =>
    inOrganization(organizationId, "RUN", "W", short(workflowId)),
  /** filter2 of runs. */
  runsByMachine: (organizationId: OrganizationId, machineId: string) =>
    inOrganization(organizationId, "RUN", "M", short(machineId)),
  /** filter3 of runs. */
  runsBySession: (organizationId: OrganizationId, sessionId: string) =>
    inOrganization(organizationId, "RUN", "S", short(sessionId)),
  /** filter4 of runs. */
  runsByStatus: (organizationId: OrganizationId, status: RunStatus) =>
    inOrganization(organizationId, "RUN", status),
  /** filter1 of attachments. */
  attachmentsByRun: (organizationId: OrganizationId, runId: string) =>
    inOrganization(organizationId, "R", short(runId)),
  /** filter2 of attachments. */
  attachmentsByType: (organizationId: OrganizationId, type: AttachmentType) =>
    inOrganization(organizationId, "ATTACHMENT", type),
  /** filter1 of trajectories. */
  trajectoriesByWorkflow: (organizationId: OrganizationId, workflowId: string) =>
    inOrganization(organizationId, "W", short(workflowId)),
  /** filter2 of trajectories: approved or not. */
  trajectoriesByApproval: (organizationId: OrganizationId, isApproved: boolean) =>
    inOrganization(organizationId, "TRAJECTORY", isApproved ? "approved" : "unapproved"),
  /** filter1 of audit events. */
  auditEventsByResource: (organizationId: OrganizationId, type: string, id: string) =>
    inOrganization(organizationId, "A", part(type), short(id)),
  /** filter2 of audit events. */
  auditEventsByActor: (organizationId: OrganizationId, principal: string) =>
    inOrganization(organizationId, "A", short(principal)),
  /** filter1 of the request log. */
  requestLogsByMachine: (organizationId: OrganizationId, machineId: string) =>
    inOrganization(organizationId, "L", short(machineId)),
  /** filter1 of webhook deliveries. */
  deliveriesByEndpoint: (organizationId: OrganizationId, endpointId: string) =>
    inOrganization(organizationId, "E", short(endpointId)),
  /** filter3 of connections, live ones only. Revoking a key knows no organization. */
  connectionsByKey: (keyId: string) => `KEY#${part(keyId)}#CONNECTION`,
} as const;

/**
 * Listings that the sweeper reads across organizations, each by the timestamp from which it is due: connections by when
 * they were opened, waiting runs, ended ones with a secret and the secrets themselves, open sessions by their last use,
 * executions by their next check, machines that have lost their connection or whose reservation is being cleared,
 * attachments that expire or whose upload is due, keys that are revoked or expire, and entities marked as deleted.
 */
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

/** One a shard. */
export function duePartitions(listing: DueListing): readonly string[] {
  return Array.from({ length: dueShards }, (_, shard) => `${listing}#${shard.toString(16)}`);
}

export function duePartition(listing: DueListing, id: string): string {
  return `${listing}#${hexTail(id).toLowerCase()}`;
}

/** Sort key of what is due: by timestamp. */
export function dueSortKey(atMs: number, id: string): string {
  return createdSortKey(atMs, id);
}

/** An item's place in the sweeper's index. */
export function dueRow(listing: DueListing, id: string, at: number | string) {
  const atMs = typeof at === "number" ? at : Date.parse(at);
  return { due_pk: duePartition(listing, id), due_sk: dueSortKey(atMs, id) };
}

/** A live connection's: with its socket, so that the gateway can be asked for it without reading the connection. */
export function liveRow(id: string, websocketId: string, openedAt: string) {
  const row = dueRow("LIVE", id, openedAt);
  return { ...row, due_sk: `${row.due_sk}#${websocketId}` };
}

/** Reads the place of a live connection from its row. */
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

/** Marks an entity as deleted, for the process that finishes the deletion. */
export function deletionMark(kind: DeletableKind, id: string, deletedAt: string) {
  return { deleted_at: deletedAt, ...dueRow(`DELETED#${kind}`, id, deletedAt) };
}

/** The timestamp in a sort key of lists or of what is due. */
export function timestampOfSortKey(sortKey: string): number {
  return Number.parseInt(sortKey.slice(0, timestampDigits), 16);
}

/** As many as a UUID of version 7 has for its timestamp. */
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

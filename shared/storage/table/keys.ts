import { uuidOfKeyId } from "../../domain/access/api-key.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { QueueEntry } from "../../domain/run/waiting/queue-entry.ts";
import type { Target } from "../../domain/run/waiting/target.ts";
import type { CallName } from "../../domain/tunnel/call-records.ts";
import type { WaitKind } from "../../domain/waiting-places/waiting-places.ts";
import { counterShards } from "../../vocabulary/table.ts";
import type { Item, Key } from "./item.ts";
import { createdSortKey, hashed, hexTail, hexTimestamp, inOrganization, part } from "./key-parts.ts";

/** Keys of one line abbreviate the organization's id to `o`. */
type Org = OrganizationId;

export type TagKind = "TAG" | "TAG_GROUP";
export type LimitedKind = TagKind | "SCHEDULE";
export type Counted = "MACHINE" | "CONNECTION" | "WORKFLOW" | "RUN" | "ATTACHMENT" | "POOL" | "TRAJECTORY";

const alone = "#";

function entityKey(organizationId: Org, kind: string, id: string): Key {
  return { pk: inOrganization(organizationId, kind, part(id)), sk: alone };
}

function globalKey(kind: string, id: string): Key {
  return { pk: `${kind}#${part(id)}`, sk: alone };
}

function beside({ pk }: Key, sk: string): Key {
  return { pk, sk };
}

function digits(number: number, width: number): string {
  return String(number).padStart(width, "0");
}

/** The key of the entity whose row lies beside it. */
export function keyBesideWhich({ pk }: Item): Key {
  return { pk: String(pk), sk: alone };
}

export function organizationPrefix(organizationId: Org): string {
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
  RECORDING: "recording",
  SCHEDULE: "schedule",
  CONNECTION: "connection",
  PROVIDER: "provider_credential",
  WEBHOOK_DELIVERY: "webhook_delivery",
  SETTING: "setting",
};

/** An organization's rows of these kinds share one partition. */
export const listedTypes = {
  MODEL_CONFIGURATIONS: "model_configuration",
  PROMPT_IMAGES: "prompt_image",
  WEBHOOK_ENDPOINTS: "webhook_endpoint",
} as const;

export type Listed = keyof typeof listedTypes;

/** Returns undefined for items beside a resource, and for all others. */
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

function isListed(kind: string): kind is Listed {
  return Object.hasOwn(listedTypes, kind);
}

export const machineKey = (o: Org, id: string) => entityKey(o, "MACHINE", id);
export const fingerprintKey = (o: Org, fingerprint: string) => entityKey(o, "FINGERPRINT", fingerprint);

export const workflowKey = (o: Org, id: string) => entityKey(o, "WORKFLOW", id);
export const versionRange = { from: "VERSION#", to: "VERSION#~" } as const;
export const workflowVersionKey = (o: Org, workflowId: string, versionId: string) =>
  beside(workflowKey(o, workflowId), `VERSION#${part(versionId)}`);
export const mainTrajectoryKey = (o: Org, workflowId: string) =>
  beside(workflowKey(o, workflowId), "MAIN_TRAJECTORY");

export const tagKey = (o: Org, id: string) => entityKey(o, "TAG", id);
export const taggedRange = { from: "WORKFLOW#", to: "WORKFLOW#~" } as const;
export const taggedKey = (o: Org, tagId: string, workflowId: string) =>
  beside(tagKey(o, tagId), `WORKFLOW#${part(workflowId)}`);

export const tagGroupKey = (o: Org, id: string) => entityKey(o, "TAG_GROUP", id);
/** Some tags that have left the group still have a row. */
export const groupedRange = { from: "TAG#", to: "TAG#~" } as const;
export const groupedKey = (o: Org, groupId: string, tagId: string) =>
  beside(tagGroupKey(o, groupId), `TAG#${part(tagId)}`);

/** Names are long, so a digest replaces them. */
export const nameKey = (o: Org, kind: TagKind | "POOL", name: string) =>
  entityKey(o, `${kind}_NAME`, hashed(name));
/** The limit is one row without shards, because a creation is conditional on the number. */
export const limitKey = (o: Org, kind: LimitedKind) => entityKey(o, "LIMIT", kind);

export const poolKey = (o: Org, id: string) => entityKey(o, "POOL", id);
export const memberRange = { from: "MACHINE#", to: "MACHINE#~" } as const;
export const memberKey = (o: Org, poolId: string, machineId: string) =>
  beside(poolKey(o, poolId), `MACHINE#${part(machineId)}`);

/** One that an organization has once. */
export const settingKey = (o: Org, setting: string) => entityKey(o, "SETTING", setting);

export const providerCredentialKey = (o: Org, slot: string) => entityKey(o, "PROVIDER", slot);
/** A day is of UTC, such as `2026-01-31`. */
export function platformTokensKey(organizationId: Org, day: string): Key {
  return { pk: inOrganization(organizationId, "PLATFORM_TOKENS"), sk: part(day) };
}

/** One query lists all items of an organization, in the order of their ids. */
export const listedPartition = (o: Org, listed: Listed) => inOrganization(o, listed);
export const listedRange = { from: "ID#", to: "ID#~" } as const;
export function listedKey(organizationId: Org, listed: Listed, id: string): Key {
  return { pk: listedPartition(organizationId, listed), sk: `${listedRange.from}${part(id)}` };
}
export function listedCountKey(organizationId: Org, listed: Listed): Key {
  return { pk: listedPartition(organizationId, listed), sk: "COUNT" };
}
export function modelConfigurationNameKey(organizationId: Org, name: string): Key {
  return { pk: listedPartition(organizationId, "MODEL_CONFIGURATIONS"), sk: `NAME#${hashed(name)}` };
}
export function webhookSendsKey(organizationId: Org): Key {
  return { pk: inOrganization(organizationId, "WEBHOOK_SENDS"), sk: alone };
}
/** An endpoint's rows begin with the oldest delivery. */
export function waitingSendKey(of: {
  readonly organizationId: Org;
  readonly endpointId: string;
  readonly deliveryId: string;
  readonly round: number;
  readonly number: number;
}): Key {
  const last = `${part(of.deliveryId)}#${of.round}#${of.number}`;
  return beside(webhookSendsKey(of.organizationId), `${waitingSendRange(of.endpointId).from}${last}`);
}
export function waitingSendRange(endpointId: string) {
  const from = `WAITING#${part(endpointId)}#`;
  return { from, to: `${from}~` };
}
export const webhookDeliveryKey = (o: Org, id: string) => entityKey(o, "WEBHOOK_DELIVERY", id);
export const webhookMessageKey = (o: Org, eventId: string) => entityKey(o, "WEBHOOK_MESSAGE", eventId);

export const connectionKey = (o: Org, id: string) => entityKey(o, "CONNECTION", id);
export const expiredConnectionKey = (o: Org, connectionId: string) =>
  beside(connectionKey(o, connectionId), "EXPIRED");
/** The calls of an organization end in one partition, so that one batch of the stream has many of them. */
const inCallSlots = (o: Org, connectionId: string, name: string): Key => ({
  pk: inOrganization(o, "CALL_SLOTS"),
  sk: `${part(connectionId)}#${part(name)}`,
});
export const callSlotKey = (o: Org, connectionId: string, slot: number) =>
  inCallSlots(o, connectionId, String(slot));
export const callRecordKey = ({ organizationId, connectionId, requestId }: CallName) =>
  inCallSlots(organizationId, connectionId, requestId);
/** Functions of the release before take slots beside the connection: goes with the next release. */
export const formerCallSlotKey = (o: Org, connectionId: string, slot: number) =>
  beside(connectionKey(o, connectionId), `SLOT#${part(String(slot))}`);
export function callsUnderWayKey(organizationId: Org): Key {
  return { pk: inOrganization(organizationId, "CALLS"), sk: alone };
}

const waitsPartition = { run: "WAITS", look: "LOOKS" } as const satisfies Record<WaitKind, string>;

export function waitsKey(organizationId: Org, kind: WaitKind): Key {
  return { pk: inOrganization(organizationId, waitsPartition[kind]), sk: alone };
}
/** The places of all organizations together. */
export const waitsShardKey = (shard: number, kind: WaitKind) =>
  globalKey(waitsPartition[kind], digits(shard, 4));

export const runKey = (o: Org, id: string) => entityKey(o, "RUN", id);
/** Attachments are beside their run, so that they can be read consistently. */
export const runAttachmentKey = (o: Org, runId: string, attachmentId: string) =>
  beside(runKey(o, runId), `ATTACHMENT#${part(attachmentId)}`);
export const runAttachmentRange = { from: "ATTACHMENT#", to: "ATTACHMENT#~" } as const;

/** The row has the run in the indexes of metadata; its sort key is short, because each of them has it. */
export const runMetadataKey = (o: Org, runId: string) => beside(runKey(o, runId), "BY_KEYS");

export const executionKey = (o: Org, runId: string) => beside(runKey(o, runId), executionRange.from);
export const savedValueKey = (o: Org, runId: string, assignmentId: string, name: string) =>
  beside(runKey(o, runId), `EXECUTION#SAVED#${part(assignmentId)}#${part(name)}`);
export const executionRange = { from: "EXECUTION", to: "EXECUTION#SAVED#~" } as const;
export function executionsKey(organizationId: Org): Key {
  return { pk: inOrganization(organizationId, "EXECUTIONS"), sk: alone };
}
/** The executions of all organizations together. */
export const serviceExecutionsKey = (shard: number) => globalKey("EXECUTIONS", digits(shard, 2));
/** One query reads all organizations in the line. */
export const serviceLinePartition = () => "EXECUTIONS_LINE";
export const serviceLineKey = (o: Org): Key => ({ pk: serviceLinePartition(), sk: part(o) });

export const stepKey = (o: Org, runId: string, index: number) =>
  beside(runKey(o, runId), `${stepRange.from}${digits(index, 6)}`);
export const stepRange = { from: "STEP#", to: "STEP#~" } as const;
/** The row sorts behind the steps. */
export const stepCountKey = (o: Org, runId: string) => beside(runKey(o, runId), "STEPS");
/** The items that executions and workers leave beside a run sort between these. */
export const carriedOutRange = { from: "EXECUTION", to: "STEPS" } as const;
export const countedEndKey = (o: Org, runId: string, attempt: number) =>
  beside(runKey(o, runId), `COUNTED#${attempt}`);

export const usagePartition = (o: Org) => inOrganization(o, "USAGE");
export function usageKey(organizationId: Org, day: string, runId: string): Key {
  return { pk: usagePartition(organizationId), sk: `${day}#${counterShardOf(runId)}` };
}
export function modelUsageKey(
  organizationId: Org,
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

export const runSecretKey = (o: Org, secretId: string) => entityKey(o, "RUN_SECRET", secretId);
export const sessionKey = (o: Org, id: string) => entityKey(o, "SESSION", id);
export const stoppedChainKey = (o: Org, sessionId: string, chainId: string) =>
  beside(sessionKey(o, sessionId), `STOPPED#${part(chainId)}`);

/** Priority comes first, then age. Queues of machines and sessions are beside their item: one query reads both. */
export function queueKey(
  { organizationId, target, isPriority, queuedAtMs }: Omit<QueueEntry, "waiting">,
  id: string,
): Key {
  return {
    pk: queuePartition(organizationId, target),
    sk: `${queueRange.from}${isPriority ? 0 : 1}${createdSortKey(queuedAtMs, id)}`,
  };
}

export function queuePartition(organizationId: Org, target: Target): string {
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

/** The item beside a queue sorts before it. */
export const queueRange = { from: "QUEUE#", to: "QUEUE#~" } as const;

export const poolSetPartition = (o: Org) => inOrganization(o, "POOL_SETS");
export function poolSetKey(organizationId: Org, poolIds: readonly string[]): Key {
  return { pk: poolSetPartition(organizationId), sk: poolSetName(poolIds) };
}

function poolSetName(poolIds: readonly string[]): string {
  return hashed([...new Set(poolIds)].sort().join(" "));
}

export function idlePartition(organizationId: Org, poolId: string | undefined): string {
  return inOrganization(organizationId, "IDLE", ...(poolId === undefined ? [] : [part(poolId)]));
}
export function idleKey(organizationId: Org, poolId: string | undefined, machineId: string): Key {
  return { pk: idlePartition(organizationId, poolId), sk: part(machineId) };
}
export function leftKey(organizationId: Org): Key {
  return { pk: inOrganization(organizationId, "LEFT"), sk: alone };
}

export const attachmentKey = (o: Org, id: string) => entityKey(o, "ATTACHMENT", id);
export const uploadKey = (o: Org, attachmentId: string) => beside(attachmentKey(o, attachmentId), "UPLOAD");
export const recordingKey = (o: Org, id: string) => entityKey(o, "RECORDING", id);
export const recordedStepKey = (o: Org, recordingId: string, index: number) =>
  beside(recordingKey(o, recordingId), `${stepRange.from}${digits(index, 6)}`);
export const recordedCallKey = (o: Org, recordingId: string, callId: string) =>
  beside(recordingKey(o, recordingId), `CALL#${part(callId)}`);
/** The rows beside a recording sort between these. */
export const recordedRange = { from: "CALL#", to: stepRange.to } as const;

export const scheduleKey = (o: Org, id: string) => entityKey(o, "SCHEDULE", id);

export const trajectoryKey = (o: Org, id: string) => entityKey(o, "TRAJECTORY", id);

export const idempotencyRecordKey = (o: Org, id: string) => entityKey(o, "IDEMPOTENCY", id);
export const requestPartKey = (o: Org, idempotencyId: string, partNumber: number) =>
  beside(idempotencyRecordKey(o, idempotencyId), `PART#${digits(partNumber, 4)}`);

export const counterPartition = (o: Org, counted: Counted) => inOrganization(o, "COUNT", counted);
/** An entity always counts in the same shard, so that no shard falls below zero. */
export function counterKey(organizationId: Org, counted: Counted, entityId: string): Key {
  return { pk: counterPartition(organizationId, counted), sk: counterShardOf(entityId) };
}
/** The last character decides, so that an entity's partition key serves as well as its id. */
export function counterShardOf(text: string): string {
  return digits(Number.parseInt(hexTail(text), 16) % counterShards, 2);
}

export const auditEventKey = (o: Org, id: string) => entityKey(o, "AUDIT_EVENT", id);
export const auditCountPartition = (o: Org) => inOrganization(o, "COUNT", "AUDIT_EVENT");
export const auditCountKey = (o: Org, day: string, id: string): Key => ({
  pk: auditCountPartition(o),
  sk: `${day}#${counterShardOf(id)}`,
});

export const requestLogPartition = (o: Org) => inOrganization(o, "REQUEST_LOG");
/** @param place counts from 0 each day. */
export const logSegmentKey = (o: Org, day: string, place: number): Key => ({
  pk: requestLogPartition(o),
  sk: `SEGMENT#${day}#${digits(place, 8)}`,
});
export function logSegmentPlace(sortKey: string): { readonly day: string; readonly place: number } {
  const [, day = "", place] = sortKey.split("#");
  return { day, place: Number(place) };
}
/** Both days are included; `:` sorts after every digit. */
export const logSegmentRange = (fromDay: string, toDay?: string) => ({
  from: `SEGMENT#${fromDay}#`,
  to: toDay === undefined ? "SEGMENT#:" : `SEGMENT#${toDay}#:`,
});
export const lateLineKey = (o: Org, createdAtMs: number, id: string): Key => ({
  pk: requestLogPartition(o),
  sk: `LATE#${createdSortKey(createdAtMs, id)}`,
});
/** Both ends are included; `g` sorts after every hexadecimal digit. */
export const lateLineRange = (fromMs: number, toMs?: number) => ({
  from: `LATE#${hexTimestamp(fromMs)}`,
  to: toMs === undefined ? "LATE#g" : `LATE#${hexTimestamp(toMs)}g`,
});

/** No function writes these keys; the operator's program does. */
export const apiKeyKey = (keyId: string) => globalKey("KEY", keyId);
export const ownApiKeyKey = (keyId: string) => globalKey("OWN_KEY", keyId);
/** The use is separate from the key, which no function writes. */
export const keyUseKey = (keyId: string) => globalKey("KEY_USE", keyId);
export const revocationKey = (keyId: string) => globalKey("REVOKED", keyId);
/** API Gateway names a socket only by its id. */
export const socketKey = (websocketId: string) => globalKey("SOCKET", websocketId);
/** A ticket is redeemed before its organization is known. */
export const ticketKey = (tokenId: string) => globalKey("TICKET", tokenId);

/** An organization's places for viewers are in one partition, which one query reads. */
export const viewerPartition = (o: Org) => inOrganization(o, "VIEWERS");
export const viewerRange = { from: "VIEWER#", to: "VIEWER#~" } as const;
export const viewerKey = (o: Org, place: number): Key => ({
  pk: viewerPartition(o),
  sk: `${viewerRange.from}${digits(place, 2)}`,
});
export const hintsKey = (o: Org): Key => ({ pk: viewerPartition(o), sk: "HINTS" });
export const viewerSocketKey = (websocketId: string) => globalKey("VIEWER_SOCKET", websocketId);
export const liveTicketKey = (digest: string) => globalKey("LIVE_TICKET", digest);
/** Addresses have no organization. */
export function rateKey(bucketName: string, window: number): Key {
  return { pk: `RATE#${part(bucketName)}#${window}`, sk: alone };
}

/** A mailbox belongs to one invocation; its name is random and authenticated by a MAC. */
export const mailboxPartition = (mailbox: string) => `MAILBOX#${part(mailbox)}`;
export function mailboxKey(mailbox: string, websocketId: string, requestId: string, partNumber: number): Key {
  return {
    pk: mailboxPartition(mailbox),
    sk: `${part(websocketId)}#${part(requestId)}#${digits(partNumber, 4)}`,
  };
}

export const sweepCursorKey = (listing: string) => globalKey("SWEEP", listing);
export const tableIdKey = (): Key => ({ pk: "TABLE", sk: alone });
/** The item never exists; reading it shows whether the table responds. */
export const probeKey = (): Key => ({ pk: "PROBE", sk: alone });

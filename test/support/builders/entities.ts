import { randomUUID } from "node:crypto";
import { v7 } from "uuid";
import type { ApiKey } from "../../../shared/domain/access/api-key.ts";
import type { Attachment } from "../../../shared/domain/attachment/attachment.ts";
import type { Actor, AuditEvent } from "../../../shared/domain/audit/act.ts";
import type { RequestLog } from "../../../shared/domain/audit/request-log.ts";
import type { Connection } from "../../../shared/domain/connection/connection.ts";
import type { Recording } from "../../../shared/domain/demonstration/recording.ts";
import type { Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import { type OrganizationId, organizationIdOf } from "../../../shared/domain/organization-id.ts";
import type { Pool } from "../../../shared/domain/pool/pool.ts";
import { noMetadata, type ProviderCredential } from "../../../shared/domain/provider/provider-credential.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { noOverrides } from "../../../shared/domain/run/run-overrides.ts";
import type { NewSecret } from "../../../shared/domain/run/run-store.ts";
import type { SecretValues } from "../../../shared/domain/secret-store.ts";
import type { Session } from "../../../shared/domain/session/session.ts";
import type { DesktopCall } from "../../../shared/domain/tunnel/call-records.ts";

/** A fresh organization, so that no test sees another's rows. */
export function anOrganization(): OrganizationId {
  return organizationIdOf(`org_${randomUUID().replaceAll("-", "")}`);
}

export function newEntity(fields: { readonly id?: string; readonly createdAt?: string }) {
  const id = fields.id ?? v7();
  const createdAt = fields.createdAt ?? timestampOf(id);
  return { id, organizationId: anOrganization(), createdAt, updatedAt: createdAt, revision: 1 };
}

export function anActor(principal = "p"): Actor {
  return { kind: "api_key", principal, userId: randomUUID(), address: "192.0.2.7" };
}

export function anAuditEvent(fields: Partial<AuditEvent> = {}): AuditEvent {
  const id = fields.id ?? v7();
  return {
    id,
    organizationId: anOrganization(),
    createdAt: timestampOf(id),
    actor: anActor(),
    operation: "updateMachine",
    resourceType: "machine",
    resourceId: v7(),
    requestId: "asked",
    ...fields,
  };
}

export function aRequestLog(fields: Partial<RequestLog> = {}): RequestLog {
  const { createdAt: begun } = fields;
  const id = fields.id ?? v7(begun === undefined ? {} : { msecs: Date.parse(begun) });
  const createdAt = begun ?? timestampOf(id);
  return {
    id,
    organizationId: anOrganization(),
    machineId: v7(),
    requestId: "asked",
    actor: anActor(),
    method: "POST",
    path: "/computer/input/mouse/scroll",
    statusCode: 200,
    errorCode: null,
    createdAt,
    completedAt: createdAt,
    durationMs: 0,
    requestBytes: 30,
    responseBytes: 2,
    ...fields,
  };
}

export function aDesktopCall(fields: Partial<DesktopCall> = {}): DesktopCall {
  return {
    organizationId: anOrganization(),
    machineId: v7(),
    connectionId: v7(),
    requestId: v7(),
    callerRequestId: "asked",
    actor: anActor(),
    method: "GET",
    path: "/computer/display/dimensions",
    requestBytes: 0,
    takenAtMs: Date.parse("2026-01-15T12:00:00.000Z"),
    ...fields,
  };
}

export function aMachine(fields: Partial<Machine> = {}): Machine {
  const id = fields.id ?? v7();
  const createdAt = fields.createdAt ?? timestampOf(id);
  return {
    id,
    organizationId: anOrganization(),
    userId: randomUUID(),
    fingerprint: randomUUID(),
    keyServiceKeyId: "",
    name: "",
    version: "",
    hostname: "",
    osInfo: "",
    capabilities: [],
    programs: [],
    isAvailable: true,
    alertsEnabled: false,
    outOfService: false,
    createdAt,
    lastSeen: createdAt,
    parameters: {},
    metadata: {},
    sensitiveAliases: [],
    secretName: null,
    secretDigest: null,
    pendingSecretDigest: null,
    reservedSessionId: null,
    clearingSince: null,
    linkedKeepaliveMachineId: null,
    currentRunId: null,
    held: null,
    poolIds: [],
    connection: null,
    disconnectedAt: null,
    deletedAt: null,
    revision: 1,
    edition: 0,
    ...fields,
  };
}

export function aRun(fields: Partial<Run> = {}): Run {
  const id = fields.id ?? v7();
  return {
    id,
    organizationId: anOrganization(),
    userId: randomUUID(),
    workflowId: v7(),
    machineId: null,
    namedMachineId: fields.machineId ?? null,
    poolIds: [],
    status: "scheduling",
    held: null,
    inputValues: {},
    sensitiveAliases: [],
    inheritedSecrets: {},
    inheritedNames: [],
    triedMachineId: null,
    serviceShard: null,
    secretId: null,
    outputData: null,
    runMessageHistory: null,
    error: [],
    errorCode: null,
    attempt: 1,
    metadata: {},
    executor: "worker",
    isWebhooksEnabled: false,
    overrides: noOverrides,
    trajectoryId: null,
    dryRunUntil: null,
    scheduleId: null,
    usageMetadata: null,
    modelTokens: [],
    assignmentId: null,
    isPriority: false,
    sessionId: null,
    sessionAlias: null,
    releaseSessionAfter: false,
    chainId: null,
    chainStep: null,
    chainRunIds: {},
    chainKeepsSession: false,
    continueOnFailure: false,
    inputAttachmentIds: [],
    outputAttachmentIds: [],
    createdAt: timestampOf(id),
    queuedAt: timestampOf(id),
    startedAt: null,
    endedAt: null,
    deletedAt: null,
    revision: 1,
    ...fields,
  };
}

/** The secret of runs that share it: a value for each alias, unless others are given. */
export function secretOf(runs: readonly Run[], values?: SecretValues): NewSecret | undefined {
  const id = runs.find(({ secretId }) => secretId !== null)?.secretId ?? null;
  const aliases = runs.flatMap(({ sensitiveAliases }) => sensitiveAliases);
  const own = Object.fromEntries(aliases.map((alias) => [alias, `the ${alias}`]));
  return id === null ? undefined : { id, values: values ?? own };
}

export function aPool(fields: Partial<Pool> = {}): Pool {
  return {
    ...newEntity(fields),
    name: `pool ${randomUUID()}`,
    description: "",
    parameters: {},
    sensitiveAliases: [],
    secretName: null,
    machineCount: 0,
    deletedAt: null,
    edition: 0,
    ...fields,
  };
}

export function aRecording(fields: Partial<Recording> = {}): Recording {
  return {
    id: v7(),
    organizationId: anOrganization(),
    userId: v7(),
    machineId: v7(),
    workflowId: null,
    by: { kind: "key", id: v7() },
    status: "recording",
    until: "2026-01-15T12:30:00.000Z",
    elementCount: 0,
    lastIndex: 0,
    lastPicture: null,
    painted: [],
    inputValues: {},
    trajectoryId: null,
    createdAt: "2026-01-15T12:00:00.000Z",
    revision: 1,
    ...fields,
  };
}

export function aSession(fields: Partial<Session> & Pick<Session, "organizationId">): Session {
  const createdAt = "2026-01-15T11:00:00.000Z";
  return {
    id: v7(),
    status: "pending",
    machineId: null,
    poolIds: [],
    isPriority: false,
    createdAt,
    usedAt: createdAt,
    ...fields,
  };
}

export function aCredential(fields: Partial<ProviderCredential> = {}): ProviderCredential {
  const createdAt = "2026-01-15T12:00:00.000Z";
  return {
    organizationId: anOrganization(),
    slot: "anthropic",
    status: "active",
    authType: "api_key",
    metadata: { ...noMetadata, keyLast4: "abcd" },
    secretName: "das/main/org/provider/anthropic/0190b5a0-0000-7000-8000-000000000001",
    lastError: null,
    activatedAt: createdAt,
    lastValidatedAt: null,
    createdAt,
    updatedAt: createdAt,
    revision: 1,
    ...fields,
  };
}

export function anAttachment(fields: Partial<Attachment> = {}): Attachment {
  return {
    ...newEntity(fields),
    userId: randomUUID(),
    runId: v7(),
    type: "output",
    filename: "report.csv",
    contentType: "text/csv",
    sizeBytes: 3,
    targetPath: null,
    cleanupImportsAfterRun: false,
    expiresAt: null,
    deletedAt: null,
    ...fields,
  };
}

export function aConnection(machine: Machine, fields: Partial<Connection> = {}): Connection {
  const id = fields.id ?? v7();
  return {
    id,
    organizationId: machine.organizationId,
    machineId: machine.id,
    websocketId: `${randomUUID().slice(0, 12)}=`,
    // One key for all connections of a machine, since a machine is bound to its first.
    keyId: machine.keyServiceKeyId || machine.id.replaceAll("-", ""),
    host: "api/live/us-east-1",
    status: "pending",
    connectedAt: timestampOf(id),
    disconnectedAt: null,
    lastPing: timestampOf(id),
    ipAddress: "192.0.2.7",
    userAgent: "driver/1.0",
    remotePeerId: "",
    shownSecretDigest: null,
    supersededAddress: null,
    facts: {},
    keepaliveForMachineId: null,
    ...fields,
  };
}

export function anIdempotency(
  organizationId: OrganizationId,
  fields: Partial<Idempotency> = {},
): Idempotency {
  return {
    organizationId,
    id: randomUUID(),
    bodyMac: "k1.mac-of-the-body",
    owner: randomUUID(),
    leased: false,
    repeat: false,
    ids: [v7(), v7(), v7()],
    ...fields,
  };
}

export function anApiKey(fields: Partial<ApiKey> = {}): ApiKey {
  const id = v7();
  return {
    id: id.replaceAll("-", ""),
    organizationId: anOrganization(),
    userId: randomUUID(),
    name: "a key",
    scopes: ["read", "write"],
    secretDigest: "0".repeat(64),
    createdAt: timestampOf(id),
    revokedAt: null,
    expiresAt: null,
    last4: "wxyz",
    ...fields,
  };
}

export function timestampOf(id: string): string {
  return new Date(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toISOString();
}

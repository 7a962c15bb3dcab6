import { ownKeyIdOf } from "../../../shared/domain/access/api-key.ts";
import { holdOf } from "../../../shared/domain/demonstration/recording-deps.ts";
import type { Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import type { QueuedEntry, QueuedRun } from "../../../shared/domain/matching/match-store.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { isRunEntry } from "../../../shared/domain/run/waiting/queue-entry.ts";
import type { Session } from "../../../shared/domain/session/session.ts";
import { firstAttempt } from "../../../shared/domain/webhook/delivery/queue-delivery.ts";
import { sendOf } from "../../../shared/domain/webhook/delivery/sends.ts";
import {
  executionPlaceOf,
  placeAdded,
  placesGivenBack,
} from "../../../shared/storage/execution/service-executions.ts";
import { DynamoServicePlaces } from "../../../shared/storage/matching/dynamo-service-places.ts";
import { scheduleRow } from "../../../shared/storage/schedule/schedule-item.ts";
import { scheduleKey } from "../../../shared/storage/table/keys.ts";
import {
  aConnection,
  aDesktopCall,
  aMachine,
  anActor,
  anApiKey,
  anAttachment,
  anAuditEvent,
  aPool,
  aRecording,
  aRequestLog,
  aRun,
  secretOf,
} from "../../support/builders/entities.ts";
import { aSchedule } from "../../support/builders/schedules.ts";
import { aStep } from "../../support/builders/steps.ts";
import { aTrajectory } from "../../support/builders/trajectories.ts";
import { aDelivery, aWebhookEndpoint } from "../../support/builders/webhooks.ts";
import {
  aModelConfiguration,
  aPromptImage,
  aTag,
  aTagGroup,
  aVersion,
  aWorkflow,
} from "../../support/builders/workflows.ts";
import type { StoresOnModel as Stores } from "../../support/stores/model-stores.ts";

export const startMs = Date.UTC(2026, 0, 15, 12);
export const organizationId = organizationIdOf("org_fixture");

export function id(number: number): string {
  const time = startMs.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, "0")}`;
}

const own = { organizationId, userId: id(1) };
const digest = "0".repeat(64);
const secret = (name: string) => `das/fixture/${organizationId}/${name}`;
const key = anApiKey({
  ...own,
  id: "fixture1",
  name: "the office's",
  secretDigest: digest,
  createdAt: isoAt(0),
});
const workflow = aWorkflow({
  ...own,
  id: id(10),
  name: "Book a delivery",
  inputSchema: { type: "object", properties: { count: { type: "integer" } } },
  outputSchema: { type: "object" },
  includesFileExports: true,
  isWebhooksEnabled: true,
  metadata: { team: "shop" },
  modelMetadata: { provider: "anthropic", model: "model-fixture" },
});
const modelConfiguration = aModelConfiguration({
  organizationId,
  id: id(13),
  name: "Careful",
  description: "Thinks first.",
  temperature: 0.5,
  maxOutputTokens: 8_192,
  timeoutSeconds: 300,
  additionalParams: { effort: "high" },
});
const webhookEndpoint = aWebhookEndpoint({
  organizationId,
  id: id(701),
  description: "ours",
  eventTypes: ["run.complete"],
  isEnabled: false,
  disabledReason: "failing",
  secretName: secret("webhook"),
  previousSecretUntil: isoAt(60),
  failingSince: isoAt(1),
  timeouts: 3,
});
const bareEndpoint = aWebhookEndpoint({ organizationId, id: id(702), secretName: secret("webhook") });
const webhookDelivery = aDelivery(webhookEndpoint, {
  id: id(703),
  eventId: id(705),
  nextAttemptAt: isoAt(60),
  attempts: [{ attemptedAt: isoAt(0), statusCode: null, error: "timeout", durationMs: 15_000 }],
});
const bareConfiguration = aModelConfiguration({ organizationId, id: id(14), name: "Plain" });
const bareWorkflow = aWorkflow({ ...own, id: id(11) });
const modelWorkflow = aWorkflow({
  ...own,
  id: id(15),
  modelConfigurationId: modelConfiguration.id,
  fallbackModelConfigurationIds: [bareConfiguration.id],
  maxTokens: 100_000,
});
const pool = aPool({
  organizationId,
  id: id(20),
  name: "Front desks",
  description: "At the entrance.",
  parameters: { shop: "north" },
  sensitiveAliases: ["pin"],
  secretName: secret("pool"),
});
const barePool = aPool({ organizationId, id: id(21), name: "Others" });
const machine = aMachine({
  ...own,
  id: id(30),
  fingerprint: id(31),
  name: "Front desk",
  version: "1.0.0",
  hostname: "desk-7",
  osInfo: "linux x64",
  alertsEnabled: true,
  parameters: { desk: 7 },
  metadata: { floor: "2" },
  sensitiveAliases: ["password"],
  secretName: secret("machine"),
});
const bareMachine = aMachine({ ...own, id: id(32), fingerprint: id(33) });
const connection = aConnection(machine, {
  id: id(40),
  websocketId: "Fixture1=",
  keyId: key.id,
  remotePeerId: "peer-fixture",
  facts: { name: "Front desk", hostname: "desk-7", osInfo: "linux x64", version: "1.0.0" },
  keepaliveForMachineId: bareMachine.id,
});
const bareConnection = aConnection(bareMachine, { id: id(41), websocketId: "Fixture2=", keyId: key.id });
const takenMachine = aMachine({ ...own, id: id(33), fingerprint: id(34) });
const takenConnection = aConnection(takenMachine, { id: id(43), websocketId: "Fixture3=", keyId: key.id });
const takingConnection = aConnection(takenMachine, {
  id: id(44),
  websocketId: "Fixture4=",
  keyId: key.id,
  ipAddress: "198.51.100.7",
  shownSecretDigest: digest,
});
const group = aTagGroup({
  organizationId,
  id: id(50),
  name: "Stages",
  description: "One of them.",
  emoji: "🚚",
  color: "#112233",
  order: 1,
});
const bareGroup = aTagGroup({ organizationId, id: id(51), name: "More" });
const tag = aTag({ ...group, id: id(52), name: "Live", groupId: group.id });
const bareTag = aTag({ organizationId, id: id(53), name: "New" });
const trajectory = aTrajectory({
  ...own,
  id: id(60),
  workflowId: workflow.id,
  name: "First try",
  description: "By hand.",
  dimensions: { width: 1280, height: 800 },
  isApproved: true,
  hasBeenApproved: true,
  verifiedAt: isoAt(1),
  isGenerated: true,
  runId: id(80),
  originalInputValues: { count: 3 },
  data: { kind: "object", key: "spill/fixture", bytes: 9_000, head: '[{"action":"click"' },
  screens: { kind: "inline", value: { expect: [], checks: [{ kind: "file", path: "out.csv" }] } },
});
const bareTrajectory = aTrajectory({ ...own, id: id(61), workflowId: workflow.id });
const session: Session = {
  id: id(70),
  organizationId,
  status: "pending",
  machineId: machine.id,
  poolIds: [],
  isPriority: true,
  createdAt: machine.createdAt,
  usedAt: machine.createdAt,
};
const bareSession: Session = {
  ...session,
  id: id(71),
  machineId: null,
  poolIds: [pool.id],
  isPriority: false,
};
const orderKey = {
  organizationId,
  keys: [{ name: "order", place: 0, indexedFrom: isoAt(0) }],
  revision: 1,
};
const run = aRun({
  metadata: { order: "2026-0417" },
  ...own,
  id: id(80),
  workflowId: workflow.id,
  namedMachineId: machine.id,
  inputValues: { count: 3 },
  sensitiveAliases: ["card"],
  secretId: id(88),
  sessionId: session.id,
  sessionAlias: "desk",
  isPriority: true,
  chainId: id(81),
  chainStep: 1,
  chainRunIds: { before: id(89) },
  chainKeepsSession: true,
  inputAttachmentIds: [id(90)],
  isWebhooksEnabled: true,
  overrides: {
    mainPrompt: { kind: "inline", value: "Open the other shop." },
    modelConfigurationId: null,
    fallbackModelConfigurationIds: [id(13)],
    modelMetadata: { provider: "openai", model: "model-fixture" },
    maxSteps: 5,
    maxDurationSeconds: 60,
    maxTokens: 1_000,
  },
});
const bareRun = aRun({ ...own, id: id(82), workflowId: workflow.id });
const pooledRun = aRun({ ...own, id: id(83), workflowId: workflow.id, poolIds: [pool.id] });
const attachment = anAttachment({
  ...own,
  id: id(90),
  runId: run.id,
  type: "input",
  sizeBytes: 12,
  targetPath: "/tmp/report.csv",
  cleanupImportsAfterRun: true,
  expiresAt: "2026-02-01T00:00:00.000Z",
});
const bareAttachment = anAttachment({ ...own, id: id(91), runId: run.id });
const awaitedAttachment = anAttachment({ ...own, id: id(92), runId: run.id });
const lease: Idempotency = {
  organizationId,
  id: "idempotency-fixture",
  bodyMac: "fixture.mac",
  owner: "request-fixture",
  leased: false,
  repeat: false,
  ids: [id(2), id(3), id(4)],
};

/** What an organization does, through the adapters: a step a name, so that rows of every kind and every event come about. */
export const steps: Readonly<Record<string, (stores: Stores) => Promise<unknown>>> = {
  "keys and tickets": async ({ apiKeys, promptImages, tickets }) => {
    await apiKeys.create(key);
    await apiKeys.create({ ...key, id: "fixture2" });
    await apiKeys.revoke("fixture2", isoAt(60));
    await apiKeys.noteUse(key.id, isoAt(0));
    await promptImages.create(
      aPromptImage({
        ...own,
        id: id(7),
        key: `spill/org_fixture/prompt_image/${id(7)}/content-${id(8)}`,
        createdAt: isoAt(0),
      }),
    );
    const ownKey = { ...key, id: ownKeyIdOf(id(5)), expiresAt: isoAt(3_600) };
    await apiKeys.createOwn(ownKey, { idempotency: undefined, result: null });
    const deleted = { ...ownKey, id: ownKeyIdOf(id(6)) };
    await apiKeys.createOwn(deleted, { idempotency: undefined, result: null });
    await apiKeys.remove(deleted, isoAt(60));
    const ticket = { organizationId, keyId: key.id, remotePeerId: "", expiresAtMs: startMs + 60_000 };
    await tickets.issue({ ...ticket, tokenId: "fixture1", nonce: "n1", machineId: machine.id });
    await tickets.issue({ ...ticket, tokenId: "fixture2", nonce: "n2", machineId: null });
  },
  viewers: async ({ hints, liveTickets, viewers }) => {
    const ofKey = { organizationId, principal: key.id, keyId: key.id };
    const ofSession = { organizationId, principal: own.userId, keyId: null };
    const sessionEndsAtMs = startMs + 600_000;
    const expiresAtMs = startMs + 60_000;
    await liveTickets.issue({ ...ofKey, digest: "fixture1", sessionEndsAtMs: null, expiresAtMs });
    await liveTickets.issue({ ...ofSession, digest: "fixture2", sessionEndsAtMs, expiresAtMs });
    const opened = { topics: [], openedAt: isoAt(0), endsAtMs: sessionEndsAtMs };
    const viewer = await viewers.open({ ...ofKey, ...opened, id: id(801), websocketId: "viewer1=" });
    if (viewer) await viewers.hear(viewer, ["machines", "runs"]);
    await viewers.open({ ...ofSession, ...opened, id: id(802), websocketId: "viewer2=" });
    await hints.note(organizationId, [{ kind: "machine", id: machine.id, mark: "2" }]);
    await hints.begin(organizationId, id(803));
  },
  webhooks: async ({ webhookEndpoints, deliveries, sends }) => {
    await webhookEndpoints.create(webhookEndpoint);
    await webhookEndpoints.create(bareEndpoint);
    const { eventId, createdAt } = webhookDelivery;
    await sends.take(sendOf(firstAttempt(webhookDelivery)), "new");
    await sends.end(sendOf(firstAttempt({ ...webhookDelivery, round: 2 })), startMs + 60_000);
    await sends.wait({ ...firstAttempt(webhookDelivery), number: 2 });
    await deliveries.putMessage({
      organizationId,
      eventId,
      createdAt,
      body: '{"event_type":"run.complete"}',
    });
    await deliveries.create(webhookDelivery);
    await deliveries.create({ ...webhookDelivery, id: id(704), nextAttemptAt: null, attempts: [] });
  },
  "workflows and pools": async ({
    workflows,
    modelConfigurations,
    platformTokens,
    pools,
    providerCredentials,
    indexedKeys,
  }) => {
    await modelConfigurations.create(modelConfiguration);
    await modelConfigurations.create(bareConfiguration);
    await platformTokens.add(organizationId, "2026-01-15", 1_200);
    await workflows.create(modelWorkflow);
    await workflows.create(workflow);
    await workflows.create(bareWorkflow);
    const version = aVersion(workflow, { id: id(12) });
    const change = { mainPrompt: "Open the other shop.", promptSetAt: isoAt(1), updatedAt: isoAt(1) };
    await workflows.update(organizationId, workflow.id, change, { before: workflow, version });
    await pools.create(pool);
    await pools.create(barePool);
    const credential = {
      organizationId,
      slot: "anthropic",
      status: "invalid",
      authType: "api_key",
      metadata: {
        keyLast4: "fix1",
        projectId: "project",
        clientEmail: "worker@example.com",
        awsRegion: "us-east-1",
        accessKeyIdLast4: "fix2",
      },
      secretName: secret("provider"),
      lastError: "refused",
      activatedAt: isoAt(0),
      lastValidatedAt: isoAt(0),
      createdAt: isoAt(0),
      updatedAt: isoAt(0),
      revision: 1,
    } as const;
    await providerCredentials.replace(credential, undefined);
    await indexedKeys.replace(orderKey, undefined);
    const nothing = { keyLast4: null, projectId: null, clientEmail: null, awsRegion: null };
    const none = { secretName: null, lastError: null, activatedAt: null, lastValidatedAt: null };
    const metadata = { ...nothing, accessKeyIdLast4: null };
    const bare = { ...credential, ...none, metadata, authType: null, status: "missing" } as const;
    await providerCredentials.replace({ ...bare, slot: "openai" }, undefined);
  },
  "tags and trajectories": async ({ tags, workflows, trajectories }) => {
    await tags.createGroup(group);
    await tags.createGroup(bareGroup);
    await tags.createTag(tag, { into: group });
    await tags.createTag(bareTag);
    const tagged = found(await workflows.find(organizationId, workflow.id));
    const [added] = await tags.findTags(organizationId, [tag.id]);
    const groups = await tags.findGroups(organizationId, [group.id]);
    const assigned = { workflow: tagged, tagIds: [tag.id], added: [found(added)], removed: [], groups };
    if (!(await tags.assign(assigned))) throw new Error("the tag was not assigned");
    await trajectories.create(trajectory);
    await trajectories.create(bareTrajectory);
    await trajectories.updateAsRead(trajectory, { isMain: true, updatedAt: isoAt(2) });
  },
  schedules: async ({ schedules, table }) => {
    const bare = aSchedule({ ...own, id: id(70), workflowId: workflow.id });
    const schedule = aSchedule({
      ...bare,
      id: id(71),
      keyId: key.id,
      name: "Invoices",
      cron: null,
      everyMinutes: 15,
      timeZone: "Europe/Lisbon",
      startsAt: isoAt(1),
      endsAt: isoAt(2),
      machineId: id(30),
      poolIds: [id(20)],
      inputValues: { customer: "Miller" },
      files: [{ filename: "a.csv", sizeBytes: 3, targetPath: "in/", cleanupImportsAfterRun: true }],
      contents: { kind: "inline", value: ["YWJj"] },
      metadata: { order: "7" },
      overlap: "queue",
      lastDueAt: isoAt(1),
      lastFiredAt: isoAt(2),
      lastOutcome: "started",
      lastRunId: id(100),
      edition: 1,
    });
    await schedules.create(bare);
    await schedules.create(schedule);
    await schedules.switchOff(schedule, "key_revoked", isoAt(2));
    const missed = { firstDueAt: isoAt(0), lastDueAt: isoAt(1), count: 2 };
    await table.update(scheduleKey(organizationId, bare.id), scheduleRow.change({ missed }));
  },
  "a demonstration": async ({ machines, recordings }) => {
    const desk = aMachine({
      ...own,
      id: id(62),
      fingerprint: id(63),
      connection: { id: id(64), websocketId: "Fixture5=", host: "host" },
    });
    await machines.create(desk);
    const made = aRecording({ ...own, id: id(65), machineId: desk.id, by: { kind: "key", id: key.id } });
    await recordings.start(made, desk, holdOf(made));
    const step = aStep(aRun({ ...own, id: made.id }), {
      source: "person",
      assignmentId: made.id,
      pictureKey: "steps/fixture",
    });
    const part = { x: 1, y: 2, width: 3, height: 4 };
    const change = {
      elementCount: 1,
      lastIndex: 1,
      lastPicture: "7-1f",
      painted: [part],
      inputValues: { customer: "Miller" },
    };
    await recordings.append(made, { callId: "fixture /input", steps: [step], change });
  },
  "the tunnel's rows": async (stores) => {
    const {
      mailboxes,
      callRecords,
      slots,
      callsUnderWay,
      waitingPlaces,
      lookPlaces,
      rateLimiter,
      sweepCursors,
      tableId,
      idempotencyRecords,
    } = stores;
    const part = {
      organizationId,
      mailbox: id(5),
      websocketId: connection.websocketId,
      requestId: id(6),
      status: 200,
    };
    const body = Buffer.from("{}");
    await mailboxes.put({ ...part, part: 0, parts: 2, headers: { a: "b" }, body, uploaded: false });
    await mailboxes.put({ ...part, part: 1, parts: 2, uploaded: false });
    const names = { organizationId, machineId: machine.id, connectionId: connection.id };
    const actor = { ...anActor(key.id), userId: key.userId };
    const call = aDesktopCall({ ...names, actor, path: "/x", requestBytes: 12 });
    const done = { ...call, requestId: id(6) };
    await callRecords.open(done);
    const answer = { status: 200, headers: { a: "b" }, body, uploaded: false };
    await callRecords.arrive(done, { answer, outcome: { outcome: 200, durationMs: 30, bytes: 2 } });
    const large = { ...call, requestId: id(7) };
    await callRecords.open(large);
    await callRecords.arrive(large, {});
    await callRecords.open({ ...call, requestId: id(8) });
    const slot = await slots.take(large);
    if (slot) await slots.giveBack(slot);
    await slots.take({ ...call, requestId: id(8) });
    const wait = { organizationId, id: id(8), leaseUntilMs: startMs + 25_000 };
    await waitingPlaces.take({ ...wait, holder: "key" });
    await lookPlaces.take({ ...wait, holder: connection.id });
    await callsUnderWay.begin({ organizationId, requestId: id(7) }, startMs + 30_000);
    await rateLimiter.take({ name: "address#192.0.2.7", limit: 10 });
    const cursor = { notBeforeMs: startMs, heldBack: 0, revision: 1 };
    await sweepCursors.replace({ ...cursor, listing: "objects", position: "spill/a" }, undefined);
    await sweepCursors.replace({ ...cursor, listing: "live_machines", position: null }, undefined);
    await tableId.own({ uuid7: () => id(7) });
    const leased = await idempotencyRecords.lease(lease);
    await idempotencyRecords.complete(leased, { done: true });
    await idempotencyRecords.lease({ ...lease, id: "idempotency-fixture-2" });
  },

  "lines are kept": async ({ auditLog, requestLog }) => {
    const actor = { ...anActor(key.id), userId: key.userId };
    const own = { organizationId, createdAt: isoAt(0), actor };
    await auditLog.append([anAuditEvent({ ...own, id: id(8), resourceId: machine.id })]);
    const answered = aRequestLog({ ...own, id: id(9), machineId: machine.id });
    const unanswered = { statusCode: null, completedAt: null, durationMs: null };
    const lost = { ...answered, ...unanswered, id: id(10), errorCode: "outcome_unknown" };
    await requestLog.append([answered, lost]);
  },

  "a machine is made": async ({ machines }) => await machines.create(machine),
  "another machine is made": async ({ machines }) => await machines.create(bareMachine),
  "a machine joins a pool": async ({ memberships }) =>
    await memberships.addMachines(organizationId, pool.id, [machine.id]),
  "a machine connects": async ({ connections }) => {
    await connections.open(connection);
    const facts = { ...connection.facts, capabilities: ["screenshot_settle"] };
    await connections.activate(connection, facts, startMs + 1_000, { bindKey: true });
  },
  "another machine connects": async ({ connections }) => {
    await connections.open(bareConnection);
    await connections.activate(bareConnection, {}, startMs + 2_000);
  },
  "a machine is taken over": async ({ machines, connections }) => {
    await machines.create(takenMachine);
    const secret = { secretDigest: null, pendingSecretDigest: null, isShown: false, nextDigest: digest };
    for (const [each, nextDigest] of [
      [takenConnection, null],
      [takingConnection, digest],
    ] as const) {
      await connections.open(each);
      await connections.activate(each, {}, startMs + 3_000, { secret: { ...secret, nextDigest } });
    }
    await machines.proveSecret(organizationId, takenMachine.id, digest);
  },
  "a machine is taken out of service": async ({ machines }) =>
    await machines.update(organizationId, bareMachine.id, { outOfService: true }),
  "a machine is switched off": async ({ machines }) =>
    await machines.update(organizationId, bareMachine.id, { isAvailable: false }),
  "a machine is put into service and switched on": async ({ machines }) =>
    await machines.update(organizationId, bareMachine.id, { outOfService: false, isAvailable: true }),
  "a machine is idle": async ({ matches, machines }) => {
    for (const { id } of [machine, bareMachine]) {
      await matches.markIdle(found(await machines.find(organizationId, id)));
    }
  },
  "a round leaves work": async ({ matches }) => {
    const changed = { kind: "machine_changed", organizationId, machineId: machine.id } as const;
    await matches.leave(organizationId, [changed]);
  },

  "a run in a session": async ({ runs }) =>
    await runs.create({
      organizationId,
      runs: [run],
      attachments: [attachment, bareAttachment],
      session,
      required: { ...noneRequired, workflowIds: [workflow.id], machineIds: [machine.id] },
      part: { idempotencyId: "idempotency-fixture", number: 1 },
      secret: secretOf([run]),
    }),
  "an attachment before its file": async ({ attachments }) =>
    await attachments.create(awaitedAttachment, undefined, Date.parse("2026-01-16T00:00:00Z")),
  "a run for any machine": async ({ runs }) => await runs.create(alone(bareRun)),
  "a run for a pool": async ({ runs }) => await runs.create(alone(pooledRun)),
  "a session without a machine": async ({ runs }) => {
    const sessionRun = aRun({ ...own, id: id(84), workflowId: workflow.id, sessionId: bareSession.id });
    await runs.create({ ...alone(sessionRun), session: bareSession });
  },
  "a machine is given a run": async (stores) => {
    const { entries } = await stores.matches.machineQueue(organizationId, machine.id, 10);
    const { entries: steps } = await stores.matches.sessionQueue(organizationId, session.id, 10);
    const place = entries.find((entry) => !isRunEntry(entry));
    await assign(stores, machine.id, run, steps, { session, place });
  },
  "a run fails": async ({ runs }) =>
    await runs.update(
      organizationId,
      run.id,
      {
        status: "error",
        error: ["no display"],
        outputData: { kind: "inline", value: { booked: true } },
        runMessageHistory: { kind: "object", key: "spill/fixture", bytes: 9_000, head: "[" },
        usageMetadata: { tokens: 5 },
        outputAttachmentIds: [bareAttachment.id],
        endedAt: isoAt(20),
      },
      { assignmentId: "assignment-fixture" },
    ),
  "a reserved machine is switched off": async ({ machines }) =>
    await machines.update(organizationId, machine.id, { isAvailable: false }),
  "a run succeeds": async (stores) => {
    await begin(stores, bareMachine.id, bareRun);
    const byWorker = { assignmentId: "assignment-fixture", inAttempt: null, match: null };
    await stores.executions.appendSteps([aStep(bareRun, { ...byWorker, source: "worker" })], 0);
    await end(stores, bareRun, "success");
  },
  "a task fails": async (stores) => {
    await stores.runs.create(alone(laterRun));
    await workOff(stores, laterRun, "task_failed");
  },
  "a run is cancelled": async ({ runs }) =>
    await runs.update(organizationId, pooledRun.id, { status: "cancelled", endedAt: isoAt(30) }),
  "a run is tried again": async ({ runs }) => {
    const before = found(await runs.find(organizationId, pooledRun.id));
    const again = { ...pooledRun, queuedAt: isoAt(31), revision: before.revision + 1 };
    await runs.restart({ before, run: again, attachments: [] });
  },
  "a run is deleted": async ({ runs }) => await runs.markDeleted(organizationId, laterRun.id, isoAt(40)),
  "a waiting run is deleted": async ({ runs }) => {
    await runs.create(alone(unwantedRun));
    await runs.markDeleted(organizationId, unwantedRun.id, isoAt(41));
  },
  "a machine disconnects": async ({ connections }) => {
    await connections.close(bareConnection, startMs + 50_000);
    await connections.settleExpired(organizationId, bareConnection.id, startMs + 50_000);
  },
  "a machine is deleted": async ({ machines }) =>
    await machines.markDeleted(organizationId, bareMachine.id, isoAt(60)),
  "an end is counted": async ({ runs, usage }) => {
    const counted = found(await runs.find(organizationId, bareRun.id));
    const used = { inputTokens: 900, outputTokens: 80, cachedTokens: 700 };
    await usage.count({
      ...counted,
      executor: "service",
      usageMetadata: { replayed_steps: 12 },
      modelTokens: [{ provider: "anthropic", model: "model-fixture", ...used }],
    });
  },
  "the service carries a run out": async (stores) => {
    const { executions, runs } = stores;
    await runs.create(alone(servedRun));
    await begin(stores, takenMachine.id, servedRun);
    const assignmentId = "assignment-fixture";
    const job = { organizationId, runId: servedRun.id, assignmentId, part: 1 };
    await executions.begin(job, "arn-fixture");
    await executions.pin(job, "steps/fixture-plan");
    const step = aStep({ ...servedRun, assignmentId }, { text: "Saving.", pictureKey: "steps/fixture" });
    await executions.countTry({ ...job, index: 1 });
    await executions.recordSending({ ...step, status: "sending", durationMs: null }, "arn-fixture", 1);
    const { status, text, match, pictureKey, trail } = step;
    await executions.recordOutcome(
      { ...job, index: 1 },
      {
        status,
        text,
        match,
        pictureKey,
        trail,
        error: "none",
        durationMs: 40,
        screenshot: { width: 1280, height: 800 },
        saved: { name: "order", value: { number: 7 } },
      },
    );
    await executions.recordStep(aStep(servedRun, { index: 2, assignmentId, match: null, inAttempt: null }));
    await executions.handOver(job, "arn-fixture", cursor);
    await executions.begin({ ...job, part: 2 }, "arn-fixture-2");
    await end(stores, servedRun, "success");
  },
  "the service carries out as many runs of all organizations as it may": async ({ table, clock }) => {
    const place = placeAdded({ id: servedRun.id, attempt: 1 }, 0);
    await table.update(place.key, place.change);
    await new DynamoServicePlaces({ table, clock, serviceExecutionsMax: 1 }).join(organizationId, ["idle"]);
    const { key, change } = placesGivenBack(0, [executionPlaceOf({ id: servedRun.id, attempt: 1 })]);
    await table.update(key, change);
  },
  "a person holds a run": async (stores) => {
    const { executions, holds, runs } = stores;
    await runs.create(alone(heldRun));
    await begin(stores, takenMachine.id, heldRun);
    const held = {
      by: { kind: "user", id: "user-fixture" },
      reason: "the code on the phone",
      since: isoAt(70),
      until: isoAt(670),
    } as const;
    const run = found(await runs.find(organizationId, heldRun.id));
    found(await holds.hold(run, held));
    const step = aStep(run, { source: "person", match: null });
    await executions.appendWhileHeld([{ ...step, trail: { ...step.trail, beforeKey: "steps/before" } }], 0);
  },
  "a held run is resumed": async ({ holds, runs }) => {
    const run = found(await runs.find(organizationId, heldRun.id));
    await holds.release(run, { note: "The code is in.", resumedAt: isoAt(80), heldMs: 10_000 });
  },
};

const laterRun = aRun({ ...own, id: id(85), workflowId: workflow.id });
const heldRun = aRun({ ...own, id: id(98), workflowId: workflow.id, executor: "service" });
const servedRun = aRun({ ...own, id: id(87), workflowId: workflow.id, executor: "service" });
const cursor = {
  index: 3,
  element: 2,
  piece: 0,
  replayed: 2,
  waitedMs: 0,
  awayMs: 0,
  phase: "put_files" as const,
  files: { at: 0, put: 0, taken: 0, end: null },
};
const unwantedRun = aRun({ ...own, id: id(86), workflowId: workflow.id });
const noneRequired = { workflowIds: [], machineIds: [], poolIds: [], sessionIds: [] };

function alone(one: Run) {
  const required = { ...noneRequired, workflowIds: [one.workflowId], poolIds: one.poolIds };
  return { organizationId, runs: [one], attachments: [], required };
}

async function workOff(stores: Stores, one: Run, status: "success" | "task_failed"): Promise<void> {
  await begin(stores, bareMachine.id, one);
  await end(stores, one, status);
}

async function begin(stores: Stores, machineId: string, one: Run): Promise<void> {
  const queue = await stores.matches.queue(organizationId, { kind: "any" }, 10);
  await assign(stores, machineId, one, queue);
}

async function end({ runs }: Stores, one: Run, status: "success" | "task_failed"): Promise<void> {
  const change = { status, endedAt: isoAt(25) };
  await runs.update(organizationId, one.id, change, { assignmentId: "assignment-fixture" });
}

async function assign(
  { matches, machines, runs }: Stores,
  machineId: string,
  { id: runId }: Run,
  queue: readonly QueuedEntry[],
  joined?: { readonly session: Session; readonly place: QueuedEntry | undefined },
): Promise<void> {
  const entry = queue.find((one): one is QueuedRun => isRunEntry(one) && one.waiting.runId === runId);
  const outcome = await matches.assign({
    machine: found(await machines.find(organizationId, machineId)),
    run: found(await runs.find(organizationId, runId)),
    entry: found(entry),
    session: joined,
    assignmentId: "assignment-fixture",
    inputValues: { count: 3 },
    inheritedNames: joined ? ["count"] : [],
    inheritedSecrets: joined ? { pin: { kind: "pool", id: pool.id } } : {},
    startedAt: isoAt(10),
  });
  if (outcome.kind !== "assigned") throw new Error(`the run was not assigned: ${outcome.kind}`);
}

function isoAt(seconds: number): string {
  return new Date(startMs + seconds * 1_000).toISOString();
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("what a step before has written is not there");
  return value;
}

import type { ExecutionJob } from "../../../shared/domain/execution/execution.ts";
import type { SweptListing } from "../../../shared/domain/maintenance/sweep-cursor-store.ts";
import { DynamoServicePlaces } from "../../../shared/storage/matching/dynamo-service-places.ts";
import { readMatchTrigger } from "../../../shared/storage/stream/match-triggers.ts";
import { readRequestLog } from "../../../shared/storage/stream/stream-calls.ts";
import type { Item } from "../../../shared/storage/table/item.ts";
import { aPool } from "../../support/builders/entities.ts";
import { aModelConfiguration, aTag, aTagGroup } from "../../support/builders/workflows.ts";
import type { StoresOnModel as Stores } from "../../support/stores/model-stores.ts";
import { streamRecord } from "../../support/stream-record.ts";
import { id, organizationId as o } from "./life.ts";

type Row = Readonly<Record<string, string>>;

/** @param name the last part of its partition key. */
type Read = (stores: Stores, row: Row, name: string) => Promise<unknown>;

const page = { skip: 0, limit: 1 };

const reads: Readonly<Record<string, Read>> = {
  api_key: ({ apiKeys }, row) => apiKeys.find(row.id ?? ""),
  call_slot: async (_stores, row) => readRequestLog(streamRecord(undefined, row)),
  calls_under_way: async ({ machines }) => {
    const [machine] = (await machines.list(o, {}, page)).items;
    return (await machines.findWithCalls(o, machine?.id ?? ""))?.callsUnderWay;
  },
  counter: async ({ workflows }) => (await workflows.list(o, {}, page)).total,
  execution: ({ executions }, _row, name) => executions.find(o, name),
  fingerprint: async ({ machines }, _row, name) => (await machines.findByFingerprint(o, name))?.id,
  grouped_tag: ({ tags }, _row, name) => tags.tagIdsOf(o, name, 10),
  idempotency_record: ({ idempotencyRecords }, _row, name) =>
    idempotencyRecords.find({
      organizationId: o,
      id: name,
      bodyMac: "",
      owner: "",
      leased: false,
      repeat: false,
      ids: ["", "", ""],
    }),
  idle: ({ matches }) => matches.idlePage(o, undefined, 16),
  key_revocation: ({ apiKeys }) => apiKeys.listRevocations(1, Number.MAX_SAFE_INTEGER),
  left: async (_stores, row) => readMatchTrigger(streamRecord(undefined, row)),
  line_count: async ({ auditLog }) => (await auditLog.list(o, {}, page)).total,
  machine: async ({ machines }, row) =>
    (await machines.find(o, row.id ?? "")) ?? (await machines.findDeleted(o, row.id ?? "")),
  main_trajectory: ({ trajectories }, row) => trajectories.findMain(o, row.workflow_id ?? ""),
  mailbox_part: ({ mailboxes }, row) => mailboxes.poll(row.mailbox ?? ""),
  model_configuration: ({ modelConfigurations }, row) => modelConfigurations.findMany(o, [row.id ?? ""]),
  model_configuration_count: async ({ modelConfigurations }) => (await modelConfigurations.list(o)).length,
  model_configuration_name: ({ modelConfigurations }) =>
    modelConfigurations.create(aModelConfiguration({ organizationId: o, name: "Careful" })),
  prompt_image_count: async ({ promptImages }) => (await promptImages.list(o, page)).total,
  platform_tokens: ({ platformTokens }) => platformTokens.used(o, "2026-01-15"),
  pool_member: ({ memberships }, _row, name) => memberships.machineIds(o, name),
  pool_name: ({ pools }) => pools.create(aPool({ organizationId: o, id: id(999), name: "Front desks" })),
  pool_set: ({ matches }) => matches.poolSets(o),
  provider_credential: async ({ providerCredentials }, row) =>
    (await providerCredentials.list(o)).find(({ slot }) => slot === row.slot),
  queue: async ({ matches }, row) =>
    row.target_session_id === undefined
      ? await matches.queue(o, targetOf(row), 1)
      : (await matches.sessionQueue(o, row.target_session_id, 1)).entries,
  rate_bucket: ({ rateLimiter }) => rateLimiter.take({ name: "address#192.0.2.7", limit: 10 }),
  run: async ({ runs }, row) =>
    (await runs.find(o, row.id ?? "")) ?? (await runs.findDeleted(o, row.id ?? "")),
  schedule: async ({ schedules }, row) => await schedules.find(o, row.id ?? ""),
  run_attachment: ({ runs }, _row, name) => runs.listAttachmentIds(o, name),
  run_metadata: async ({ runs }) => (await runs.list(o, { metadata: { order: "2026-0417" } }, page)).total,
  run_secret: ({ runs }, _row, name) => runs.readSecret({ organizationId: o, secretId: name }),
  service_executions: async ({ table, clock }) =>
    await new DynamoServicePlaces({ table, clock, serviceExecutionsMax: 1 }).count(),
  service_line: async ({ table, clock }) =>
    await new DynamoServicePlaces({ table, clock, serviceExecutionsMax: 1 }).line(),
  setting: ({ indexedKeys }) => indexedKeys.find(o),
  socket: async ({ connections }, _row, name) => (await connections.findByWebsocketId(name))?.id,
  sweep_cursor: ({ sweepCursors }, _row, name) => sweepCursors.find(name as SweptListing),
  table_id: ({ tableId }) => tableId.find(),
  tagged_workflow: ({ tags }, _row, name) => tags.workflowIdsOf(o, name, 10),
  saved_value: async ({ executions }, row, name) => (await executions.readState(job(row, name))).saved,
  step: ({ executions }, row) => executions.findStep(o, row.run_id ?? "", Number(row.index)),
  step_count: async ({ runs }, _row, name) => (await runs.findWithLastIndex(o, name)).lastIndex,
  hints: ({ hints }, row) => hints.goOn(o, row.turn ?? ""),
  live_ticket: ({ liveTickets }, row) => liveTickets.redeem(row.digest ?? ""),
  viewer: async ({ viewers }, row) => (await viewers.list(o)).find(({ id }) => id === row.id),
  viewer_socket: ({ viewers }, row) => viewers.findBySocket(row.websocket_id ?? ""),
  ticket: ({ tickets }, row) => tickets.redeem(row.token_id ?? "", row.nonce ?? ""),
  usage_model: async ({ usage }) =>
    (await usage.read(o, { fromDate: "2026-01-01", toDate: "2026-12-31" })).tokens,
  usage: ({ usage }) => usage.read(o, { fromDate: "2026-01-01", toDate: "2026-12-31" }),
  webhook_endpoint_count: async ({ webhookEndpoints }) => (await webhookEndpoints.list(o)).length,
  audit_event: ({ auditLog }, row) => auditLog.find(o, row.id ?? ""),
  request_log_segment: async ({ requestLog }) => (await requestLog.list(o, {}, page)).total,
  request_log: ({ requestLog }, row) => requestLog.find(o, row.id ?? ""),
  webhook_delivery: ({ deliveries }, row) => deliveries.find(o, row.id ?? ""),
  webhook_message: ({ deliveries }, row) => deliveries.findBody(o, row.event_id ?? ""),
  webhook_waiting: ({ sends }, row) => sends.firstWaiting(o, row.endpoint_id ?? ""),
  workflow_tag: async ({ tags }, row) => (await tags.findTags(o, [row.id ?? ""]))[0],
  workflow_tag_group: async ({ tags }, row) => (await tags.findGroups(o, [row.id ?? ""]))[0],
  workflow_tag_name: ({ tags }, row) =>
    row.pk?.includes("GROUP") === true
      ? tags.createGroup(aTagGroup({ organizationId: o, id: id(999), name: "Stages" }))
      : tags.createTag(aTag({ organizationId: o, id: id(999), name: "Live" })),
  workflow_version: ({ workflows }, row) =>
    workflows.listVersions(o, row.workflow_id ?? "", { skip: 0, limit: 100 }),
};

function job({ assignment_id: assignmentId = "" }: Row, runId: string): ExecutionJob {
  return { organizationId: o, runId, assignmentId, part: 1 };
}

/** Undefined for a row that only conditions look at. */
export async function readRow(stores: Stores, row: Item): Promise<unknown> {
  const name = decodeURIComponent(String(row.pk).split("#").at(-1) ?? "");
  const kind = String(row.kind);
  const read = reads[kind];
  return read === undefined ? await findById(stores, kind, row.id) : await read(stores, row as Row, name);
}

async function findById(stores: Stores, kind: string, id: unknown): Promise<unknown> {
  const words = kind.replaceAll(/_[a-z]/g, (letter) => letter.slice(1).toUpperCase());
  const name = `${words}s`.replace(/ys$/, "ies");
  const store = (stores as Readonly<Record<string, unknown>>)[name] as Partial<Found> | undefined;
  return typeof id === "string" ? await store?.find?.(o, id) : undefined;
}

interface Found {
  find(organizationId: string, id: string): Promise<unknown>;
}

function targetOf(row: Readonly<Record<string, unknown>>) {
  if (typeof row.target_machine_id === "string") {
    return { kind: "machine", machineId: row.target_machine_id } as const;
  }
  if (Array.isArray(row.target_pool_ids)) {
    return { kind: "pools", poolIds: row.target_pool_ids as string[] } as const;
  }
  return { kind: "any" } as const;
}

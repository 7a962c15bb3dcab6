import * as z from "zod";
import type { JsonObject } from "../../domain/json.ts";
import type { Run } from "../../domain/run/run.ts";
import type { RunChange } from "../../domain/run/run-change.ts";
import { runStatuses } from "../../domain/run/run-status.ts";
import type { Change } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { createdSortKey, dueRow, filterPartitions, listPartitions, runKey } from "../table/keys.ts";
import { parseSpilled, SpilledAttribute, spilledAttribute } from "../table/spilled-attributes.ts";

const InheritedSecret = z.object({ kind: z.enum(["machine", "pool"]), id: z.string() });

/** Reading a row is parsing it; the index attributes beside these are left out. */
const RunItem = z.object({
  kind: z.literal("run"),
  id: z.string(),
  organization_id: z.string(),
  user_id: z.string(),
  workflow_id: z.string(),
  machine_id: z.string().optional(),
  named_machine_id: z.string().optional(),
  pool_ids: z.array(z.string()),
  status: z.enum(runStatuses),
  /** JSON text, as in a machine. */
  input_values: z.string(),
  sensitive_aliases: z.array(z.string()),
  inherited_secrets: z.record(z.string(), InheritedSecret).optional(),
  secret_name: z.string().optional(),
  output_data: SpilledAttribute.optional(),
  run_message_history: SpilledAttribute.optional(),
  error: z.array(z.string()),
  usage_metadata: z.string().optional(),
  assignment_id: z.string().optional(),
  session_id: z.string().optional(),
  session_alias: z.string().optional(),
  release_session_after: z.boolean(),
  chain_id: z.string().optional(),
  chain_step: z.number().optional(),
  chain_run_ids: z.record(z.string(), z.string()).optional(),
  chain_keeps_session: z.boolean().optional(),
  continue_on_failure: z.boolean(),
  input_attachment_ids: z.array(z.string()),
  output_attachment_ids: z.array(z.string()),
  created_at: z.string(),
  queued_at: z.string(),
  started_at: z.string().optional(),
  ended_at: z.string().optional(),
  deleted_at: z.string().optional(),
  revision: z.number(),
});

/** Everything but the heavy fields: what a list reads. */
export function lightAttributes(): readonly string[] {
  return Object.keys(RunItem.shape).filter(
    (name) => name !== "output_data" && name !== "run_message_history",
  );
}

export function parseRun(item: Item): Run {
  const row = RunItem.parse(item);
  return {
    id: row.id,
    organizationId: row.organization_id,
    userId: row.user_id,
    workflowId: row.workflow_id,
    machineId: row.machine_id ?? null,
    namedMachineId: row.named_machine_id ?? null,
    poolIds: row.pool_ids,
    status: row.status,
    // Written by `runItem` or `runChange` below, never by anyone else.
    inputValues: JSON.parse(row.input_values) as JsonObject,
    sensitiveAliases: row.sensitive_aliases,
    inheritedSecrets: row.inherited_secrets ?? {},
    secretName: row.secret_name ?? null,
    outputData: parseSpilled(row.output_data),
    runMessageHistory: parseSpilled(row.run_message_history),
    error: row.error,
    usageMetadata: row.usage_metadata === undefined ? null : (JSON.parse(row.usage_metadata) as JsonObject),
    assignmentId: row.assignment_id ?? null,
    sessionId: row.session_id ?? null,
    sessionAlias: row.session_alias ?? null,
    releaseSessionAfter: row.release_session_after,
    chainId: row.chain_id ?? null,
    chainStep: row.chain_step ?? null,
    chainRunIds: row.chain_run_ids ?? {},
    chainKeepsSession: row.chain_keeps_session ?? false,
    continueOnFailure: row.continue_on_failure,
    inputAttachmentIds: row.input_attachment_ids,
    outputAttachmentIds: row.output_attachment_ids,
    createdAt: row.created_at,
    queuedAt: row.queued_at,
    startedAt: row.started_at ?? null,
    endedAt: row.ended_at ?? null,
    deletedAt: row.deleted_at ?? null,
    revision: row.revision,
  };
}

/** A run with all its index rows; a filter that it has no value for has no row. One that waits is due since then. */
export function runItem(run: Run): Item & Key {
  const { organizationId } = run;
  const sortKey = createdSortKey(Date.parse(run.createdAt), run.id);
  const rowOf = (name: string, partition: string | undefined) =>
    partition === undefined ? {} : { [`${name}_pk`]: partition, [`${name}_sk`]: sortKey };
  const partitions = filterPartitions;
  return {
    ...runKey(organizationId, run.id),
    kind: "run",
    id: run.id,
    organization_id: organizationId,
    user_id: run.userId,
    workflow_id: run.workflowId,
    machine_id: run.machineId ?? undefined,
    named_machine_id: run.namedMachineId ?? undefined,
    pool_ids: run.poolIds,
    status: run.status,
    input_values: JSON.stringify(run.inputValues),
    sensitive_aliases: run.sensitiveAliases,
    inherited_secrets: Object.keys(run.inheritedSecrets).length === 0 ? undefined : run.inheritedSecrets,
    secret_name: run.secretName ?? undefined,
    output_data: spilledAttribute(run.outputData) ?? undefined,
    run_message_history: spilledAttribute(run.runMessageHistory) ?? undefined,
    error: run.error,
    usage_metadata: run.usageMetadata === null ? undefined : JSON.stringify(run.usageMetadata),
    assignment_id: run.assignmentId ?? undefined,
    session_id: run.sessionId ?? undefined,
    session_alias: run.sessionAlias ?? undefined,
    release_session_after: run.releaseSessionAfter,
    chain_id: run.chainId ?? undefined,
    chain_step: run.chainStep ?? undefined,
    chain_run_ids: run.chainId === null ? undefined : run.chainRunIds,
    chain_keeps_session: run.chainKeepsSession || undefined,
    continue_on_failure: run.continueOnFailure,
    input_attachment_ids: run.inputAttachmentIds,
    output_attachment_ids: run.outputAttachmentIds,
    created_at: run.createdAt,
    queued_at: run.queuedAt,
    started_at: run.startedAt ?? undefined,
    ended_at: run.endedAt ?? undefined,
    revision: run.revision,
    ...rowOf("list", listPartitions.runs(organizationId)),
    ...rowOf("filter1", partitions.runsByWorkflow(organizationId, run.workflowId)),
    ...rowOf(
      "filter2",
      run.machineId === null ? undefined : partitions.runsByMachine(organizationId, run.machineId),
    ),
    ...rowOf(
      "filter3",
      run.sessionId === null ? undefined : partitions.runsBySession(organizationId, run.sessionId),
    ),
    ...rowOf("filter4", partitions.runsByStatus(organizationId, run.status)),
    ...(run.status === "scheduling" ? dueRow("WAITING#RUN", run.id, run.queuedAt) : {}),
  };
}

/** A change of some fields with their index rows, without reading the run. Null removes an attribute. */
export function runChange(organizationId: string, change: RunChange): Change {
  const { outputData, runMessageHistory, usageMetadata } = change;
  return {
    set: {
      status: change.status,
      error: change.error,
      output_data: outputData === undefined ? undefined : spilledAttribute(outputData),
      run_message_history: runMessageHistory === undefined ? undefined : spilledAttribute(runMessageHistory),
      output_attachment_ids: change.outputAttachmentIds,
      input_values: change.inputValues && JSON.stringify(change.inputValues),
      usage_metadata: usageMetadata && JSON.stringify(usageMetadata),
      started_at: change.startedAt,
      ended_at: change.endedAt,
      release_session_after: change.releaseSessionAfter,
      filter4_pk: change.status && filterPartitions.runsByStatus(organizationId, change.status),
    },
    add: { revision: 1 },
  };
}

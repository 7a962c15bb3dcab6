import * as z from "zod";
import type { Hold } from "../../domain/hold/hold.ts";
import type { JsonObject } from "../../domain/json.ts";
import type { Metadata } from "../../domain/metadata/metadata.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type { Run } from "../../domain/run/run.ts";
import type { ChangedFields } from "../../domain/run/run-change.ts";
import { noOverrides, type RunOverrides } from "../../domain/run/run-overrides.ts";
import type { ModelMetadata } from "../../domain/workflow/workflow.ts";
import { runErrorCodes } from "../../vocabulary/run-error-codes.ts";
import { runStatuses } from "../../vocabulary/runs.ts";
import { executors } from "../../vocabulary/workflows.ts";
import type { Change } from "../table/expression.ts";
import { createdAttributes, dueRow, filterPartitions, listPartitions } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { runKey } from "../table/keys.ts";
import {
  entityFields,
  flag,
  json,
  kept,
  metadataField,
  nested,
  number,
  once,
  oneOf,
  orElse,
  orNull,
  row,
  text,
  texts,
} from "../table/row.ts";
import { spilled } from "../table/spilled-attributes.ts";

export const runRow = row<Run>("run", {
  ...entityFields,
  userId: text,
  workflowId: text,
  machineId: orNull(text),
  namedMachineId: orNull(text),
  poolIds: texts,
  triedMachineId: orNull(text),
  status: oneOf(runStatuses),
  held: orNull(json<Hold>()),
  inputValues: json<JsonObject>(),
  sensitiveAliases: texts,
  inheritedSecrets: orElse(
    kept<Run["inheritedSecrets"]>(() =>
      z.record(z.string(), z.object({ kind: z.enum(["machine", "pool"]), id: z.string() })),
    ),
    {},
  ),
  inheritedNames: orElse(texts, []),
  secretId: orNull(text),
  outputData: orNull(spilled),
  runMessageHistory: orNull(spilled),
  error: texts,
  errorCode: orNull(oneOf(runErrorCodes)),
  executor: orElse(oneOf(executors), "worker"),
  isWebhooksEnabled: orElse(flag, false),
  trajectoryId: orNull(text),
  dryRunUntil: orNull(number),
  scheduleId: orNull(text),
  overrides: orElse(
    nested<RunOverrides>({
      mainPrompt: orNull(spilled),
      modelMetadata: orNull(json<ModelMetadata>()),
      modelConfigurationId: orNull(text),
      fallbackModelConfigurationIds: orNull(texts),
      maxSteps: orNull(number),
      maxDurationSeconds: orNull(number),
      maxTokens: orNull(number),
    }),
    noOverrides,
  ),
  usageMetadata: orNull(json<JsonObject>()),
  modelTokens: orElse(json<Run["modelTokens"]>(), []),
  assignmentId: orNull(text),
  serviceShard: orNull(number),
  attempt: orElse(number, 1),
  isPriority: orElse(flag, false),
  metadata: metadataField,
  sessionId: orNull(text),
  sessionAlias: orNull(text),
  releaseSessionAfter: flag,
  chainId: orNull(text),
  chainStep: orNull(number),
  chainRunIds: orElse(
    kept(() => z.record(z.string(), z.string())),
    {},
  ),
  chainKeepsSession: orElse(flag, false),
  continueOnFailure: flag,
  inputAttachmentIds: texts,
  outputAttachmentIds: texts,
  queuedAt: text,
  startedAt: orNull(text),
  endedAt: orNull(text),
});

export const lightAttributes = once(() => runRow.attributes("outputData", "runMessageHistory"));

export const parseRun = runRow.parse;

export function runItem(run: Run): Item & Key {
  const { organizationId, id, machineId, sessionId } = run;
  const { runsByWorkflow, runsByMachine, runsBySession, runsByStatus } = filterPartitions;
  return {
    ...runKey(organizationId, id),
    ...runRow.write(run),
    // A chain's first step has an empty record.
    chain_run_ids: run.chainId === null ? undefined : run.chainRunIds,
    ...createdAttributes(run, {
      list: listPartitions.runs(organizationId),
      filter1: runsByWorkflow(organizationId, run.workflowId),
      filter2: machineId === null ? undefined : runsByMachine(organizationId, machineId),
      filter3: sessionId === null ? undefined : runsBySession(organizationId, sessionId),
      filter4: runsByStatus(organizationId, run.status),
    }),
    ...(run.status === "scheduling" ? dueRow("WAITING#RUN", id, run.queuedAt) : {}),
  };
}

export function runChange(
  organizationId: OrganizationId,
  change: ChangedFields & { readonly metadata?: Metadata | undefined },
): Change {
  return runRow.change(change, {
    filter4_pk: change.status && filterPartitions.runsByStatus(organizationId, change.status),
  });
}

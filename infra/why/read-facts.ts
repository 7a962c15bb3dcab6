import { executionName } from "../../shared/domain/execution/execution.ts";
import { chooseModels } from "../../shared/domain/model-selection/choose-models.ts";
import type { OrganizationId } from "../../shared/domain/organization-id.ts";
import type { Run } from "../../shared/domain/run/run.ts";
import { explainWaiting } from "../../shared/domain/run/waiting/explain-waiting.ts";
import { targetOfRun } from "../../shared/domain/run/waiting/target.ts";
import { systemClock as clock } from "../../shared/runtime/system.ts";
import { DynamoExecutionStore } from "../../shared/storage/execution/dynamo-execution-store.ts";
import { runningIn } from "../../shared/storage/execution/executions-under-way.ts";
import { DynamoMachineStore } from "../../shared/storage/machine/dynamo-machine-store.ts";
import { DynamoModelConfigurationStore } from "../../shared/storage/model-configuration/dynamo-model-configuration-store.ts";
import { DynamoPoolStore } from "../../shared/storage/pool/dynamo-pool-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoSessionStore } from "../../shared/storage/session/dynamo-session-store.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { callSlotKey, executionsKey } from "../../shared/storage/table/keys.ts";
import { queryItems } from "../../shared/storage/table/query.ts";
import { callRow } from "../../shared/storage/tunnel/call-row.ts";
import { DynamoWaitingView } from "../../shared/storage/waiting/dynamo-waiting-view.ts";
import { DynamoWorkflowStore } from "../../shared/storage/workflow/dynamo-workflow-store.ts";
import type { OpenCall, RunFacts } from "./facts.ts";
import { findOrganizationOf } from "./find-run.ts";
import type { Source } from "./sources/source.ts";

/** A function writes the line of what it did some time after it did it. */
const lateMs = 300_000;

interface Stored {
  readonly table: DynamoTable;
  readonly clock: typeof clock;
}

/** @throws {Error} one sentence, when there is no such run. */
export async function readFacts(
  source: Source,
  runId: string,
  organization: OrganizationId | undefined,
): Promise<RunFacts> {
  const stored: Stored = { table: new DynamoTable({ ...source.opened, clock }), clock };
  const organizationId = organization ?? (await findOrganizationOf(stored.table, runId));
  const run = organizationId && (await new DynamoRunStore(stored).find(organizationId, runId));
  if (run === undefined) {
    const hint =
      organization === undefined ? ", unless a worker carries it out: then name its --organization" : "";
    throw new Error(`there is no run ${runId}${hint}`);
  }
  const nowMs = clock.now();
  const execution = await new DynamoExecutionStore(stored).find(run.organizationId, runId);
  const toMs = Math.min(nowMs, (run.endedAt === null ? nowMs : Date.parse(run.endedAt)) + lateMs);
  const name = execution === undefined ? run.assignmentId : executionName(execution);
  const [limited, machine, deletedPoolIds, model, history, lines] = await Promise.all([
    readLimited(stored, source, run),
    readMachine(stored, run),
    readDeletedPools(stored, run),
    readModel(stored, run),
    name === null ? undefined : source.history(name),
    source.lines({ runId, fromMs: Date.parse(run.queuedAt), toMs }),
  ]);
  const openCall = await readOpenCall(stored, run, machine?.connection?.id);
  return { nowMs, run, execution, machine, deletedPoolIds, model, history, lines, openCall, ...limited };
}

async function readLimited(
  { table }: Stored,
  source: Source,
  run: Run,
): Promise<Pick<RunFacts, "waiting" | "organizationExecutions">> {
  const { ORGANIZATION_EXECUTIONS_MAX, SERVICE_EXECUTIONS_MAX } = await source.variables();
  const max = Number(ORGANIZATION_EXECUTIONS_MAX);
  const view = new DynamoWaitingView({
    table,
    organizationExecutionsMax: max,
    serviceExecutionsMax: SERVICE_EXECUTIONS_MAX === undefined ? undefined : Number(SERVICE_EXECUTIONS_MAX),
  });
  const [waiting, executions] = await Promise.all([
    explainWaiting(view, run),
    table.get(executionsKey(run.organizationId)),
  ]);
  return { waiting, organizationExecutions: { running: runningIn(executions).size, max } };
}

async function readMachine(stored: Stored, run: Run): Promise<RunFacts["machine"]> {
  const { organizationId, sessionId } = run;
  const machines = new DynamoMachineStore(stored);
  const own = run.machineId ?? run.namedMachineId;
  if (own !== null) return await machines.find(organizationId, own);
  if (sessionId === null) return undefined;
  const session = await new DynamoSessionStore(stored).find(organizationId, sessionId);
  return session?.machineId ? await machines.find(organizationId, session.machineId) : undefined;
}

async function readDeletedPools(stored: Stored, run: Run): Promise<readonly string[]> {
  const target = targetOfRun(run);
  if (target.kind !== "pools") return [];
  const living = await new DynamoPoolStore(stored).findMany(run.organizationId, target.poolIds);
  return target.poolIds.filter((id) => !living.some((pool) => pool.id === id));
}

async function readModel(stored: Stored, run: Run): Promise<RunFacts["model"]> {
  const workflow = await new DynamoWorkflowStore(stored).find(run.organizationId, run.workflowId);
  if (workflow === undefined) return undefined;
  const modelConfigurations = new DynamoModelConfigurationStore(stored);
  const chosen = await chooseModels({ modelConfigurations }, run, workflow);
  return chosen.kind === "chosen" ? chosen.main : undefined;
}

async function readOpenCall(
  { table }: Stored,
  { organizationId, assignmentId }: Run,
  connectionId: string | undefined,
): Promise<OpenCall | undefined> {
  if (connectionId === undefined) return undefined;
  const { pk: partition, sk: first } = callSlotKey(organizationId, connectionId, 0);
  const rows = await queryItems(table, { partition, from: first, to: `${connectionId}#~` });
  const open = rows
    .filter((row) => row.kind === "call_slot" && row.lease_until_ms !== undefined)
    .map(callRow.parse)
    .find((call) => call.callerRequestId === assignmentId && (call.leaseUntilMs ?? 0) > clock.now());
  return open && { method: open.method, path: open.path, sinceMs: open.takenAtMs };
}

import { v7 } from "uuid";
import { createScheduler } from "../../functions/scheduler/app.ts";
import { mapBounded } from "../../shared/domain/bounded-parallel.ts";
import { isoTimestamp } from "../../shared/domain/clock.ts";
import type { Logger } from "../../shared/domain/logger.ts";
import type { NewRuns } from "../../shared/domain/run/run-store.ts";
import type { Schedule } from "../../shared/domain/schedule/schedule.ts";
import { systemClock as clock } from "../../shared/runtime/system.ts";
import { AjvInputChecker } from "../../shared/schema/ajv-input-checker.ts";
import { DynamoApiKeyStore } from "../../shared/storage/access/dynamo-api-key-store.ts";
import { DynamoModelConfigurationStore } from "../../shared/storage/model-configuration/dynamo-model-configuration-store.ts";
import { DynamoInputSourceStore } from "../../shared/storage/run/dynamo-input-source-store.ts";
import { DynamoRunStore } from "../../shared/storage/run/dynamo-run-store.ts";
import { DynamoDueScheduleStore } from "../../shared/storage/schedule/dynamo-due-schedule-store.ts";
import { scheduleItem } from "../../shared/storage/schedule/schedule-item.ts";
import { DynamoTable } from "../../shared/storage/table/dynamo-table.ts";
import { workflowItem } from "../../shared/storage/workflow/workflow-item.ts";
import { schedulesMax } from "../../shared/vocabulary/schedules.ts";
import { anOrganization } from "../support/builders/entities.ts";
import { aSchedule } from "../support/builders/schedules.ts";
import { aWorkflow } from "../support/builders/workflows.ts";
import { ConflictingClient } from "../support/conflicting-client.ts";
import { DynamoModel } from "../support/dynamo-model/dynamo-model.ts";
import { InMemoryFileStore } from "../support/fakes/in-memory-file-store.ts";
import { type Figure, percentile } from "./figure.ts";
import { sized } from "./sized.ts";

const schedules = sized(10_000, 120);
const perOrganization = sized(schedulesMax, 40);

const p99SecondsMax = 60;
const allSecondsMax = 120;
const callsMax = 3;

const minuteMs = 60_000;

/** Notes how long after its time each run was created. */
class NotingStore extends DynamoDueScheduleStore {
  readonly startedMs: number[] = [];

  override async settle(...given: Parameters<DynamoDueScheduleStore["settle"]>) {
    const outcome = await super.settle(...given);
    const [before, , news] = given;
    if (news !== undefined && outcome.kind === "settled") this.#note(before, news);
    return outcome;
  }

  #note({ dueAt }: Schedule, { runs }: NewRuns): void {
    for (const _ of runs) this.startedMs.push(clock.now() - Date.parse(dueAt ?? ""));
  }
}

/**
 * Schedules of many organizations, as many of each as it may have, are due in the minute before the function is invoked.
 * They share one workflow an organization, whose row each transaction checks. The helpers, which are invocations of
 * their own in Lambda, share this process; DynamoDB is the model with the time that calls take.
 */
export async function measureSchedules(): Promise<readonly Figure[]> {
  const dynamo = new ConflictingClient(new DynamoModel());
  const table = new DynamoTable({ client: dynamo.client, tableName: "model", clock });
  const organizations = Array.from({ length: Math.ceil(schedules / perOrganization) }, anOrganization);
  // A smoke waits for no minute.
  const dueMs = sized(Math.ceil, Math.floor)(Date.now() / minuteMs) * minuteMs;
  await mapBounded([...organizations.entries()], async ([place, organizationId]) => {
    const workflow = aWorkflow({ organizationId });
    await table.put(workflowItem(workflow));
    for (let left = Math.min(perOrganization, schedules - place * perOrganization); left > 0; left -= 1) {
      await table.put(scheduleItem(dueAt(organizationId, workflow.id, dueMs)));
    }
  });

  const stored = { table, clock };
  const dueSchedules = new NotingStore(stored);
  const runs = new DynamoRunStore(stored);
  const silent = () => undefined;
  const logger: Logger = {
    debug: silent,
    info: silent,
    warn: silent,
    error: console.error,
    with: () => logger,
  };
  const helpers: Promise<void>[] = [];
  const scheduler = createScheduler({
    dueSchedules,
    apiKeys: new DynamoApiKeyStore(stored),
    runs,
    modelConfigurations: new DynamoModelConfigurationStore(stored),
    inputSources: new DynamoInputSourceStore(stored),
    inputChecker: new AjvInputChecker(stored),
    files: new InMemoryFileStore(clock),
    logger,
    clock,
    helper: { start: async (work) => void helpers.push(scheduler(work)) },
  });
  await clock.sleep(Math.max(0, dueMs - Date.now()));
  dynamo.calls = 0;
  // What an invocation leaves is for the next one, a minute later.
  for (let minute = 0; minute < 3 && dueSchedules.startedMs.length < schedules; minute += 1) {
    await clock.sleep(Math.max(0, dueMs + minute * minuteMs - Date.now()));
    await scheduler();
    await Promise.allSettled(helpers.splice(0));
  }
  const { calls, conflicts } = dynamo;
  const totals = await mapBounded(organizations, async (organizationId) => {
    return (await runs.list(organizationId, {}, { skip: 0, limit: 1 })).total;
  });
  const total = totals.reduce((sum, each) => sum + each, 0);
  return figuresOf(dueSchedules.startedMs, { total, calls, conflicts });
}

function dueAt(organizationId: Schedule["organizationId"], workflowId: string, dueMs: number): Schedule {
  return aSchedule({
    id: v7(),
    organizationId,
    workflowId,
    cron: null,
    everyMinutes: 1_440,
    createdAt: isoTimestamp(dueMs - 1_440 * minuteMs),
    dueAt: isoTimestamp(dueMs),
  });
}

function figuresOf(
  startedMs: readonly number[],
  { total, calls, conflicts }: { readonly total: number; readonly calls: number; readonly conflicts: number },
): readonly Figure[] {
  const p99 = percentile(startedMs, 99) / 1_000;
  const all = percentile(startedMs, 100) / 1_000;
  const lost = schedules - startedMs.length;
  const twice = total - startedMs.length;
  return [
    {
      figure: `${schedules.toLocaleString("en")} schedules due in one minute: started p99 / all`,
      measured: `${p99.toFixed(1)} / ${all.toFixed(1)} s`,
      target: `${p99SecondsMax} / ${allSecondsMax} s`,
      isReached: p99 <= p99SecondsMax && all <= allSecondsMax,
    },
    {
      figure: "the same, lost / started twice",
      measured: `${lost} / ${twice}`,
      target: "0 / 0",
      isReached: lost === 0 && twice === 0,
    },
    {
      figure: "the same, DynamoDB calls a run (of them refused by another transaction)",
      measured: `${(calls / schedules).toFixed(2)} (${(conflicts / schedules).toFixed(2)})`,
      target: `at most ${callsMax}`,
      isReached: calls / schedules <= callsMax,
    },
  ];
}

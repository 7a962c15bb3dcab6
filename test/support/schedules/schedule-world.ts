import { createScheduler, type ScheduledShard } from "../../../functions/scheduler/app.ts";
import type { Caller } from "../../../shared/domain/access/caller.ts";
import { isoTimestamp } from "../../../shared/domain/clock.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { updateRun } from "../../../shared/domain/run/update-run.ts";
import { planOf } from "../../../shared/domain/schedule/plan.ts";
import type { Schedule } from "../../../shared/domain/schedule/schedule.ts";
import type { InputChecker } from "../../../shared/domain/workflow/input-checker.ts";
import { DynamoApiKeyStore } from "../../../shared/storage/access/dynamo-api-key-store.ts";
import { DynamoInputSourceStore } from "../../../shared/storage/run/dynamo-input-source-store.ts";
import { DynamoRunStore } from "../../../shared/storage/run/dynamo-run-store.ts";
import { DynamoDueScheduleStore } from "../../../shared/storage/schedule/dynamo-due-schedule-store.ts";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { anOrganization } from "../builders/entities.ts";
import { aSchedule } from "../builders/schedules.ts";
import { KillSwitch } from "../execution/kill-switch.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { createModelStores } from "../stores/model-stores.ts";
import { RecordingLogger } from "../tunnel-world/recording-logger.ts";

/** The scheduler on the model of DynamoDB, with schedules of one organization and one workflow. */
export async function scheduleWorld({ start = "2026-01-15T12:00:30.000Z" } = {}) {
  const clock = new FakeClock(Date.parse(start));
  const logger = new RecordingLogger();
  const inputChecker: Pick<InputChecker, "check"> = { check: async () => ({ kind: "valid" }) };
  const stores = { ...createModelStores({ clock }), logger, inputChecker };
  const organizationId = anOrganization();
  const workflow = await stores.put.workflow({ organizationId });
  const helpers: ScheduledShard[] = [];

  /** A new instance of the function, each of whose calls passes the switch. */
  const instance = (calls = new KillSwitch()) => {
    const client = {
      send: (command: object, ...rest: readonly unknown[]) =>
        calls.call(command.constructor.name, () =>
          Reflect.apply(stores.model.client.send, stores.model.client, [command, ...rest]),
        ),
    };
    const table = new DynamoTable({ client, tableName: "model", clock });
    const stored = { table, clock };
    const scheduler = createScheduler({
      dueSchedules: new DynamoDueScheduleStore(stored),
      apiKeys: new DynamoApiKeyStore(stored),
      runs: new DynamoRunStore(stored),
      inputSources: new DynamoInputSourceStore(stored),
      modelConfigurations: stores.modelConfigurations,
      inputChecker,
      files: watched(stores.files, calls),
      helper: { start: (work) => calls.call("helper", async () => void helpers.push(work)) },
      logger,
      clock,
    });
    return async (event?: ScheduledShard): Promise<"done" | "killed"> =>
      await Promise.race([scheduler(event).then(() => "done" as const), calls.armed()]);
  };

  const make = async (fields: Partial<Schedule> = {}): Promise<Schedule> => {
    const made = aSchedule({
      organizationId,
      workflowId: workflow.id,
      createdAt: isoTimestamp(clock.now()),
      cron: null,
      everyMinutes: 1,
      ...fields,
    });
    const planned = { ...made, ...planOf(made, clock.now()) };
    await stores.schedules.create(planned);
    return planned;
  };

  const runsOf = async ({ id }: Schedule): Promise<readonly Run[]> => {
    const page = { skip: 0, limit: 100 };
    const { items } = await stores.runs.list(organizationId, {}, page);
    return items.filter(({ scheduleId }) => scheduleId === id).toReversed();
  };

  return {
    ...stores,
    helpers,
    organizationId,
    workflow,
    instance,
    make,
    runsOf,
    /** The times of the day at which a schedule's runs were due. */
    startedOf: async (schedule: Schedule) =>
      (await runsOf(schedule)).map(({ createdAt }) => timeOf(createdAt)),
    read: async ({ id }: Schedule) => {
      const schedule = await stores.schedules.find(organizationId, id);
      if (schedule === undefined) throw new Error("the schedule is gone");
      return schedule;
    },
    /** Ends what a schedule has started. */
    endRuns: async (schedule: Schedule) => {
      for (const { id: runId, status } of await runsOf(schedule)) {
        if (status === "scheduling")
          await updateRun(stores, writer(organizationId), { runId, status: "cancelled" });
      }
    },
    /** Invokes the function now, and lets it deal with what is due by then. */
    run: async () => await instance()(),
    goTo: (time: string) => clock.advance(Date.parse(`2026-01-15T${time}Z`) - clock.now()),
  };
}

export type ScheduleWorld = Awaited<ReturnType<typeof scheduleWorld>>;

function writer(organizationId: Caller["organizationId"]): Caller {
  return { kind: "api_key", organizationId, userId: "", principal: "p", keyId: null, scopes: ["write"] };
}

export function timeOf(timestamp: string | null): string | undefined {
  return timestamp?.slice(11, 16);
}

/** Calls of the bucket pass the switch, too. */
function watched<Files extends object>(files: Files, calls: KillSwitch): Files {
  return new Proxy(files, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== "function") return value;
      const isCall = name === "put" || name === "get" || name === "remove";
      return (...given: readonly unknown[]) => {
        const work = () => Reflect.apply(value, target, given);
        return isCall ? calls.call(`bucket ${String(name)}`, work) : work();
      };
    },
  });
}

import { randomUUID } from "node:crypto";
import { isPassing } from "../../../shared/aws/aws-failure.ts";
import { isoTimestamp } from "../../../shared/domain/clock.ts";
import type { Machine } from "../../../shared/domain/machine/machine.ts";
import { matchChanges } from "../../../shared/domain/matching/match-changes.ts";
import type { MatchDeps } from "../../../shared/domain/matching/match-deps.ts";
import type { MatchStore } from "../../../shared/domain/matching/match-store.ts";
import type { MatchTrigger } from "../../../shared/domain/matching/match-trigger.ts";
import { entryOfRun, entryOfSession } from "../../../shared/domain/matching/queue-places.ts";
import type { Pool } from "../../../shared/domain/pool/pool.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import type { IdleMachine, QueueEntry } from "../../../shared/domain/run/waiting/queue-entry.ts";
import type { Session } from "../../../shared/domain/session/session.ts";
import type { FailedRecordsDeps } from "../../../shared/domain/stream/failed-records.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import { AjvInputChecker } from "../../../shared/schema/ajv-input-checker.ts";
import { machineItem } from "../../../shared/storage/machine/machine-item.ts";
import { enqueueWrite, registerPoolSetWrite } from "../../../shared/storage/queue/queue-rows.ts";
import { runItem } from "../../../shared/storage/run/run-item.ts";
import { sessionItem } from "../../../shared/storage/session/session-item.ts";
import type { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import type { Write } from "../../../shared/storage/table/expression.ts";
import { aMachine, anOrganization, aRun } from "../builders/entities.ts";
import { aWorkflow } from "../builders/workflows.ts";
import type { FakeClock } from "../fakes/fake-clock.ts";
import { InMemoryExecutions } from "../fakes/in-memory-executions.ts";
import { InMemoryFileStore } from "../fakes/in-memory-file-store.ts";
import { InMemorySetAside } from "../fakes/in-memory-set-aside.ts";
import { SequentialIds } from "../fakes/sequential-ids.ts";
import { captureLog } from "../shared/captured-log.ts";
import { tableStores } from "../stores/table-stores.ts";

export type MatchWorld = ReturnType<typeof matchWorld>;

const connection = {
  id: "0198c0de-7a1b-7c3d-9e4f-5a6b7c8d9e0f",
  websocketId: "w=",
  host: "api/live/us-east-1",
};

export function matchWorld(
  table: DynamoTable,
  clock: FakeClock,
  organizationExecutionsMax = 50,
  serviceExecutionsMax?: number,
) {
  const organizationId = anOrganization();
  const workflow = aWorkflow({ organizationId });
  const stores = tableStores({ table, clock, organizationExecutionsMax, serviceExecutionsMax });
  const { servicePlaces } = stores;
  const { matches: stored, runs, machines, modelConfigurations, waitingView, put: putting } = stores;
  const left: MatchTrigger[] = [];
  const matches = instead(stored, "leave", async (leave, ...[, changes]: Parameters<MatchStore["leave"]>) => {
    await leave();
    left.push({ kind: "left", organizationId, changes });
  });
  const files = new InMemoryFileStore(clock);
  const durable = new InMemoryExecutions();
  const log = captureLog(clock);
  const ids = new SequentialIds(clock);
  const setAside = new InMemorySetAside();
  const deps: MatchDeps & FailedRecordsDeps<object> = {
    matches,
    servicePlaces,
    runs,
    modelConfigurations,
    files,
    clock,
    ids,
    checker: new AjvInputChecker({ clock }),
    logger: log.logger,
    starter: durable,
    isPassing,
    setAside,
  };
  const write = async (...writes: readonly Write[]) => {
    await table.transact({ writes });
  };
  const put = async <T>(entity: T, item: Extract<Write, { kind: "put" }>["item"]): Promise<T> => {
    await write({ kind: "put", item });
    return entity;
  };
  const anyRun = async (runId: string): Promise<Run> => {
    const run = await runs.find(organizationId, runId);
    if (run === undefined) throw new Error(`there is no run ${runId}`);
    return run;
  };

  const world = {
    left,
    organizationId,
    workflow,
    matches,
    servicePlaces,
    executions: stores.executions,
    runs,
    machines,
    waitingView,
    files,
    durable,
    log,
    deps,
    setAside,
    table,
    clock,
    write,
    modelConfigurations,
    async begin() {
      await putting.workflow(workflow);
      return world;
    },
    putWorkflow: (fields: Partial<Workflow>) => putting.workflow({ organizationId, ...fields }),
    putPool: (fields: Partial<Pool> = {}) => putting.pool({ organizationId, ...fields }),
    putMachine: async (fields: Partial<Machine> = {}) => {
      const machine = aMachine({ organizationId, connection, ...fields });
      return await put(machine, machineItem(machine));
    },
    putSession: async (fields: Partial<Session> = {}): Promise<Session> => {
      const now = isoTimestamp(clock.now());
      const session: Session = {
        id: randomUUID(),
        organizationId,
        status: "pending",
        machineId: null,
        poolIds: [],
        isPriority: false,
        createdAt: now,
        usedAt: now,
        ...fields,
      };
      return await put(session, sessionItem(session));
    },
    putReserved: async () => {
      const sessionId = randomUUID();
      const machine = await world.putMachine({ reservedSessionId: sessionId });
      const session = await world.putSession({ id: sessionId, status: "active", machineId: machine.id });
      return { machine, session };
    },
    queueRun: async (fields: Partial<Run> = {}, session?: Session): Promise<Run> => {
      clock.advance(1);
      const at = isoTimestamp(clock.now());
      const run = aRun({
        organizationId,
        workflowId: workflow.id,
        id: ids.uuid7(),
        createdAt: at,
        queuedAt: at,
        ...(session === undefined ? {} : { sessionId: session.id }),
        ...fields,
      });
      const entries = [entryOfRun(run), ...(session?.status === "pending" ? [entryOfSession(session)] : [])];
      const sets = entries.flatMap(({ target }): readonly Write[] =>
        target.kind === "pools" ? [registerPoolSetWrite(organizationId, target.poolIds, randomUUID())] : [],
      );
      await write({ kind: "put", item: runItem(run) }, ...entries.map(enqueueWrite), ...sets);
      return run;
    },
    run: anyRun,
    machine: async (machine: Pick<Machine, "id">): Promise<Machine> => {
      const found = await machines.find(organizationId, machine.id);
      if (found === undefined) throw new Error(`there is no machine ${machine.id}`);
      return found;
    },
    session: async (session: Pick<Session, "id">): Promise<Session | undefined> =>
      await runs.findSession(organizationId, session.id),
    idle: async (poolId?: string): Promise<readonly IdleMachine[]> => {
      const found: IdleMachine[] = [];
      for (let after: string | undefined; ; ) {
        const page = await matches.idlePage(organizationId, poolId, 16, after);
        found.push(...page.machines);
        after = page.next;
        if (after === undefined) return found;
      }
    },
    finish: async (runId: string, fields: Partial<Pick<Run, "outputData">> = {}) => {
      const { assignmentId } = await anyRun(runId);
      const change = { status: "success", endedAt: isoTimestamp(clock.now()), ...fields } as const;
      const expected = { assignmentId: assignmentId ?? "" };
      const outcome = await runs.update(organizationId, runId, change, expected);
      if (outcome.kind !== "updated") throw new Error(`the run was not ended: ${outcome.kind}`);
    },
    queued: (run: Run): MatchTrigger => ({ kind: "queued", organizationId, entry: entryOfRun(run) }),
    place: (session: Session): QueueEntry => entryOfSession(session),
    changed: (machine: Pick<Machine, "id">): MatchTrigger => ({
      kind: "machine_changed",
      organizationId,
      machineId: machine.id,
    }),
    match: async (...given: readonly MatchTrigger[]) => {
      for (let triggers = given; triggers.length > 0; triggers = left.splice(0)) {
        const failed = await matchChanges(deps, triggers, clock.now() + 60_000);
        if (failed.size > 0) throw new Error(`${failed.size} triggers failed:\n${log.text()}`);
      }
    },
  };
  return world;
}

export function instead<Store extends object, Given extends readonly unknown[]>(
  store: Store,
  method: keyof Store,
  does: (original: () => Promise<unknown>, ...given: Given) => Promise<unknown>,
): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const original: unknown = Reflect.get(target, name);
      if (typeof original !== "function") return original;
      return async (...given: unknown[]) => {
        const call = async (): Promise<unknown> => await Reflect.apply(original, target, given);
        // The test knows the types of the method's arguments.
        return name === method ? await does(call, ...(given as unknown as Given)) : await call();
      };
    },
  });
}

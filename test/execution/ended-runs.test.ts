import { describe, expect, it } from "vitest";
import { type Caller, serviceCaller } from "../../shared/domain/access/caller.ts";
import { deleteMachine, deleteRun } from "../../shared/domain/entity/delete-entity.ts";
import { endFailedExecution } from "../../shared/domain/execution/engine/end-failed-execution.ts";
import { executeRun } from "../../shared/domain/execution/engine/execute-run.ts";
import { finishMachineDeletion } from "../../shared/domain/maintenance/finish-machine-deletion.ts";
import { beginClearing, finishClearing } from "../../shared/domain/reservation/clear-reservation.ts";
import { cancelRun } from "../../shared/domain/run/cancel-run.ts";
import { retryRun } from "../../shared/domain/run/retry/retry-run.ts";
import { updateRun } from "../../shared/domain/run/update-run.ts";
import { type ExecutionWorld, executionWorld } from "../support/execution/execution-world.ts";
import { type CallPoint, KillSwitch } from "../support/execution/kill-switch.ts";
import { MemoryDurable } from "../support/execution/memory-durable.ts";
import { scrolls, smallDesk } from "../support/execution/plain-recording.ts";

const recording = scrolls(4);

async function interrupted(
  at: (point: CallPoint) => boolean,
  happens: (world: ExecutionWorld) => Promise<void>,
) {
  let doneBefore: number | undefined;
  // An error here would be the execution's.
  let wrong: unknown;
  const kills = new KillSwitch(undefined, async (point) => {
    if (doneBefore !== undefined || !at(point)) return;
    doneBefore = world.driver.done.length;
    await happens(world).catch((cause: unknown) => {
      wrong = cause;
    });
  });
  const world = await executionWorld({ recording, desk: smallDesk, kills, secrets: {} });
  const executed = await world.execute();
  if (wrong !== undefined) throw wrong;
  return { world, executed, doneBefore, doneAfter: world.driver.done.length - (doneBefore ?? 0) };
}

function callerOf({ organizationId, run }: ExecutionWorld): Caller {
  return { ...serviceCaller(organizationId, run.id), scopes: ["write"] };
}

type Change = (world: ExecutionWorld) => Promise<void>;

const cancel: Change = async (world) =>
  void (await updateRun(worldDeps(world), callerOf(world), {
    runId: world.job.runId,
    assignmentId: world.job.assignmentId,
    status: "cancelled",
  }));

const endings: readonly (readonly [string, Change])[] = [
  ["cancelled", cancel],
  ["deleted", async (world) => await deleteRun(worldDeps(world), callerOf(world), { id: world.run.id })],
  [
    "retried",
    async (world) => {
      await cancel(world);
      await retryRun(worldDeps(world), callerOf(world), { runId: world.run.id, reuseSession: false });
    },
  ],
  [
    "retried and assigned anew",
    async (world) => {
      await cancel(world);
      const again = await retryRun(worldDeps(world), callerOf(world), {
        runId: world.run.id,
        reuseSession: false,
        machineId: world.machine.id,
      });
      await world.stores.put.assign(again, { machineId: world.machine.id });
    },
  ],
  [
    "cancelled with its machine's reservation",
    async (world) => {
      const { organizationId, machine, stores, clock } = world;
      await beginClearing({ ...stores, clock }, { organizationId, machineId: machine.id });
      await finishClearing({ ...stores, clock }, organizationId, machine.id);
    },
  ],
  [
    "ended with its machine, which was deleted",
    async (world) => {
      const { organizationId, machine, stores, clock, logger } = world;
      await deleteMachine({ ...stores, clock }, callerOf(world), { id: machine.id });
      const deps = { ...stores, clock, logger, dismissal: { dismiss: async () => undefined } };
      await finishMachineDeletion(deps as never, organizationId, machine.id);
    },
  ],
  [
    "cancelled by a user",
    async (world) => void (await cancelRun(worldDeps(world), callerOf(world), { runId: world.run.id })),
  ],
];

function worldDeps({ stores, clock, logger, deps }: ExecutionWorld) {
  return { ...stores, clock, logger, inputs: deps.outputChecker, checker: deps.outputChecker } as never;
}

const places: readonly (readonly [string, (point: CallPoint) => boolean])[] = [
  ["before it begins", ({ number, when }) => number === 1 && when === "before"],
  ...["begin", "step 1", "step 2", "step 3", "step 4"].map(
    (name) =>
      [
        `after ${name}`,
        (point: CallPoint) => point.name === `checkpoint ${name}` && point.when === "after",
      ] as const,
  ),
];

const [, , , betweenSteps = () => false] = places.map(([, at]) => at);

async function carryOutNext(world: ExecutionWorld) {
  const { organizationId, workflow, machine, clock, deps, stores, driver } = world;
  const before = driver.done.length;
  const next = await stores.put.run({
    organizationId,
    workflowId: workflow.id,
    machineId: machine.id,
    executor: "service",
    status: "running",
  });
  const job = { organizationId, runId: next.id, assignmentId: next.assignmentId ?? "", part: 1 };
  const durable = new MemoryDurable({ clock, arn: "next" });
  const executed = await durable.run((engine) => executeRun(engine, deps, job));
  return { executed, done: driver.done.length - before };
}

describe("a run that ends while it is carried out", () => {
  it.each(endings)("does nothing more once it is %s", async (_, happens) => {
    for (const [where, at] of places) {
      const { world, executed, doneAfter } = await interrupted(at, happens);
      expect({ where, executed, doneAfter }).toEqual({
        where,
        executed: { kind: "stopped", reason: "run_ended" },
        doneAfter: 0,
      });
      expect(await world.find()).not.toMatchObject({ status: "success" });
    }
  });

  it.each(endings)("at most finishes the action that is under way when it is %s", async (_, happens) => {
    let seen = 0;
    const { executed, doneAfter } = await interrupted(({ name, when }) => {
      if (name === "desktop /computer/batch" && when === "before") seen += 1;
      return seen === 2;
    }, happens);
    expect(executed).toEqual({ kind: "stopped", reason: "run_ended" });
    expect(doneAfter).toBeLessThanOrEqual(1);
  });

  const leaving = endings.filter(([what]) => !/anew|which was deleted/.test(what));
  it.each(leaving)(
    "leaves its machine to the next run, which is carried out, when it is %s",
    async (_, happens) => {
      for (const [where, at] of places) {
        const { world } = await interrupted(at, happens);
        expect({ where, ...(await carryOutNext(world)) }).toEqual({
          where,
          executed: { kind: "ended", status: "success" },
          done: 4,
        });
      }
    },
  );
});

describe("what a run goes by", () => {
  it.each<[string, Change]>([
    [
      "its workflow is changed",
      async ({ organizationId, workflow, stores }) =>
        void (await stores.workflows.update(organizationId, workflow.id, {
          maxSteps: 1,
          replay: "never",
          updatedAt: new Date().toISOString(),
        })),
    ],
    [
      "its workflow is deleted",
      async ({ organizationId, workflow, stores }) =>
        void (await stores.workflows.markDeleted(organizationId, workflow.id, new Date().toISOString())),
    ],
    [
      "its trajectory is not approved any more",
      async ({ organizationId, trajectory, stores }) =>
        void (await stores.trajectories.update(organizationId, trajectory.id, {
          isApproved: false,
          updatedAt: new Date().toISOString(),
        })),
    ],
    [
      "its trajectory is deleted",
      async ({ organizationId, trajectory, stores }) =>
        void (await stores.trajectories.markDeleted(organizationId, trajectory.id, new Date().toISOString())),
    ],
  ])("stays when %s", async (_, happens) => {
    for (const [where, at] of places.slice(1)) {
      const { executed, world } = await interrupted(at, happens);
      expect({ where, executed, done: world.driver.done.length }).toEqual({
        where,
        executed: { kind: "ended", status: "success" },
        done: 4,
      });
    }
  });
});

describe("two executions of one assignment", () => {
  const other = async ({ clock, deps, stores, job }: ExecutionWorld) =>
    await new MemoryDurable({ clock, arn: "another" }).run((engine) =>
      executeRun(engine, { ...deps, ...stores } as never, job),
    );

  it("leave the run to the first one while that is alive, wherever it is", async () => {
    for (const [where, at] of places.slice(1)) {
      let second: unknown;
      const { executed, world } = await interrupted(at, async (here) => {
        second = await other(here);
      });
      expect({ where, executed, second, done: world.driver.done.length }).toEqual({
        where,
        executed: { kind: "ended", status: "success" },
        done: 4,
        second: { kind: "stopped", reason: "taken" },
      });
    }
  });

  it("leave it to the first one also when that is dead, and goes on later", async () => {
    let isDead = false;
    const kills = new KillSwitch(({ name, when }) => {
      const dies = !isDead && name === "checkpoint step 2" && when === "before";
      isDead ||= dies;
      return dies;
    });
    const world = await executionWorld({ recording, desk: smallDesk, kills, secrets: {} });
    await expect(world.execute({ invocationsMax: 1 })).rejects.toThrow("did not end");
    expect(await other(world)).toEqual({ kind: "stopped", reason: "taken" });
    expect(world.driver.done).toHaveLength(2);
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(world.driver.done).toHaveLength(4);
  });

  it("do nothing when the first one was stopped, which ends the run", async () => {
    const world = await executionWorld({ recording, desk: smallDesk, secrets: {} });
    await world.deps.executions.begin(world.job, world.durable.arn);
    await endFailedExecution(worldDeps(world), world.job);
    expect(await other(world)).toEqual({ kind: "stopped", reason: "run_ended" });
    expect(await world.execute()).toEqual({ kind: "stopped", reason: "run_ended" });
    expect(world.driver.done).toEqual([]);
    expect(await carryOutNext(world)).toEqual({ executed: { kind: "ended", status: "success" }, done: 4 });
  });

  it("do nothing after the first one has ended the run", async () => {
    const world = await executionWorld({ recording, desk: smallDesk, secrets: {} });
    await world.execute();
    expect(await other(world)).toEqual({ kind: "stopped", reason: "run_ended" });
    expect(world.driver.done).toHaveLength(4);
  });

  it("let one that was stopped do nothing more, while its run has begun anew", async () => {
    const { executed, world } = await interrupted(betweenSteps, async (world) => {
      const { organizationId, runId } = world.job;
      await endings[3]?.[1](world);
      const run = await world.stores.runs.find(organizationId, runId);
      const job = { organizationId, runId, assignmentId: run?.assignmentId ?? "", part: 1 };
      expect(await other({ ...world, job })).toEqual({ kind: "ended", status: "success" });
    });
    expect(executed).toEqual({ kind: "stopped", reason: "run_ended" });
    expect(world.driver.done).toHaveLength(6);
    expect(await world.find()).toMatchObject({ status: "success", attempt: 2 });
  });
});

import { describe, expect, it } from "vitest";
import type { Durable } from "../../../shared/domain/durable/durable.ts";
import { firstCursor } from "../../../shared/domain/execution/engine/begin-execution.ts";
import { executeRun, stepsOfExecutionMax } from "../../../shared/domain/execution/engine/execute-run.ts";
import { executionWorld } from "../../support/execution/execution-world.ts";
import { type CallPoint, KillSwitch } from "../../support/execution/kill-switch.ts";
import { plainRecording, scrolls, smallDesk } from "../../support/execution/plain-recording.ts";
import type { Recording } from "../../support/execution/record-demo.ts";

const small = { desk: smallDesk, secrets: {}, workflow: { maxSteps: 1_000 } } as const;

function isService({ name }: CallPoint): boolean {
  return !name.startsWith("checkpoint") && !name.startsWith("desktop");
}

/** Table and bucket are away for so long, once, as soon as that checkpoint was taken; from the start without one. */
async function whileAway(recording: Recording, checkpoint: string | undefined, awayMs: number) {
  let awayUntilMs: number | undefined;
  let failed = 0;
  const kills = new KillSwitch(undefined, async (point) => {
    const begins = point.name === `checkpoint ${checkpoint}` && point.when === "after";
    if (begins) awayUntilMs ??= world.clock.now() + awayMs;
    if (awayUntilMs === undefined || !isService(point) || world.clock.now() >= awayUntilMs) return;
    failed += 1;
    throw new Error("connect ECONNREFUSED");
  });
  const world = await executionWorld({ recording, ...small, kills });
  if (checkpoint === undefined) awayUntilMs = world.clock.now() + awayMs;
  const executed = await world.executeAll();
  return { world, executed, failed: () => failed };
}

describe("a table and a bucket that are away for two minutes", () => {
  it.each<[string, string | undefined, number]>([
    ["begins", undefined, 4],
    ["reads what it goes by", "begin", 4],
    ["takes a step", "step 2", 4],
    ["ends", "step 5", 4],
    ["is handed over", `step ${stepsOfExecutionMax}`, stepsOfExecutionMax + 2],
  ])("are waited for when an execution %s, and every action is done once", async (_, checkpoint, actions) => {
    const { world, executed, failed } = await whileAway(scrolls(actions), checkpoint, 120_000);
    expect(executed).toEqual({ kind: "ended", status: "success" });
    expect(failed()).toBeGreaterThan(3);
    expect(world.driver.done).toHaveLength(actions);
    expect((await world.steps()).map(({ status }) => status)).toEqual(Array(actions + 1).fill("done"));
  });
});

describe("a run whose end has to be tried again", () => {
  it("has one last picture", async () => {
    const typing = plainRecording([{ type: "type", text: "without a screen" }]);
    const world = await executionWorld({ recording: typing, ...small });
    const { runs } = world.deps;
    let tries = 0;
    const update: typeof runs.update = async (...given) => {
      tries += 1;
      if (tries < 4) throw new Error("connect ECONNREFUSED");
      return await world.stores.runs.update(...given);
    };
    Object.assign(world.deps, { runs: Object.assign(Object.create(runs), { update }) });
    expect(await world.execute()).toEqual({ kind: "ended", status: "error" });
    expect(tries).toBe(4);
    expect((await world.steps()).map(({ source }) => source)).toEqual(["replay", "service"]);
    expect((await world.find())?.error[1]).toContain("the screenshot of step 2");
  });
});

describe("services that stay away", () => {
  it("end the execution after some ten minutes: its event ends the run", async () => {
    const world = await executionWorld({ recording: scrolls(1), ...small });
    const { durable, clock, deps } = world;
    deps.executions.begin = async () => Promise.reject(new Error("connect ECONNREFUSED"));
    const fromMs = clock.now();
    await expect(world.execute()).rejects.toThrow("begin of the execution of a run failed 15 times");
    expect((clock.now() - fromMs) / 60_000).toBeCloseTo(10, 0);
    expect(durable.operations).toHaveLength(29);
  });

  it("end the run as executor_failed while the table is there", async () => {
    const world = await executionWorld({ recording: scrolls(4), ...small });
    const { files } = world.deps;
    const put = files.put.bind(files);
    files.put = async (...given) => {
      if (given[2] === "image/png") throw new Error("connect ECONNREFUSED");
      await put(...given);
    };
    expect(await world.execute()).toEqual({ kind: "ended", status: "error" });
    expect(await world.find()).toMatchObject({ errorCode: "executor_failed" });
    expect(world.driver.done).toHaveLength(1);
  });

  it("lead to the next execution before the engine's 3,000 operations", async () => {
    const world = await executionWorld({ recording: scrolls(1), ...small });
    const results: Record<string, unknown> = {
      begin: { kind: "going", cursor: firstCursor(0) },
      "hand over": { isOurs: true },
      "step 1": { kind: "next", cursor: firstCursor(0), waitSeconds: 5, yields: false },
    };
    let operations = 0;
    let tries = 0;
    const durable = {
      arn: "arn",
      remainingMs: () => 900_000,
      step: async (name: string) => {
        operations += 1;
        tries += 1;
        return tries % 15 === 0 ? { result: results[name] } : { isFailed: true };
      },
      wait: async () => {
        operations += 1;
      },
    } as unknown as Durable;
    const executed = await executeRun(durable, world.deps, world.job);
    expect(executed).toEqual({ kind: "handed_over", to: `${world.job.assignmentId}-2` });
    expect(operations).toBeGreaterThan(2_500);
    expect(operations).toBeLessThan(2_600);
  });
});

import { beforeAll, describe, expect, it } from "vitest";
import type { Action } from "../../shared/domain/action/action.ts";
import type { ModelReply, ModelRequest } from "../../shared/domain/model/language-models.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import {
  type ExecutionWorld,
  type ExecutionWorldOptions,
  executionWorld,
} from "../support/execution/execution-world.ts";
import { failedWith, replyWith } from "../support/execution/fake-models.ts";
import { giveFiles } from "../support/execution/input-files.ts";
import { plainRecording, scroll, scrolls, smallDesk } from "../support/execution/plain-recording.ts";
import type { Recording } from "../support/execution/record-demo.ts";

const maxSeconds = 12;
const workflow = { maxDurationSeconds: maxSeconds };
const small = { desk: smallDesk, secrets: {}, workflow } as const;

/** How long the run took until it had ended, in milliseconds. */
async function msOf(world: ExecutionWorld): Promise<number> {
  const fromMs = world.clock.now();
  await world.execute();
  return world.clock.now() - fromMs;
}

/** The durable engine waits in whole seconds, and the last picture is taken after the end. */
async function expectTimeOver(world: ExecutionWorld): Promise<void> {
  const tookMs = await msOf(world);
  const { errorCode, error } = (await world.find()) ?? {};
  expect([errorCode, error?.[0]]).toEqual([
    "limit_reached",
    "the run took 12 seconds, which are the workflow's max_duration_seconds",
  ]);
  expect(tookMs).toBeGreaterThan(maxSeconds * 1_000 - 1_000);
  expect(tookMs).toBeLessThanOrEqual(maxSeconds * 1_000 + 1_500);
}

describe("a call of a model", () => {
  /** A reply that takes so long, with what else is given. */
  async function askedWith(
    decide: (request: ModelRequest, world: ExecutionWorld) => ModelReply,
    model: Partial<NonNullable<ExecutionWorldOptions["model"]>> = {},
  ): Promise<ExecutionWorld> {
    const world: ExecutionWorld = await executionWorld({
      ...small,
      recording: scrolls(1),
      model: { decide: (request) => decide(request, world), ...model },
    });
    return world;
  }

  it("has the smaller of its own time and what is left of the run's", async () => {
    const world = await askedWith(
      ({ timeoutMs }, { clock }) => {
        clock.advance(Math.min(timeoutMs, 5_000));
        return timeoutMs < 5_000 ? failedWith("unavailable") : replyWith([scroll]);
      },
      { choices: [{ timeoutSeconds: 7 }] },
    );
    await expectTimeOver(world);
    const times = world.requests.map(({ timeoutMs }) => timeoutMs);
    expect([times.length, times[0]]).toEqual([3, 7_000]);
    expect(times[2]).toBeGreaterThan(1_000);
    expect(times[2]).toBeLessThanOrEqual(2_000);
  });

  it("is cut off by the run's end, which is no fault of the provider's: no fallback is asked", async () => {
    const world = await askedWith(
      (request, { clock }) => {
        clock.advance(request.timeoutMs);
        return failedWith("unavailable");
      },
      { choices: [{}, { model: "a-fallback" }] },
    );
    await expectTimeOver(world);
    expect(world.requests).toHaveLength(1);
  });

  it("is not begun in the run's last second", async () => {
    const world = await askedWith((_request, { clock }) => {
      clock.advance(maxSeconds * 1_000 - 500);
      return replyWith([scroll]);
    });
    await expectTimeOver(world);
    expect(world.requests).toHaveLength(1);
    expect(world.driver.done).toHaveLength(1);
  });

  it("that reads the screen is not begun then, either", async () => {
    const read: Action = { type: "read", question: "which?", save_as: "which" };
    const world = await askedWith(({ timeoutMs }, { clock, requests }) => {
      if (requests.length === 1) return replyWith([read]);
      clock.advance(timeoutMs);
      return failedWith("unavailable");
    });
    await expectTimeOver(world);
    expect(world.requests).toHaveLength(2);
  });

  it("is not waited for past the run's end, however long the provider asks to wait", async () => {
    const world = await askedWith(() => failedWith("unavailable", 300_000));
    await expectTimeOver(world);
    expect(world.requests).toHaveLength(1);
  });
});

describe("a wait", () => {
  let demo: Recording;

  beforeAll(async () => {
    demo = await demoRecording();
  });

  const ofScreen = (options: Partial<ExecutionWorldOptions>) => ({ recording: demo, workflow, ...options });

  it.each<[string, () => ExecutionWorldOptions]>([
    ["of 8 s and one more", () => ({ ...small, recording: plainRecording([wait(8), wait(8)]) })],
    ["of 4.9 s, again and again", () => ({ ...small, recording: plainRecording(Array(20).fill(wait(4.9))) })],
    [
      "that a model asks for",
      () => ({
        ...small,
        recording: scrolls(1),
        model: { decide: (_request, nth) => replyWith([wait(4.8 + nth / 100)]) },
      }),
    ],
    ["for a screen", () => ofScreen({ desk: { openingMs: 30_000 }, timeoutMs: 20_000 })],
    ["for letters", () => ofScreen({ desk: { losesFocus: "item" }, timeoutMs: 20_000 })],
    [
      "before another try, while a service fails,",
      () => ({ ...small, recording: scrolls(2), between: () => Promise.reject(new Error("away")) }),
    ],
  ])("%s ends with the run", async (_, options) => {
    await expectTimeOver(await executionWorld(options()));
  });

  it("for a desktop that is away ends with the run", async () => {
    const world = await executionWorld({ ...small, recording: scrolls(2) });
    world.driver.isAway = true;
    await expectTimeOver(world);
  });

  it("for the last screen ends with the run", async () => {
    const late = plainRecording([wait(7)]);
    await expectTimeOver(await executionWorld({ ...small, recording: { ...late, expect: demo.expect } }));
  });

  it("for an upload ends with the run", async () => {
    const world = await executionWorld({ ...small, recording: scrolls(1) });
    const [id = ""] = await giveFiles(world, [{ filename: "a.csv", content: "" }]);
    await world.files.remove(world.files.attachmentKey(world.organizationId, world.run.id, id));
    await expectTimeOver(world);
  });
});

function wait(seconds: number): Action {
  return { type: "wait", seconds };
}

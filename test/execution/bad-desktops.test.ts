import { beforeAll, describe, expect, it } from "vitest";
import type { DriverAnswer, DriverRequest } from "../../shared/domain/tunnel/driver-channel.ts";
import { pngCodec } from "../../shared/pictures/png-codec.ts";
import { writePng } from "../../shared/pictures/write-png.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import type { DeskProcess } from "../support/execution/driver-process.ts";
import { executionWorld } from "../support/execution/execution-world.ts";
import { giveFiles } from "../support/execution/input-files.ts";
import { type CallPoint, KillSwitch } from "../support/execution/kill-switch.ts";
import { plainRecording, scroll, scrolls, smallDesk } from "../support/execution/plain-recording.ts";
import type { Recording } from "../support/execution/record-demo.ts";

const small = { desk: smallDesk, secrets: {} } as const;
const success = { kind: "ended", status: "success" };

let recording: Recording;
let longText: Recording;

beforeAll(async () => {
  recording = await demoRecording();
  longText = { ...recording, elements: recording.elements.slice(0, 4), expect: [] };
});

function isBatch({ path }: DriverRequest): boolean {
  return path === "/computer/batch";
}

function json(status: number, value: unknown): DriverAnswer {
  const body = new TextEncoder().encode(JSON.stringify(value));
  return { kind: "answered", status, headers: { "content-type": "application/json" }, body };
}

function bomb(width: number, height: number): Uint8Array {
  return writePng({ width, height }, Buffer.alloc(1_000_000), {});
}

describe("a desktop that is away", () => {
  it.each([5_000, 60_000])("is waited for, %d ms, and gets every action once", async (awayMs) => {
    let backAtMs = Number.POSITIVE_INFINITY;
    let calls = 0;
    const world = await executionWorld({
      recording: scrolls(4),
      ...small,
      between: async (request, driver) => {
        if (isBatch(request)) calls += 1;
        if (calls === 2) backAtMs = Math.min(backAtMs, world.clock.now() + awayMs);
        driver.isAway = calls >= 2 && world.clock.now() < backAtMs;
        return await driver.request(request);
      },
    });
    expect(await world.execute()).toEqual(success);
    expect(world.driver.done).toHaveLength(4);
  });

  it("ends the run as machine_unavailable when it stays away", async () => {
    const world = await executionWorld({ recording: scrolls(4), ...small });
    world.driver.isAway = true;
    const fromMs = world.clock.now();
    await world.execute();
    expect(await world.find()).toMatchObject({ status: "error", errorCode: "machine_unavailable" });
    expect(world.clock.now() - fromMs).toBeLessThan(330_000);
    expect(world.driver.done).toEqual([]);
  });

  it("answers nobody knows what: it is asked again, and nothing is done twice", async () => {
    let lost = 0;
    const world = await executionWorld({
      recording: scrolls(4),
      ...small,
      between: async (request, driver) => {
        const answer = await driver.request(request);
        if (!isBatch(request) || request.repeat) return answer;
        lost += 1;
        return { kind: lost % 2 === 0 ? "timeout" : "connection_lost" };
      },
    });
    expect(await world.execute()).toEqual(success);
    expect(world.driver.done).toHaveLength(4);
  });

  it.each([
    ["before it was done", {}],
    ["after it was done", {}],
    ["after it was done, its letters late", { lateLettersMs: 9_000 }],
  ] as const)(
    "is replaced by another connection during an action, %s: what is seen decides",
    async (when, desk) => {
      let calls = 0;
      const world = await executionWorld({
        recording,
        desk,
        between: async (request, driver) => {
          calls += isBatch(request) && !request.repeat ? 1 : 0;
          if (!isBatch(request) || request.repeat || calls !== 4) return await driver.request(request);
          if (when !== "before it was done") await driver.request(request);
          driver.restart();
          return { kind: "connection_lost" };
        },
      });
      expect(await world.execute()).toEqual(success);
      expect(world.driver.screen.desk.orders).toMatchObject([{ item: "Chair", quantity: 2 }]);
      const steps = await world.steps();
      expect(steps.filter(({ status }) => status === "unknown")).toHaveLength(1);
    },
  );
});

describe("a desktop that refuses", () => {
  it("ends the run as step_failed with its words, cut short", async () => {
    const world = await executionWorld({
      recording: scrolls(4),
      ...small,
      between: async (request, driver) =>
        isBatch(request)
          ? json(422, { error: `the wheel is stuck ${"x".repeat(5_000)}` })
          : await driver.request(request),
    });
    await world.execute();
    const run = await world.find();
    expect(run).toMatchObject({ status: "error", errorCode: "step_failed" });
    expect(run?.error[0]).toContain("the wheel is stuck");
    expect(run?.error[0]?.length).toBeLessThan(1_100);
    expect(await world.steps()).toMatchObject([{ status: "failed" }, { source: "service" }]);
  });

  it("ends it with as many words when files are removed before", async () => {
    const world = await executionWorld({
      recording: scrolls(1),
      ...small,
      between: async (request, driver) => {
        if (isBatch(request)) return json(422, { error: "x".repeat(5_000) });
        return request.path.startsWith("/computer/fs") ? json(200, {}) : await driver.request(request);
      },
    });
    await giveFiles(world, [{ filename: "orders.csv", content: "", isRemoved: true }]);
    expect(await world.execute()).toEqual({ kind: "ended", status: "error" });
    expect((await world.find())?.error[0]?.length).toBeGreaterThan(1_000);
    const actions = (await world.steps()).map(({ action }) => action.type);
    expect(actions).toEqual(["write_file", "scroll", "remove_file", "screenshot"]);
  });

  it("ends it so too when it gives no pictures, and its words are without secrets", async () => {
    const pin = 'a "quoted" one';
    const world = await executionWorld({
      recording,
      secrets: { pin },
      between: async (request, driver) =>
        request.path.endsWith("/screenshot")
          ? json(400, { error: `no screen for ${JSON.stringify(pin)}` })
          : await driver.request(request),
    });
    await world.execute();
    const run = await world.find();
    expect(run).toMatchObject({ errorCode: "step_failed" });
    expect(run?.error).toEqual(['step 1: what the desktop answers cannot be used: no screen for "{$pin}"']);
    expect(world.driver.done).toEqual([]);
  });
});

describe("a driver that lacks what a step needs", () => {
  it("ends the run at the first try", async () => {
    let looks = 0;
    const world = await executionWorld({
      recording: scrolls(1),
      ...small,
      between: async (request, driver) => {
        if (!request.path.endsWith("/screenshot")) return await driver.request(request);
        looks += 1;
        return json(501, { error: "not implemented" });
      },
    });
    await world.execute();
    const run = await world.find();
    expect(run).toMatchObject({ status: "error", errorCode: "step_failed" });
    expect(run?.error[0]).toContain("not implemented");
    expect(looks).toBe(2);
  });
});

describe("a desktop with hostile answers", () => {
  const withPicture = (png: Uint8Array): DriverAnswer =>
    json(200, {
      results: [{ type: "type", status: "done" }],
      screenshot: { png: Buffer.from(png).toString("base64"), settled: true, width: 320, height: 200 },
    });
  const tiny = pngCodec.encode({ width: 64, height: 40, data: new Uint8Array(64 * 40 * 3) });

  it.each<[string, DriverAnswer, string]>([
    ["a picture that declares more than memory", withPicture(bomb(30_000, 30_000)), "step_failed"],
    ["a picture with more data than it declares", withPicture(bomb(64, 40)), "step_failed"],
    ["half a picture", withPicture(bomb(64, 40).subarray(0, 60)), "step_failed"],
    ["a picture of another size", withPicture(tiny), "replay_diverged"],
    ["no results", json(200, {}), "step_failed"],
    ["other results", json(200, { results: [{ status: "perhaps" }] }), "step_failed"],
    [
      "no JSON",
      { ...json(200, {}), body: new TextEncoder().encode("<html>") } as DriverAnswer,
      "step_failed",
    ],
  ])("ends the run when it answers typing with %s", async (_, answer, errorCode) => {
    const world = await executionWorld({
      recording,
      between: async (request, driver) => {
        const isTyping = new TextDecoder().decode(request.body).includes('"type":"type"');
        const own = await driver.request(request);
        return isTyping ? answer : own;
      },
    });
    await world.execute();
    expect(await world.find()).toMatchObject({ status: "error", errorCode });
    expect(world.driver.done).toHaveLength(4);
  });
});

describe("a step that ends its function each time", () => {
  it("ends the run at the fourth try", async () => {
    let tries = 0;
    const kills = new KillSwitch(({ name, when }) => {
      if (name !== "desktop /computer/batch" || when !== "before") return false;
      tries += 1;
      return true;
    });
    const world = await executionWorld({ recording: scrolls(4), ...small, kills });
    expect(await world.execute()).toEqual({ kind: "ended", status: "error" });
    expect(await world.find()).toMatchObject({ errorCode: "step_keeps_failing" });
    expect(tries).toBe(3);
    expect(world.driver.done).toEqual([]);
  });
});

describe("a step whose function ends between its record and its result", () => {
  const killedAfterRecord = async (
    recorded: Recording,
    name: string,
    options: Partial<Parameters<typeof executionWorld>[0]> = {},
  ) => {
    let isDone = false;
    const kills = new KillSwitch((point: CallPoint) => {
      if (isDone || point.name !== `checkpoint ${name}` || point.when !== "before") return false;
      isDone = true;
      return true;
    });
    const world = await executionWorld({ recording: recorded, ...small, ...options, kills });
    const executed = await world.execute();
    expect(isDone).toBe(true);
    return { world, executed, run: await world.find() };
  };

  it("lets a run that gave up not succeed", async () => {
    const gaveUp = plainRecording([scroll, { type: "fail", reason: "there is no such customer" }]);
    const { run, world } = await killedAfterRecord(gaveUp, "step 2");
    expect(run).toMatchObject({ status: "task_failed", error: ["there is no such customer"] });
    expect(await world.steps()).toHaveLength(2);
  });

  it("keeps why the screen was not the recorded one", async () => {
    const { run } = await killedAfterRecord(recording, "step 1", {
      desk: { theme: "dark" },
      secrets: { pin: "9753" },
      timeoutMs: 500,
    });
    const error = [expect.stringContaining("nothing was done: step 1 "), expect.anything()];
    expect(run).toMatchObject({ status: "error", errorCode: "start_not_reached", error });
  });

  it("types the rest of a long text", async () => {
    const { run, world } = await killedAfterRecord(longText, "step 4", {
      desk: {},
      inputs: { item: "x".repeat(7_000) },
    });
    expect(run).toMatchObject({ status: "success" });
    const typed = (world.driver as DeskProcess).screen.events.filter(({ kind }) => kind === "type");
    expect(typed.map((event) => ("text" in event ? event.text.length : 0))).toEqual([5_000, 2_000]);
  });

  it("waits all the same", async () => {
    const waits = plainRecording([{ type: "wait", seconds: 30 }, scroll]);
    const { world } = await killedAfterRecord(waits, "step 1");
    expect(world.durable.operations.filter(({ kind }) => kind === "wait")).toHaveLength(1);
  });
});

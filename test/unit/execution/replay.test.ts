import { beforeAll, describe, expect, it } from "vitest";
import { demoRecording } from "../../support/execution/demo-recording.ts";
import { executionWorld } from "../../support/execution/execution-world.ts";
import type { Recording } from "../../support/execution/record-demo.ts";

let recording: Recording;

beforeAll(async () => {
  recording = await demoRecording();
});

describe("a replay", () => {
  it("does what was recorded with this run's inputs, and puts out what is this run's", async () => {
    const world = await executionWorld({ recording });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    const run = await world.find();
    expect(run).toMatchObject({ status: "success", error: [], errorCode: null });
    expect(run?.outputData).toMatchObject({ value: { item: "Chair", quantity: 2 } });
    expect(world.driver.screen.desk.orders).toMatchObject([{ item: "Chair", quantity: 2 }]);
  });
});

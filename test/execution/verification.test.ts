import { describe, expect, it } from "vitest";
import { demoRecording, returningRecording } from "../support/execution/demo-recording.ts";
import {
  type ExecutionWorld,
  type ExecutionWorldOptions,
  executionWorld,
} from "../support/execution/execution-world.ts";
import { eachKind, KillSwitch } from "../support/execution/kill-switch.ts";

const recording = returningRecording();

const originalInputValues = { item: "Desk", quantity: 1 };

const trajectoryOf = async ({ stores, organizationId, trajectory }: ExecutionWorld) =>
  await stores.trajectories.find(organizationId, trajectory.id);

describe("a run that verifies a trajectory", () => {
  it("replays it twice in a row, approved or not, and dates its success", async () => {
    const world = await executionWorld({ recording, verifies: { originalInputValues, isApproved: false } });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    const { orders } = world.driver.screen.desk;
    expect(orders.map(({ item }) => item)).toEqual(["Chair", "Chair"]);
    expect(await world.find()).toMatchObject({
      outputData: { value: { order_number: String(orders[1]?.number), item: "Chair", quantity: 2 } },
      usageMetadata: { replayed_steps: 24 },
    });
    const elements = (await world.steps()).map(({ trail }) => trail.element);
    const round = recording.elements.map((_, at) => at);
    expect(elements).toEqual([...round, ...round]);
    expect(await trajectoryOf(world)).toMatchObject({ verifiedAt: expect.any(String), isMain: false });
  });

  it("verifies nothing that does not end where it begins, and says which time it went wrong", async () => {
    const world = await executionWorld({ recording: demoRecording(), verifies: { originalInputValues } });
    await world.execute();
    expect(world.driver.screen.desk.orders).toHaveLength(1);
    expect(await world.find()).toMatchObject({
      errorCode: "replay_diverged",
      error: [
        expect.stringMatching(
          /^the second time in a row \(a trajectory has to end where it begins.* step 13 /,
        ),
        expect.anything(),
      ],
    });
    expect(await trajectoryOf(world)).toMatchObject({ verifiedAt: null });
  });

  it("may take max_steps and max_duration_seconds each time", async () => {
    const workflow = { maxSteps: recording.elements.length, maxDurationSeconds: 30 };
    const between: ExecutionWorldOptions["between"] = async (request, driver) => {
      if (request.method === "POST") world.clock.advance(2_000);
      return await driver.request(request);
    };
    const world = await executionWorld({ recording, workflow, between, verifies: { originalInputValues } });
    const beganMs = world.clock.now();
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(world.clock.now() - beganMs).toBeGreaterThan(30_000);
    const shorter = { ...workflow, maxSteps: 12 };
    const limited = await executionWorld({ recording, workflow: shorter, verifies: { originalInputValues } });
    await limited.execute();
    expect(await limited.find()).toMatchObject({
      errorCode: "limit_reached",
      error: [
        "the second time in a row: the run took its 24 steps, which are 2 times the workflow's max_steps",
        expect.anything(),
      ],
    });
  });

  it("goes on with the second time wherever it is killed between the two, each action once", async () => {
    const counted = new KillSwitch();
    const whole = await executionWorld({ recording, kills: counted, verifies: { originalInputValues } });
    await whole.execute();
    const between = counted.points.findIndex(({ name }) => name === "checkpoint step 13");
    for (const { number, when } of eachKind(counted.points.slice(between - 6, between + 6))) {
      const world = await executionWorld({
        recording,
        kills: KillSwitch.at({ number, when }),
        verifies: { originalInputValues },
      });
      expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
      expect(world.driver.done).toHaveLength(whole.driver.done.length);
      expect(world.driver.screen.desk.orders).toHaveLength(2);
    }
  });

  it("replays it where the workflow never does", async () => {
    const workflow = { replay: "never" } as const;
    const world = await executionWorld({ recording, workflow, verifies: { originalInputValues } });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
  });

  it("makes an approved one the main one of a workflow that has none, and of no other", async () => {
    const first = await executionWorld({ recording, verifies: { originalInputValues } });
    await first.execute();
    expect(await trajectoryOf(first)).toMatchObject({ isMain: true });
    const second = await executionWorld({ recording, verifies: { originalInputValues } });
    const { organizationId, workflow, stores } = second;
    const other = await stores.put.trajectory({ organizationId, workflowId: workflow.id, isApproved: true });
    await stores.trajectories.updateAsRead(other, { isMain: true, updatedAt: other.updatedAt });
    await second.execute();
    expect(await trajectoryOf(second)).toMatchObject({ verifiedAt: expect.any(String), isMain: false });
  });

  it.each([
    ["its inputs are the recording's", { originalInputValues: { item: "Chair", quantity: 2 } }],
    ["it is a dry run", { originalInputValues, dryRunUntil: 3 }],
  ])("verifies nothing when %s", async (_, verifies) => {
    const world = await executionWorld({ recording, verifies });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(await trajectoryOf(world)).toMatchObject({ verifiedAt: null, isMain: false });
  });

  it("verifies nothing when another input differs, which the trajectory does not name", async () => {
    const inputs = { item: "Chair", quantity: 2, floor: 7 };
    const original = { item: "Chair", quantity: 2 };
    const world = await executionWorld({ recording, inputs, verifies: { originalInputValues: original } });
    await world.execute();
    expect(await trajectoryOf(world)).toMatchObject({ verifiedAt: null });
  });

  it("verifies nothing when the screen differs", async () => {
    const world = await executionWorld({
      recording,
      desk: { save: "disabled" },
      verifies: { originalInputValues },
    });
    await world.execute();
    expect((await world.find())?.errorCode).toBe("replay_diverged");
    expect(await trajectoryOf(world)).toMatchObject({ verifiedAt: null });
  });

  it("does not verify what has replaced what it replays", async () => {
    const world = await executionWorld({ recording, verifies: { originalInputValues } });
    const { deps, stores, trajectory } = world;
    const replaced = { data: { kind: "inline", value: [{}] }, updatedAt: trajectory.updatedAt } as const;
    const { pin } = deps.executions;
    deps.executions.pin = async (...given) => {
      await stores.trajectories.update(trajectory.organizationId, trajectory.id, replaced);
      return await pin.apply(deps.executions, given);
    };
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(await trajectoryOf(world)).toMatchObject({ verifiedAt: null });
  });

  it("stops before the element of a dry run, without judging what was done", async () => {
    const checks = [{ kind: "sentence", text: "the order is there" }] as const;
    const world = await executionWorld({ recording, verifies: { dryRunUntil: 2, checks } });
    expect(await world.execute()).toEqual({ kind: "ended", status: "success" });
    expect(world.driver.done).toHaveLength(2);
    expect(await world.find()).toMatchObject({ status: "success", outputData: null });
  });

  it.each([
    [
      "a check that a model would judge",
      { checks: [{ kind: "sentence", text: "done" }] },
      "check_needs_model",
    ],
  ] as const)("touches no desktop for %s", async (_, verifies, code) => {
    const world = await executionWorld({ recording, verifies });
    await world.execute();
    expect([(await world.find())?.errorCode, world.driver.done.length]).toEqual([code, 0]);
  });

  it("says so when the trajectory has been deleted", async () => {
    const world = await executionWorld({ recording, verifies: {} });
    const { stores, organizationId, trajectory } = world;
    await stores.trajectories.markDeleted(organizationId, trajectory.id, trajectory.createdAt);
    await world.execute();
    expect((await world.find())?.errorCode).toBe("trajectory_missing");
  });

  it("is dated also by an execution that was killed around its end", async () => {
    const counted = new KillSwitch();
    await (await executionWorld({ recording, kills: counted, verifies: { originalInputValues } })).execute();
    const ends = eachKind(counted.points.slice(-12));
    for (const { number, when } of ends) {
      const world = await executionWorld({
        recording,
        kills: KillSwitch.at({ number, when }),
        verifies: { originalInputValues },
      });
      await world.execute();
      expect(await trajectoryOf(world)).toMatchObject({ verifiedAt: expect.any(String), isMain: true });
      expect(await world.find()).toMatchObject({ status: "success" });
    }
  });
});

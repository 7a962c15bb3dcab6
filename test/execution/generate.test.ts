import { beforeAll, describe, expect, it } from "vitest";
import { type Caller, serviceCaller } from "../../shared/domain/access/caller.ts";
import type { Json } from "../../shared/domain/json.ts";
import { generateTrajectory } from "../../shared/domain/recording/generate-trajectory.ts";
import { getRunTrajectory } from "../../shared/domain/recording/get-run-trajectory.ts";
import { dataOf } from "../../shared/domain/recording/record-steps.ts";
import { approvalProblems } from "../../shared/domain/trajectory/approval/approval-problems.ts";
import { zodTrajectoryReader } from "../../shared/schema/zod-trajectory-reader.ts";
import { stepKey } from "../../shared/storage/table/keys.ts";
import { demoRecording, returningRecording } from "../support/execution/demo-recording.ts";
import { type ExecutionWorld, executionWorld } from "../support/execution/execution-world.ts";
import { scrolls } from "../support/execution/plain-recording.ts";
import type { Recording } from "../support/execution/record-demo.ts";

let recording: Recording;

beforeAll(async () => {
  recording = await demoRecording();
});

const contentOf = (
  trajectory: { readonly data: unknown; readonly screens: unknown },
  world: ExecutionWorld,
) => {
  const read = async (field: unknown) => {
    const { kind, value, key } = field as { kind: string; value?: unknown; key?: string };
    if (kind === "inline") return value;
    return JSON.parse(new TextDecoder().decode(await world.files.get(key ?? "", 20_000_000)));
  };
  return Promise.all([read(trajectory.data), read(trajectory.screens)]);
};

const generate = async (world: ExecutionWorld) => {
  const { stores, deps, organizationId, run } = world;
  const caller: Caller = { ...serviceCaller(organizationId, run.id), scopes: ["write"] } as Caller;
  return await generateTrajectory(
    { ...stores, trajectoryReader: zodTrajectoryReader, pictures: deps.pictures, logger: deps.logger },
    caller,
    { runId: run.id },
  );
};

describe("a run's trajectory", () => {
  it("is the newest that was made of it, or else the one that it went by", async () => {
    const world = await executionWorld({ recording });
    const { stores, organizationId, run, trajectory } = world;
    const caller: Caller = { ...serviceCaller(organizationId, run.id), scopes: ["read"] } as Caller;
    const read = async () => (await getRunTrajectory(stores, caller, { runId: run.id })).id;
    await expect(read()).rejects.toMatchObject({ code: "not_found" });
    await world.execute();
    expect(await read()).toBe(trajectory.id);
    // The run's id has the real time, and only what is younger than the run is looked at.
    world.clock.advance(60_000);
    const first = await generate(world);
    expect(await read()).toBe(first.id);
    world.clock.advance(1_000);
    const second = await generate(world);
    expect(await read()).toBe(second.id);
    for (const { id } of [first, second]) {
      await stores.trajectories.markDeleted(organizationId, id, run.createdAt);
    }
    expect(await read()).toBe(trajectory.id);
  });

  it("is the one that a run verifies, before it has begun", async () => {
    const world = await executionWorld({ recording, verifies: {} });
    const { stores, organizationId, run, trajectory } = world;
    const caller: Caller = { ...serviceCaller(organizationId, run.id), scopes: ["read"] } as Caller;
    expect((await getRunTrajectory(stores, caller, { runId: run.id })).id).toBe(trajectory.id);
  });
});

describe("a trajectory that is made of a run", () => {
  it("has what was replayed as it was recorded, and is not approved", async () => {
    const world = await executionWorld({ recording });
    await world.execute();
    const made = await generate(world);
    expect(made).toMatchObject({
      isGenerated: true,
      isApproved: false,
      isMain: false,
      runId: world.run.id,
      originalInputValues: { item: "Chair", quantity: 2 },
    });
    const [data, screens] = await contentOf(made, world);
    const recorded = JSON.parse(JSON.stringify(recording.elements)) as { timeoutMs: number }[];
    expect(data).toEqual(recorded.map(({ timeoutMs, ...rest }) => ({ ...rest, timeout_ms: timeoutMs })));
    expect(screens).toEqual({ expect: recording.expect, checks: [], reset: [], endsElsewhere: true });
    expect(made.warnings).toEqual([expect.stringContaining("it ends elsewhere than it begins")]);
  });

  it("keeps what leads back, and warns of no end that is its beginning", async () => {
    const whole = returningRecording();
    const world = await executionWorld({ recording: whole, desk: { open: true } });
    await world.execute();
    const made = await generate(world);
    const [data, screens] = await contentOf(made, world);
    const recorded = JSON.parse(JSON.stringify(dataOf(whole.reset ?? [])));
    expect(screens).toEqual({ expect: whole.expect, checks: [], reset: recorded });
    expect(data).toHaveLength(whole.elements.length);
    expect(made.warnings).toEqual([]);
  });

  it("has nothing of what led the desktop back after its last step", async () => {
    const { reset = [] } = returningRecording();
    const workflow = { leave: "reset" } as const;
    const world = await executionWorld({ recording: { ...recording, expect: [], reset }, workflow });
    await world.execute();
    expect((await world.steps()).at(-1)?.source).toBe("reset");
    const [data, screens] = await contentOf(await generate(world), world);
    expect(data).toHaveLength(recording.elements.length);
    expect(screens).toMatchObject({ endsElsewhere: true });
  });

  it("has once what a verification did twice", async () => {
    const whole = returningRecording();
    const world = await executionWorld({ recording: whole, verifies: {} });
    await world.execute();
    const { run, files } = world;
    await files.remove(files.stepKey(run.organizationId, run.id, `${run.assignmentId}-plan`));
    const { data: stored } = await generate(world);
    const [data] = await contentOf({ data: stored, screens: stored }, world);
    const types = (data as { action: { type: string } }[]).map(({ action }) => action.type);
    expect(types).toEqual(whole.elements.map(({ action }) => action.type));
  });

  it("has pieces of the pictures before what somebody else did, and names of inputs", async () => {
    const world = await executionWorld({ recording });
    await world.execute();
    const { stores, organizationId, run, files } = world;
    for (const { index } of await world.steps()) {
      const key = stepKey(organizationId, run.id, index);
      await stores.table.update(key, { set: { source: "worker" } });
    }
    await files.remove(files.stepKey(organizationId, run.id, `${run.assignmentId}-plan`));
    const made = await generate(world);
    const [data, screens] = await contentOf(made, world);
    const elements = (data as unknown[]).map((value) => zodTrajectoryReader.readElement(value as never));
    const read = elements.map((each) => (each.kind === "element" ? each.element : each.reason));
    const by = read.map((each) => (typeof each === "string" ? each : [each.action.type, each.by]));
    expect(by[0]).toEqual(["click", "model"]);
    expect(by.slice(1, 4)).toEqual([
      ["click", "replay"],
      ["click", "replay"],
      ["type", "replay"],
    ]);
    expect(read.slice(1, 4)).toMatchObject([
      { anchor: { png: expect.any(String) } },
      { anchor: { thumbnail: expect.any(String) } },
      { action: { text: "{item}" }, guard: { png: expect.any(String) } },
    ]);
    expect(JSON.stringify(data)).toContain("{$pin}");
    expect(JSON.stringify(data)).not.toContain("9753");
    expect((screens as { expect: unknown[] }).expect.length).toBeGreaterThan(1);
    expect(made.dimensions).toEqual(recording.dimensions);
  });

  it("can be approved when a worker copied, ran a command and wrote a file", async () => {
    const world = await executionWorld({ recording: scrolls(5), workflow: { allowShell: true } });
    await world.execute();
    const { stores, organizationId, run, workflow, deps } = world;
    const did = [
      { type: "copy_to_clipboard", text: "Order no." },
      { type: "copy_to_clipboard", text: "item" },
      { type: "copy_to_clipboard", text: "…", target: "the number" },
      { type: "shell", command: "ls", working_directory: "/it's", timeout: 15 },
      { type: "write_file", path: "~/Transfers/orders.csv", mode: "write" },
    ];
    const key = (index: number) => stepKey(organizationId, run.id, index);
    for (const { index } of await world.steps()) {
      const action = did[index - 1];
      if (action === undefined) await stores.table.delete(key(index));
      else
        await stores.table.update(key(index), { set: { source: "worker", action: JSON.stringify(action) } });
    }
    const made = await generate(world);
    const { value: data } = made.data as { readonly value: unknown };
    expect((data as { action: object }[]).slice(0, 5).map(({ action }) => action)).toEqual([
      { type: "copy_to_clipboard", save_as: "Order_no" },
      { type: "copy_to_clipboard", save_as: "saved_item" },
      { type: "copy_to_clipboard", save_as: "clipboard", target: "the number" },
      { type: "shell", command: "cd '/it'\\''s' && ls", save_as: "shell_output" },
      { type: "write_file", path: "~/Transfers/orders.csv", content: "{orders_csv}" },
    ]);
    const { originalInputValues } = made;
    const { problems, warnings } = approvalProblems(
      { trajectoryReader: zodTrajectoryReader, pictures: deps.pictures },
      { data: data as Json[], originalInputValues, expect: [], checks: [], reset: [] },
      workflow,
    );
    expect(problems).toEqual([]);
    expect(warnings).toContainEqual(expect.stringContaining("{orders_csv}"));
  });

  it("cannot be made while the run goes on, or when no steps are left", async () => {
    const world = await executionWorld({ recording });
    await expect(generate(world)).rejects.toMatchObject({ code: "conflict" });
    const { stores, organizationId, run } = world;
    await stores.runs.update(organizationId, run.id, { status: "cancelled", endedAt: run.createdAt }, {});
    await expect(generate(world)).rejects.toMatchObject({ code: "conflict" });
  });
});

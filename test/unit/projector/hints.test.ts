import { v7 } from "uuid";
import { describe, expect, it, vi } from "vitest";
import { createProjector } from "../../../functions/projector/app.ts";
import { callerOfKey } from "../../../shared/domain/access/credentials.ts";
import { WatchedOrganizations } from "../../../shared/domain/live/note-changes.ts";
import type { OrganizationId } from "../../../shared/domain/organization-id.ts";
import type { Run } from "../../../shared/domain/run/run.ts";
import { runRow } from "../../../shared/storage/run/run-item.ts";
import type { TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";
import { readHintedChanges } from "../../../shared/storage/stream/stream-hints.ts";
import { runKey } from "../../../shared/storage/table/keys.ts";
import { GatewayViewerChannel } from "../../../shared/tunnel/gateway-viewer-channel.ts";
import { aDesktopCall } from "../../support/builders/entities.ts";
import { aStep } from "../../support/builders/steps.ts";
import { readsNothing } from "../../support/projector-reads.ts";
import { projectedOf } from "../../support/shared/projected-lines.ts";
import { tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

async function setUp() {
  const world = tunnelWorld();
  const due: OrganizationId[] = [];
  const deps = {
    ...world,
    ...readsNothing,
    readHintedChanges,
    hintHelper: { start: async ({ hints }: { readonly hints: OrganizationId }) => void due.push(hints) },
    viewerChannel: new GatewayViewerChannel(world),
  };
  const newInstance = () =>
    createProjector<TableStreamRecord>({ ...deps, watched: new WatchedOrganizations(world) });
  const project = newInstance();
  const projectRecords = async (by = project) => {
    const answer = await by({ Records: projectedOf(world.model.takeRecords()) });
    expect(answer.batchItemFailures).toEqual([]);
  };
  const takeTurns = async () => {
    for (const hints of due.splice(0)) await project({ hints });
  };
  /** The stream's records since the last time are projected, then each turn is taken that was started. */
  const flow = async () => {
    await projectRecords();
    await takeTurns();
  };
  const key = await world.key(["read", "write"]);
  const { organizationId } = key;
  const caller = callerOfKey(key);
  const machine = await world.put.machine({ organizationId });
  await flow();
  const watch = async (...topics: readonly string[]) => {
    const { websocketId, read } = await world.viewer(caller, ...topics);
    return { websocketId, read: () => read().filter(({ type }) => type !== "watching") };
  };
  const find = async (id = machine.id) => await world.machines.find(organizationId, id);
  /** Takes the machine out of service, or back into it. */
  const change = async (id = machine.id) =>
    await world.machines.update(organizationId, id, { outOfService: !(await find(id))?.outOfService });
  return {
    world,
    due,
    newInstance,
    projectRecords,
    takeTurns,
    flow,
    organizationId,
    caller,
    machine,
    watch,
    find,
    change,
  };
}

type World = Awaited<ReturnType<typeof setUp>>;

async function runUnderWay(
  { world, organizationId, machine }: World,
  fields: Partial<Run> = {},
): Promise<Run> {
  const run = { organizationId, machineId: machine.id, assignmentId: v7(), executor: "service" } as const;
  return await world.put.run({ ...run, status: "running", ...fields });
}

/** A call to the machine, by the run or by a person. */
async function call({ world, machine, organizationId }: World, runId?: string, method = "POST") {
  const who =
    runId === undefined
      ? { kind: "api_key", principal: "k" }
      : { kind: "service", principal: `run#${runId}` };
  const call = aDesktopCall({
    organizationId,
    machineId: machine.id,
    connectionId: v7(),
    requestId: v7({ msecs: world.clock.now() }),
    method,
    actor: { address: "", userId: "", ...who } as never,
  });
  await world.callRecords.open(call);
  await world.callRecords.end(call, { outcome: 200, durationMs: 5, bytes: 2 });
}

describe("a hint", () => {
  it("of a machine goes to those who watch it or all machines, and to nobody else", async () => {
    const { world, machine, watch, change, find, flow, organizationId } = await setUp();
    const other = await world.put.machine({ organizationId });
    const all = await watch("machines");
    const one = await watch(`machine:${machine.id}`);
    const others = await watch(`machine:${other.id}`, "runs");
    const stranger = callerOfKey(await world.key(["read"]));
    const foreign = await world.viewer(stranger, "machines", `machine:${machine.id}`);
    world.model.takeRecords();
    await change();
    await flow();
    const { revision } = (await find()) ?? {};
    const hint = { type: "machine.changed", machine_id: machine.id, revision, status: "error" };
    expect([all.read(), one.read(), others.read()]).toEqual([[hint], [hint], []]);
    expect(foreign.read().map(({ type }) => type)).toEqual(["watching"]);
  });

  it("of a run has its state and progress and nothing of its data; its machine changed, too", async () => {
    const world = await setUp();
    const [all, one] = [await world.watch("runs"), await world.watch(`run:${v7()}`)];
    const both = await world.watch("runs", "machines");
    const run = await runUnderWay(world, { inputValues: { customer: "Miller" } });
    await world.world.executions.recordStep(aStep(run));
    await world.flow();
    const stored = await world.world.runs.find(run.organizationId, run.id);
    const hint = {
      type: "run.changed",
      run_id: run.id,
      workflow_id: run.workflowId,
      machine_id: world.machine.id,
      revision: stored?.revision,
      status: "running",
      progress: { step: 1, of: 100 },
      is_held: false,
    };
    expect([all.read(), one.read()]).toEqual([[hint], []]);
    expect(both.read().map(({ type }) => type)).toEqual(["machine.changed", "run.changed"]);
    expect(JSON.stringify(all.read())).not.toContain("Miller");
  });

  it("of a run that a person holds says so", async () => {
    const world = await setUp();
    const run = await runUnderWay(world);
    const { read } = await world.watch(`run:${run.id}`);
    const [since, until] = ["2026-01-15T12:00:00.000Z", "2026-01-15T12:10:00.000Z"];
    const held = { by: { kind: "user", id: v7() }, reason: null, since, until } as const;
    await world.world.table.update(runKey(run.organizationId, run.id), runRow.change({ held }));
    const mark = "held";
    await world.world.hints.note(run.organizationId, [{ kind: "run", id: run.id, mark }]);
    world.due.push(run.organizationId);
    await world.takeTurns();
    expect(read()).toMatchObject([{ type: "run.changed", run_id: run.id, status: "running", is_held: true }]);
  });

  it("of what is deleted says so by null", async () => {
    const { world, machine, watch, flow, organizationId } = await setUp();
    const { read } = await watch("machines");
    await world.machines.markDeleted(organizationId, machine.id, "2026-01-15T12:00:00.000Z");
    await flow();
    expect(read()).toEqual([
      { type: "machine.changed", machine_id: machine.id, revision: null, status: null },
    ]);
  });

  it("of many changes of one machine is one a second, and the last has the last state", async () => {
    const { world, watch, change, find, flow, projectRecords, takeTurns, due } = await setUp();
    const { read } = await watch("machines");
    await change();
    await flow();
    const firstMs = world.clock.now();
    for (let times = 0; times < 6; times += 1) {
      world.clock.advance(100);
      await change();
      await projectRecords();
    }
    expect(read()).toHaveLength(1);
    await takeTurns();
    expect(world.clock.now() - firstMs).toBe(1_000);
    expect(read().at(-1)).toMatchObject({ revision: (await find())?.revision });
    expect([read().length, due]).toEqual([2, []]);
  });

  it("is in order of revision, also when the stream repeats an older record", async () => {
    const { world, watch, change, takeTurns, newInstance, find } = await setUp();
    const { read } = await watch("machines");
    await change();
    const older = projectedOf(world.model.takeRecords());
    await change();
    const newer = projectedOf(world.model.takeRecords());
    for (const records of [newer, older, older]) {
      await newInstance()({ Records: records });
      await takeTurns();
    }
    const revisions = read().map((hint) => (hint.type === "machine.changed" ? hint.revision : 0));
    expect(new Set(revisions)).toEqual(new Set([(await find())?.revision]));
  });

  it("is not lost where the turn dies before it was sent, or started twice", async () => {
    const { world, watch, change, flow, projectRecords, takeTurns, due, organizationId, find } =
      await setUp();
    const { read } = await watch("machines");
    await change();
    await projectRecords();
    expect(due.splice(0)).toHaveLength(1);
    await world.hints.begin(organizationId, "a turn that dies");
    await change();
    await projectRecords();
    expect(due).toEqual([]);
    world.clock.advance(20_000);
    await change();
    await flow();
    expect(read()).toMatchObject([{ revision: (await find())?.revision }]);
    due.push(organizationId, organizationId);
    await takeTurns();
    expect(read()).toHaveLength(1);
  });

  it("of a step is sent once the step has its outcome: a row that passes no filter", async () => {
    const world = await setUp();
    const { clock, executions } = world.world;
    const run = await runUnderWay(world);
    const { read } = await world.watch(`run:${run.id}`);
    const all = await world.watch("runs");
    world.world.model.takeRecords();
    const begun = aStep(run, { status: "sending", startedAt: new Date(clock.now()).toISOString() });
    await executions.recordStep(begun);
    clock.advance(10);
    await call(world, run.id);
    await world.projectRecords();
    expect(read()).toEqual([]);
    const recorded = clock.sleep.bind(clock);
    let sleeps = 0;
    // The outcome is recorded while the turn waits for it.
    clock.sleep = async (ms) => {
      sleeps += 1;
      if (sleeps === 1)
        await executions.recordOutcome({ ...begun, assignmentId: run.assignmentId ?? "" }, outcomeOf(begun));
      await recorded(ms);
    };
    await world.takeTurns();
    expect(read()).toMatchObject([
      { type: "run.changed", run_id: run.id },
      { type: "step.recorded", run_id: run.id, index: 1 },
    ]);
    expect(all.read().map(({ type }) => type)).toEqual(["run.changed"]);
  });

  it("of a person's or a worker's step comes of the call to the machine that has the run", async () => {
    const world = await setUp();
    const machine = await world.world.put.machine({
      organizationId: world.organizationId,
      currentRunId: v7(),
    });
    const current = await world.world.runs.find(world.organizationId, machine.currentRunId ?? "");
    if (!current) throw new Error("the machine has no run");
    await world.world.executions.appendSteps([aStep(current, { inAttempt: null })], 0);
    const { read } = await world.watch(`run:${current.id}`);
    world.world.model.takeRecords();
    await call({ ...world, machine }, undefined, "GET");
    await world.flow();
    expect(read()).toEqual([]);
    await call({ ...world, machine });
    await world.flow();
    expect(read().map(({ type }) => type)).toContain("step.recorded");
  });
});

function outcomeOf(step: ReturnType<typeof aStep>) {
  const { error, text, match, screenshot, pictureKey, trail } = step;
  return { status: "done", error, text, match, screenshot, pictureKey, trail, durationMs: 5 } as const;
}

describe("an organization without viewers", () => {
  it("costs one read that is remembered, no write and no turn, however much changes", async () => {
    const { world, due, change, projectRecords, newInstance } = await setUp();
    const instance = newInstance();
    const sent = vi.spyOn(world.model.client, "send");
    for (let times = 0; times < 5; times += 1) {
      await change();
      const records = projectedOf(world.model.takeRecords());
      sent.mockClear();
      await instance({ Records: records });
      const calls = sent.mock.calls.map(([command]) => command.constructor.name);
      expect(calls).toEqual(times === 0 ? ["QueryCommand"] : []);
    }
    await projectRecords();
    expect(due).toEqual([]);
    expect([...world.model.items.all()].filter(({ kind }) => kind?.S === "hints")).toEqual([]);
  });

  it("is told of a viewer after two seconds, before the viewer's watch is answered", async () => {
    const { world, watch, change, newInstance, due } = await setUp();
    const instance = newInstance();
    await change();
    await instance({ Records: projectedOf(world.model.takeRecords()) });
    await watch("machines");
    await change();
    await instance({ Records: projectedOf(world.model.takeRecords()) });
    expect(due).toHaveLength(1);
  });
});

describe("a viewer", () => {
  it("that is gone is removed at once", async () => {
    const { world, watch, change, flow, organizationId } = await setUp();
    const { websocketId } = await watch("machines");
    const stays = await watch("machines");
    world.sockets.vanish(websocketId);
    await change();
    await flow();
    expect((await world.viewers.list(organizationId)).map((viewer) => viewer.websocketId)).toEqual([
      stays.websocketId,
    ]);
    expect(stays.read()).toHaveLength(1);
  });

  it("that takes no message hears that it missed hints, a second later", async () => {
    const { world, watch, change, flow } = await setUp();
    const { read } = await watch("machines");
    await change();
    world.sockets.failures.push(new Error("throttled"));
    await flow();
    expect(read()).toEqual([{ type: "missed" }]);
  });

  it("that takes none for five rounds is disconnected", async () => {
    const { world, watch, change, flow, organizationId } = await setUp();
    const { websocketId } = await watch("machines");
    await change();
    world.sockets.failures.push(...Array.from({ length: 6 }, () => new Error("throttled")));
    await flow();
    expect(world.sockets.isOpen(websocketId)).toBe(false);
    expect(await world.viewers.list(organizationId)).toEqual([]);
  });

  it("of more than fifty changes at once reads anew instead", async () => {
    const { world, watch, flow, organizationId } = await setUp();
    const { read } = await watch("machines");
    for (let made = 0; made < 51; made += 1) await world.put.machine({ organizationId });
    await flow();
    expect(read()).toEqual([{ type: "missed" }]);
  });

  it("reads anew sooner where many look, while one of few changes still hears of each", async () => {
    const { world, watch, change, flow, organizationId, machine } = await setUp();
    const viewers: Awaited<ReturnType<typeof watch>>[] = [];
    for (let opened = 0; opened < 99; opened += 1) viewers.push(await watch("machines"));
    const ofOne = await watch(`machine:${machine.id}`);
    await change();
    for (let made = 0; made < 2; made += 1) await world.put.machine({ organizationId });
    await flow();
    for (const { read } of viewers) expect(read()).toEqual([{ type: "missed" }]);
    expect(ofOne.read()).toMatchObject([{ type: "machine.changed", machine_id: machine.id }]);
  });

  it("reads anew, too, after more changes than are noted one by one", async () => {
    const { world, watch, projectRecords, takeTurns, organizationId } = await setUp();
    const [all, other] = [await watch("machines"), await watch(`run:${v7()}`)];
    const idle = await watch();
    for (let made = 0; made < 250; made += 1) {
      await world.put.machine({ organizationId });
      if (made % 50 === 49) await projectRecords();
    }
    await takeTurns();
    expect([all.read(), other.read(), idle.read()]).toEqual([[{ type: "missed" }], [{ type: "missed" }], []]);
  });

  it("hears nothing after the end of its session, before the sweeper has ended it", async () => {
    const { world, caller, change, flow } = await setUp();
    const session = { ...caller, keyId: null, sessionEndsAtMs: world.clock.now() + 10_000 };
    const { read } = await world.viewer(session, "machines");
    world.clock.advance(10_000);
    await change();
    await flow();
    expect(read().map(({ type }) => type)).toEqual(["watching"]);
  });
});

it("a failure of hints that no repeat helps disturbs nothing else", async () => {
  const { world } = await setUp();
  const project = createProjector<TableStreamRecord>({
    ...world,
    ...readsNothing,
    readHintedChanges: () => {
      throw new Error("a bug");
    },
  });
  const records = projectedOf(world.model.takeRecords());
  await world.put.machine();
  expect(await project({ Records: projectedOf(world.model.takeRecords()) })).toEqual({
    batchItemFailures: [],
  });
  expect([world.setAside.records, records]).toEqual([[], []]);
});

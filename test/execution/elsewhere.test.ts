import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { DeskInput } from "../../infra/demo-desk/desk-options.ts";
import { executeRun } from "../../shared/domain/execution/engine/execute-run.ts";
import type { Machine } from "../../shared/domain/machine/machine.ts";
import { demoRecording } from "../support/execution/demo-recording.ts";
import { executionWorld } from "../support/execution/execution-world.ts";
import { eachKind, KillSwitch } from "../support/execution/kill-switch.ts";

const recording = demoRecording();

const page = { skip: 0, limit: 10 };

async function poolWorld(
  other: Partial<Machine> | undefined,
  { desk = { theme: "dark" }, kills }: { readonly desk?: DeskInput; readonly kills?: KillSwitch } = {},
) {
  const poolId = randomUUID();
  const world = await executionWorld({ recording, desk, poolId, timeoutMs: 1_500, ...(kills && { kills }) });
  const connection = { id: randomUUID(), websocketId: "another", host: "host" };
  const { organizationId } = world;
  const second =
    other && (await world.stores.put.machine({ organizationId, poolIds: [poolId], connection, ...other }));
  const waiting = () => world.stores.matches.queue(organizationId, { kind: "pools", poolIds: [poolId] }, 10);
  const held = async (id: string) => (await world.stores.machines.find(organizationId, id))?.currentRunId;
  return { world, second, waiting, held, poolId };
}

describe("a run of a pool whose start is not reached", () => {
  it("waits for another machine, and leaves its own to others", async () => {
    const { world, waiting, held } = await poolWorld({});
    expect(await world.execute()).toEqual({ kind: "rescheduled" });
    const run = await world.find();
    expect(run).toMatchObject({
      status: "scheduling",
      machineId: null,
      assignmentId: null,
      attempt: 2,
      error: [],
      errorCode: null,
      triedMachineId: world.machine.id,
      secretId: world.run.secretId,
      inputValues: world.run.inputValues,
    });
    expect((await waiting()).map(({ waiting: its }) => its)).toEqual([
      expect.objectContaining({ runId: world.run.id, triedMachineId: world.machine.id }),
    ]);
    expect(await held(world.machine.id)).toBeNull();
    const { items } = await world.stores.runs.list(world.organizationId, { status: "scheduling" }, page);
    expect(items.map(({ id }) => id)).toEqual([world.run.id]);
  });

  it("is done there, as if it had never been elsewhere", async () => {
    const { world, second, held } = await poolWorld({});
    await world.execute();
    const waiting = await world.find();
    const run = waiting && (await world.stores.put.assign(waiting, { machineId: second?.id ?? "" }));
    expect(await held(second?.id ?? "")).toBe(run?.id);
    const job = { ...world.job, assignmentId: run?.assignmentId ?? "" };
    const there = await executionWorld({ recording });
    const deps = { ...world.deps, openDesktop: there.deps.openDesktop };
    expect(await there.durable.run((each) => executeRun(each, deps, job))).toEqual({
      kind: "ended",
      status: "success",
    });
    expect((await world.find())?.error).toEqual([]);
    const attempts = (await world.steps()).map(({ attempt }) => attempt);
    expect([attempts[0], attempts.at(-1)]).toEqual([1, 2]);
  });

  it("keeps no input that came from the first machine", async () => {
    const { world } = await poolWorld({});
    const { organizationId, run } = world;
    const before = await world.stores.runs.find(organizationId, run.id);
    if (before === undefined) throw new Error("there is no run");
    const inherits = {
      ...before,
      inputValues: { ...before.inputValues, station: 7 },
      inheritedNames: ["station"],
    };
    world.deps.runs.find = async () => inherits;
    await world.execute();
    expect((await world.find())?.inputValues).toEqual(before.inputValues);
  });

  it.each<[string, Partial<Machine> | undefined]>([
    ["there is no other", undefined],
    ["the other is disconnected", { connection: null }],
    ["the other is switched off", { isAvailable: false }],
  ])("ends where %s, and says so", async (_, other) => {
    const { world } = await poolWorld(other);
    await world.execute();
    expect(await world.find()).toMatchObject({
      status: "error",
      errorCode: "start_not_reached",
      attempt: 1,
      error: expect.arrayContaining(["no other machine of its pools is ready to try it"]),
    });
  });

  it("ends the second time, and says so", async () => {
    const { world } = await poolWorld({});
    const find = world.deps.runs.find.bind(world.deps.runs);
    world.deps.runs.find = async (...given) => {
      const run = await find(...given);
      return run && { ...run, triedMachineId: "the-first" };
    };
    await world.execute();
    expect(await world.find()).toMatchObject({
      status: "error",
      errorCode: "start_not_reached",
      error: expect.arrayContaining(["the machine the-first was tried before, with the same end"]),
    });
  });

  it("is in one place, whatever call of its end is the last", async () => {
    const counting = new KillSwitch();
    await (await poolWorld({}, { kills: counting })).world.execute();
    const ofEnd = counting.points.findIndex(({ name }) => name === "checkpoint end") - 30;
    for (const { number, when, name } of eachKind(counting.points.slice(Math.max(0, ofEnd)))) {
      const { world, waiting, held } = await poolWorld({}, { kills: KillSwitch.at({ number, when }) });
      await world.execute();
      const run = await world.find();
      const places = (await waiting()).length;
      expect({ at: `${when} ${number} ${name}`, status: run?.status, places }).toMatchObject({
        status: "scheduling",
        places: 1,
      });
      expect([run?.attempt, await held(world.machine.id)]).toEqual([2, null]);
    }
  });
});

describe("a run that names its machine", () => {
  it("ends there", async () => {
    const world = await executionWorld({ recording, desk: { theme: "dark" }, timeoutMs: 1_500 });
    await world.execute();
    expect(await world.find()).toMatchObject({ status: "error", errorCode: "start_not_reached" });
    expect((await world.find())?.error.join()).not.toContain("other machine");
  });
});

import { describe, expect, it } from "vitest";
import { createMatcher } from "../../../functions/matcher/app.ts";
import { readMatchTrigger, triggerAttributes } from "../../../shared/storage/stream/match-triggers.ts";
import { reduceRecord } from "../../../shared/storage/stream/reduce-record.ts";
import type { TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { unavailable } from "../../../shared/storage/table/retry.ts";
import { DynamoModel } from "../../support/dynamo-model/dynamo-model.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { instead, matchWorld } from "../../support/matching/match-world.ts";

const minute = { getRemainingTimeInMillis: () => 60_000 };

async function begin() {
  const clock = new FakeClock();
  const model = new DynamoModel();
  const world = await matchWorld(
    new DynamoTable({ client: model.client, tableName: "t", clock }),
    clock,
  ).begin();
  const numbered = (records: readonly TableStreamRecord[]) =>
    records.map((record, index) => ({
      ...record,
      dynamodb: { ...record.dynamodb, SequenceNumber: String(100 + index) },
    }));
  return { world, take: () => numbered(model.takeRecords()) };
}

async function doom({ world }: Awaited<ReturnType<typeof begin>>, count: number) {
  const workflow = await world.putWorkflow({ inputSchema: { required: ["name"] } });
  const runs = [];
  for (let at = 0; at < count; at += 1) runs.push(await world.queueRun({ workflowId: workflow.id }));
  return runs;
}

describe("the line of an assignment", () => {
  it("has the time since the change that made it possible apart from how long the run waited", async () => {
    const { world, take } = await begin();
    const matcher = createMatcher({ ...world.deps, readTrigger: readMatchTrigger });
    const run = await world.queueRun();
    await matcher({ Records: take() }, minute);
    world.clock.advance(3_600_000);
    await world.putMachine();
    const changedSeconds = Math.floor(world.clock.now() / 1_000);
    const records = take().map((record) => ({
      ...record,
      dynamodb: { ...record.dynamodb, ApproximateCreationDateTime: changedSeconds },
    }));
    world.clock.advance(20_000);
    const nowMs = world.clock.now();
    await matcher({ Records: records }, minute);
    const line = world.log.lines().find(({ message }) => message === "run assigned");
    expect(line).toMatchObject({ run_id: run.id, waited_ms: nowMs - Date.parse(run.queuedAt) });
    expect(line?.matched_ms).toBe(nowMs - changedSeconds * 1_000);
  });
});

describe("an organization's share of a round", () => {
  it("leaves what is more to an event of its own, in the order of its queue", async () => {
    const scene = await begin();
    const { world, take } = scene;
    const machine = await world.putMachine();
    const doomed = await doom(scene, 5);
    const last = await world.queueRun();
    const matcher = createMatcher({
      ...world.deps,
      share: { entries: 2, checkMs: 1_000 },
      readTrigger: readMatchTrigger,
    });
    const ended = async () => {
      const runs = await Promise.all(doomed.map(({ id }) => world.run(id)));
      return runs.filter(({ status }) => status === "error").length;
    };
    for (const sofar of [2, 4, 5]) {
      expect(await matcher({ Records: take() }, minute)).toEqual({ batchItemFailures: [] });
      expect(await ended()).toBe(sofar);
    }
    expect(await world.run(last.id)).toMatchObject({ status: "running", machineId: machine.id });
  });

  it("counts the time of checks, and begins none when it is used up", async () => {
    const scene = await begin();
    const { world, take } = scene;
    for (let at = 0; at < 8; at += 1) await world.putMachine();
    await doom(scene, 8);
    let checks = 0;
    const check = async () => {
      checks += 1;
      world.clock.advance(300);
      return { kind: "schema_too_slow", message: "slow" } as const;
    };
    const matcher = createMatcher({ ...world.deps, checker: { check }, readTrigger: readMatchTrigger });
    expect(await matcher({ Records: take() }, minute)).toEqual({ batchItemFailures: [] });
    expect(checks).toBe(1);
    for (let round = 2; round <= 9; round += 1) {
      await matcher({ Records: take() }, minute);
      expect(checks).toBe(Math.min(round, 8));
    }
    expect(await world.idle()).toHaveLength(8);
  });

  it("is left whole when the event for the rest cannot be written", async () => {
    const scene = await begin();
    const { world, take } = scene;
    await world.putMachine();
    await doom(scene, 3);
    const matches = instead(world.matches, "leave", async () => await Promise.reject(unavailable("no")));
    const share = { entries: 1, checkMs: 1_000 };
    const matcher = createMatcher({ ...world.deps, matches, share, readTrigger: readMatchTrigger });
    expect((await matcher({ Records: take() }, minute)).batchItemFailures.length).toBeGreaterThan(0);
  });

  it("does not touch another's: its run is served before the rest", async () => {
    const scene = await begin();
    const { world, take } = scene;
    for (let at = 0; at < 8; at += 1) await world.putMachine();
    await doom(scene, 40);
    const other = await matchWorld(world.table, world.clock).begin();
    const machine = await other.putMachine();
    const run = await other.queueRun();
    let before = 0;
    const check = async () => {
      before += other.log.text().includes("run assigned") ? 0 : 1;
      return { kind: "invalid", errors: [] } as const;
    };
    const deps = { ...world.deps, logger: other.deps.logger, checker: { check } };
    await createMatcher({ ...deps, readTrigger: readMatchTrigger })({ Records: take() }, minute);
    expect(await other.run(run.id)).toMatchObject({ status: "running", machineId: machine.id });
    expect(before).toBeLessThan(20);
  });
});

describe("a batch of the table's stream", () => {
  it("brings a run and a machine together, and leaves nothing to come again", async () => {
    const { world, take } = await begin();
    const machine = await world.putMachine();
    await world.write({ kind: "put", item: { pk: "p", sk: "#", kind: "of no matter" } });
    const run = await world.queueRun();
    const matcher = createMatcher({ ...world.deps, readTrigger: readMatchTrigger });
    expect(await matcher({ Records: take() }, minute)).toEqual({ batchItemFailures: [] });
    expect(await world.run(run.id)).toMatchObject({ status: "running", machineId: machine.id });
  });

  it("names the records that there was no time for", async () => {
    const { world, take } = await begin();
    await world.queueRun();
    const matcher = createMatcher({ ...world.deps, readTrigger: readMatchTrigger });
    const records = take();
    const place = records.findIndex(({ dynamodb }) =>
      JSON.stringify(dynamodb.NewImage).includes("queued_at_ms"),
    );
    const answer = await matcher({ Records: records }, { getRemainingTimeInMillis: () => 1_000 });
    expect(answer.batchItemFailures).toContainEqual({ itemIdentifier: String(100 + place) });
  });

  it("goes on past a record that cannot be read, and sets it aside", async () => {
    const { world, take } = await begin();
    const machine = await world.putMachine();
    const [first] = take();
    const matcher = createMatcher<TableStreamRecord>({
      ...world.deps,
      readTrigger: (record) => {
        if (record === first) throw new Error("what is this?");
        return world.changed(machine);
      },
    });
    const other = { dynamodb: { SequenceNumber: "200" } };
    const answer = await matcher({ Records: [first ?? {}, other] }, minute);
    expect(answer).toEqual({ batchItemFailures: [] });
    expect(world.setAside.records).toEqual([first]);
    expect(await world.idle()).toHaveLength(1);
    expect(world.log.text()).toContain("is set aside");
  });

  it("sets aside what fails for good, and a replay of it assigns the run once the cause is repaired", async () => {
    const { world, take } = await begin();
    const machine = await world.putMachine();
    const run = await world.queueRun({ inputValues: { name: "of a customer" } });
    const broken = instead(
      world.matches,
      "machineQueue",
      async () => await Promise.reject(new Error("a bug")),
    );
    const failing = createMatcher({ ...world.deps, matches: broken, readTrigger: readMatchTrigger });
    expect(await failing({ Records: take() }, minute)).toEqual({ batchItemFailures: [] });
    const records = world.setAside.records.splice(0) as TableStreamRecord[];
    expect(records).not.toEqual([]);
    const sent = records.map((record) => reduceRecord(record, triggerAttributes()));
    expect(JSON.stringify(sent)).not.toContain("of a customer");
    const replayed = { Records: sent, is_replay: true } as const;
    expect((await failing(replayed, minute)).batchItemFailures).toHaveLength(sent.length);
    expect(world.setAside.records).toEqual([]);
    const repaired = createMatcher({ ...world.deps, readTrigger: readMatchTrigger });
    expect(await repaired(replayed, minute)).toEqual({ batchItemFailures: [] });
    expect(await world.run(run.id)).toMatchObject({ status: "running", machineId: machine.id });
  });
});

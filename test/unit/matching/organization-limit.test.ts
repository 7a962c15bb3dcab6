import { describe, expect, it } from "vitest";
import { createMatcher } from "../../../functions/matcher/app.ts";
import { explainWaiting } from "../../../shared/domain/run/waiting/explain-waiting.ts";
import { readMatchTrigger } from "../../../shared/storage/stream/match-triggers.ts";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { DynamoModel } from "../../support/dynamo-model/dynamo-model.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { instead, matchWorld } from "../../support/matching/match-world.ts";
import { plain } from "../../support/simulation/view.ts";

const executor = "service";

async function begin() {
  const clock = new FakeClock();
  const model = new DynamoModel();
  const table = new DynamoTable({ client: model.client, tableName: "t", clock });
  const world = await matchWorld(table, clock, 1).begin();
  let reads = 0;
  const matches = instead(world.matches, "candidate", async (read) => {
    reads += 1;
    return await read();
  });
  const matcher = createMatcher({ ...world.deps, matches, readTrigger: readMatchTrigger });
  const match = async (kinds?: readonly string[]) => {
    const given = model.takeRecords();
    const kindOf = ({ dynamodb: { NewImage } }: (typeof given)[number]) => plain(NewImage ?? {}).kind;
    const Records = given.filter((record) => kinds === undefined || kinds.includes(String(kindOf(record))));
    const response = await matcher({ Records }, { getRemainingTimeInMillis: () => 60_000 });
    expect(response).toEqual({ batchItemFailures: [] });
  };
  const statusOf = async ({ id }: { readonly id: string }) => (await world.run(id)).status;
  return { world, match, statusOf, read: () => reads };
}

describe("an organization of whose runs the service carries out as many as it may", () => {
  it("begins those of its workers, and says of the others why they wait", async () => {
    const { world, match, statusOf } = await begin();
    for (let at = 0; at < 3; at += 1) await world.putMachine();
    const runs = [
      await world.queueRun({ executor }),
      await world.queueRun({ executor }),
      await world.queueRun(),
    ];
    await match();
    expect(await Promise.all(runs.map(statusOf))).toEqual(["running", "scheduling", "running"]);
    expect(await world.idle()).toHaveLength(1);
    const [, waiting] = runs;
    expect(waiting && (await explainWaiting(world.waitingView, waiting))).toEqual({
      reason: "organization_limit",
      position: 0,
    });
  });

  it("begins the next on an idle machine as soon as one ends, of which that end's own event is enough", async () => {
    const { world, match, statusOf } = await begin();
    for (let at = 0; at < 3; at += 1) await world.putMachine();
    const [first, second, third] = [
      await world.queueRun({ executor }),
      await world.queueRun({ executor }),
      await world.queueRun({ executor }),
    ];
    await match();
    await world.finish(first.id);
    await match(["executions"]);
    expect(await Promise.all([second, third].map(statusOf))).toEqual(["running", "scheduling"]);
    await world.finish(second.id);
    await match(["executions"]);
    expect(await statusOf(third)).toBe("running");
  });

  it("begins the next of a session, whose machine nobody else finds", async () => {
    const { world, match, statusOf } = await begin();
    await world.putMachine();
    const running = await world.queueRun({ executor });
    await match();
    const reserved = [await world.putReserved(), await world.putReserved(), await world.putReserved()];
    const runs = [];
    for (const { session } of reserved) runs.push(await world.queueRun({ executor }, session));
    await match();
    let last = running;
    for (let begun = 1; begun <= 3; begun += 1) {
      await world.finish(last.id);
      await match(["executions"]);
      const states = await Promise.all(runs.map(statusOf));
      expect(states.filter((status) => status === "running")).toHaveLength(1);
      expect(states.filter((status) => status === "scheduling")).toHaveLength(3 - begun);
      last = runs[states.indexOf("running")] ?? last;
    }
  });

  it("finds the one of many idle machines that a run waits for, in several rounds", async () => {
    const { world, match, statusOf } = await begin();
    const machines = [];
    for (let at = 0; at < 70; at += 1) machines.push(await world.putMachine());
    const running = await world.queueRun({ executor });
    await match();
    const last = (await world.idle()).at(-1)?.machineId ?? "";
    const waiting = await world.queueRun({ executor, namedMachineId: last });
    await match();
    await world.finish(running.id);
    await match(["executions"]);
    expect(await statusOf(waiting)).toBe("scheduling");
    await match(["left"]);
    expect(await statusOf(waiting)).toBe("running");
  });

  it("costs the same however many wait, and keeps no other organization waiting", async () => {
    const { world, match, read } = await begin();
    const other = await matchWorld(world.table, world.clock, 1).begin();
    for (let at = 0; at < 8; at += 1) await world.putMachine();
    await world.queueRun({ executor });
    await match();
    for (let at = 0; at < 40; at += 1) await world.queueRun({ executor });
    const machine = await other.putMachine();
    const run = await other.queueRun({ executor });
    const before = read();
    await match();
    expect(await other.run(run.id)).toMatchObject({ status: "running", machineId: machine.id });
    expect(read() - before).toBeLessThanOrEqual(9);
  });
});

import { describe, expect, it } from "vitest";
import { createMatcher } from "../../../functions/matcher/app.ts";
import { readMatchTrigger } from "../../../shared/storage/stream/match-triggers.ts";
import type { TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";
import { DynamoTable } from "../../../shared/storage/table/dynamo-table.ts";
import { DynamoModel } from "../../support/dynamo-model/dynamo-model.ts";
import { FakeClock } from "../../support/fakes/fake-clock.ts";
import { matchWorld } from "../../support/matching/match-world.ts";

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

  it("goes on past a record that cannot be read, and names it", async () => {
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
    expect(answer).toEqual({ batchItemFailures: [{ itemIdentifier: "100" }] });
    expect(await world.idle()).toHaveLength(1);
    expect(world.log.text()).toContain("cannot be read");
  });
});

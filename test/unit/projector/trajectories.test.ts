import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { createProjector, type TableRecord } from "../../../functions/projector/app.ts";
import type { TableChange } from "../../../shared/domain/maintenance/table-change.ts";
import { spill } from "../../../shared/domain/spill.ts";
import { readTableChange, type TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { readsNothing } from "../../support/projector-reads.ts";
import { tunnelWorld } from "../../support/tunnel-world/tunnel-world.ts";

interface TestRecord extends TableRecord {
  readonly change?: TableChange;
}

async function setUp() {
  const world = tunnelWorld();
  const [organizationId, id] = [anOrganization(), v7()];
  const place = { organizationId, kind: "trajectory", id, field: "trajectory_data", objectId: "1" };
  const data = await spill(world, place, ["x".repeat(9_000)]);
  await world.put.trajectory({ organizationId, id, data });
  const project = createProjector<TestRecord>({
    ...world,
    ...readsNothing,
    readChange: (record) => record.change,
  });
  const run = (change: TableChange) => project({ Records: [{ dynamodb: { SequenceNumber: "1" }, change }] });
  return { world, organizationId, run };
}

const nothingFailed = { batchItemFailures: [] };

describe("the projector", () => {
  it("removes an object that other data has replaced, however often it is told", async () => {
    const { world, organizationId, run } = await setUp();
    const [objectKey = ""] = world.files.keys();
    await world.files.put("spill/other", new Uint8Array(1), "application/json");
    for (const _ of [1, 2]) {
      expect(await run({ kind: "objects_replaced", organizationId, objectKeys: [objectKey] })).toEqual(
        nothingFailed,
      );
    }
    expect(world.files.keys()).toEqual(["spill/other"]);
  });
});

describe("a change of a trajectory's row", () => {
  const row = (fields: object) => ({
    pk: { S: "ORG#o#TRAJECTORY#t" },
    sk: { S: "#" },
    kind: { S: "trajectory" },
    id: { S: "t" },
    organization_id: { S: "o" },
    ...fields,
  });
  const inBucket = (key: string) => ({
    trajectory_data: { M: { key: { S: key }, bytes: { N: "9000" }, head: { S: "[" } } },
  });
  const inPlace = { trajectory_data: { M: { json: { S: "[1]" } } } };
  const change = (OldImage?: object, NewImage?: object) =>
    readTableChange({
      dynamodb: { OldImage: { ...OldImage }, NewImage: { ...NewImage } },
    } as TableStreamRecord);
  const replaced = { kind: "objects_replaced", organizationId: "o", objectKeys: ["a"] };

  it("tells of the object that it replaces", () => {
    expect(change(row(inBucket("a")), row(inBucket("b")))).toEqual(replaced);
    expect(change(row(inBucket("a")), row(inPlace))).toEqual(replaced);
    const screens = { screens: inBucket("s").trajectory_data };
    expect(change(row({ ...inBucket("a"), ...screens }), row(inBucket("b")))).toEqual({
      ...replaced,
      objectKeys: ["a", "s"],
    });
    expect(change(row({ ...inPlace, ...screens }), row({ ...inPlace, ...screens }))).toBeUndefined();
  });

  it("leaves nothing to be done when it names the same object, had none, or is the row's end", () => {
    const renamed = row({ ...inBucket("a"), name: { S: "n" } });
    expect(change(row(inBucket("a")), renamed)).toBeUndefined();
    expect(change(row(inPlace), row(inBucket("b")))).toBeUndefined();
    expect(change(undefined, row(inBucket("a")))).toBeUndefined();
    const removal = { eventName: "REMOVE", dynamodb: { OldImage: row(inBucket("a")) } };
    expect(readTableChange(removal)).toBeUndefined();
  });
});

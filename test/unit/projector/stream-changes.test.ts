import { describe, expect, it } from "vitest";
import { deletableKinds } from "../../../shared/domain/maintenance/deletions.ts";
import { readTableChange, type TableStreamRecord } from "../../../shared/storage/stream/stream-changes.ts";

const machine = {
  pk: { S: "ORG#o#MACHINE#m" },
  sk: { S: "#" },
  kind: { S: "machine" },
  id: { S: "m" },
  organization_id: { S: "o" },
  pool_ids: { L: [] },
  revision: { N: "3" },
};
const deleted = { ...machine, deleted_at: { S: "2026-01-15T12:00:00.000Z" } };
const pool = { ...machine, kind: { S: "pool" }, id: { S: "p" } };
const connection = { ...machine, kind: { S: "connection" }, id: { S: "c" } };

function record(OldImage?: object, NewImage?: object): TableStreamRecord {
  return { dynamodb: { SequenceNumber: "1", OldImage: { ...OldImage }, NewImage: { ...NewImage } } };
}

describe("a change of the table", () => {
  it.each(deletableKinds)("is the deletion of a %s when it becomes marked deleted, once", (entity) => {
    const as = (image: object) => ({ ...image, kind: { S: entity } });
    const change = { kind: "deleted", entity, organizationId: "o", id: "m" };
    expect(readTableChange(record(as(machine), as(deleted)))).toEqual(change);
    expect(readTableChange(record(as(deleted), as(deleted)))).toBeUndefined();
    expect(readTableChange(record(as(deleted)))).toBeUndefined();
  });

  it("is a connection's expiry when its row goes", () => {
    const removal: TableStreamRecord = { eventName: "REMOVE", dynamodb: { OldImage: connection } };
    expect(readTableChange(removal)).toEqual({
      kind: "connection_expired",
      organizationId: "o",
      connectionId: "c",
    });
  });

  it.each([
    ["a machine is created", { NewImage: machine }],
    ["a machine is changed", { OldImage: machine, NewImage: machine }],
    ["a deleted machine is changed again", { OldImage: deleted, NewImage: deleted }],
    ["a deleted machine's row goes", { OldImage: deleted }],
    ["a connection is opened", { NewImage: connection }],
    ["a connection is heard of", { OldImage: connection, NewImage: connection }],
    ["another kind goes", { OldImage: { ...machine, kind: { S: "fingerprint" } } }],
    ["an item without a kind goes", { OldImage: { pk: { S: "x" }, sk: { S: "y" } } }],
    ["a pool is changed", { OldImage: pool, NewImage: pool }],
    ["a pool's member goes", { OldImage: { ...machine, kind: { S: "pool_member" } } }],
    ["a kind that nothing finishes is marked", { NewImage: { ...deleted, kind: { S: "toString" } } }],
    ["there is nothing in it", {}],
  ])("is nothing when %s", (_what, dynamodb) => {
    expect(readTableChange({ dynamodb })).toBeUndefined();
  });
});

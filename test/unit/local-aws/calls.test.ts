import { describe, expect, it } from "vitest";
import { BoundedList } from "../../../infra/local/aws/bounded-list.ts";
import { CallLog } from "../../../infra/local/aws/calls.ts";

const call = {
  functionName: "machines",
  worker: undefined,
  service: "dynamodb",
  operation: "GetItem",
  at: "2026-01-31T12:00:00.000Z",
  status: 200,
};

describe("CallLog", () => {
  it("counts by function, service and operation, and lists what came last", () => {
    const log = new CallLog();
    log.add(call);
    log.add({ ...call, operation: "Query" });
    log.add(call);
    log.add({ ...call, functionName: "computer", service: "s3", operation: "GetObject" });
    const { counts, recent } = log.snapshot();
    expect(counts).toEqual({
      machines: { dynamodb: { GetItem: 2, Query: 1 } },
      computer: { s3: { GetObject: 1 } },
    });
    expect(recent.map(({ operation }) => operation)).toEqual(["GetItem", "Query", "GetItem", "GetObject"]);
    log.clear();
    expect(log.snapshot()).toEqual({ counts: {}, recent: [] });
  });
});

describe("BoundedList", () => {
  it("keeps the newest entries only", () => {
    const list = new BoundedList<number>(3);
    for (let entry = 1; entry <= 100; entry++) {
      list.add(entry);
      expect(list.snapshot().length).toBe(Math.min(entry, 3));
    }
    expect(list.snapshot()).toEqual([98, 99, 100]);
  });
});

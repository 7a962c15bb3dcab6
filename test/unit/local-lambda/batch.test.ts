import { describe, expect, it } from "vitest";
import { afterFailure, cutIntoBatches, readBatchOutcome } from "../../../infra/local/events/batch.ts";
import type { StreamRecord } from "../../../infra/local/events/stream-client.ts";

const records = (...numbers: readonly string[]): readonly StreamRecord[] =>
  numbers.map((SequenceNumber) => ({ dynamodb: { SequenceNumber } }));
const failing = (...identifiers: readonly unknown[]) => ({
  ok: true as const,
  payload: { batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })) },
});

describe("a function's answer to a batch", () => {
  const partial = { reportsBatchItemFailures: true };
  const batch = records("1", "2", "3");

  it("is done when nothing is named", () => {
    for (const payload of [null, {}, { batchItemFailures: [] }, { batchItemFailures: null }]) {
      expect(readBatchOutcome(partial, batch, { ok: true, payload })).toEqual({ kind: "done" });
    }
  });

  it("goes on from the lowest record named", () => {
    expect(readBatchOutcome(partial, batch, failing("3", "2"))).toMatchObject({ kind: "failed", from: 1 });
  });

  it("fails the whole batch when a name is empty or not in it", () => {
    for (const identifier of ["", null, undefined, "9"]) {
      expect(readBatchOutcome(partial, batch, failing("2", identifier))).toMatchObject({
        kind: "failed",
        from: 0,
      });
    }
  });

  it("is not read for failures by a mapping that does not ask for them", () => {
    expect(readBatchOutcome({ reportsBatchItemFailures: false }, batch, failing("2"))).toEqual({
      kind: "done",
    });
  });

  it("fails the whole batch when the function failed", () => {
    const error = { errorType: "E", errorMessage: "m" };
    expect(readBatchOutcome(partial, batch, { ok: false, kind: "timeout", error })).toMatchObject({
      from: 0,
    });
    expect(readBatchOutcome(partial, batch, { ok: false, kind: "throttled", error })).toMatchObject({
      isThrottled: true,
    });
  });
});

describe("what is tried after a failure", () => {
  const batch = { records: records("1", "2", "3"), tries: 1 };
  const failed = { kind: "failed", from: 0, isThrottled: false } as const;

  it("is the rest of the batch, counted", () => {
    expect(afterFailure({ bisectsOnError: false }, batch, { ...failed, from: 1 })).toEqual([
      { records: records("2", "3"), tries: 2 },
    ]);
  });

  it("is both halves, not counted, when the mapping bisects", () => {
    expect(afterFailure({ bisectsOnError: true }, batch, failed)).toEqual([
      { records: records("1", "2"), tries: 1 },
      { records: records("3"), tries: 1 },
    ]);
  });

  it("is counted again once a single record is left", () => {
    expect(afterFailure({ bisectsOnError: true }, { records: records("3"), tries: 1 }, failed)).toEqual([
      { records: records("3"), tries: 2 },
    ]);
  });

  it("is the same, not counted, after a throttle", () => {
    expect(afterFailure({ bisectsOnError: false }, batch, { ...failed, isThrottled: true })).toEqual([batch]);
  });
});

describe("cutting what was read", () => {
  it("keeps to the batch size", () => {
    expect(cutIntoBatches(records("1", "2", "3"), 2).map(({ length }) => length)).toEqual([2, 1]);
  });

  it("keeps to the payload limit, with a batch of its own for what is too large alone", () => {
    const bytes = Buffer.byteLength(JSON.stringify(records("1")[0])) + 1;
    expect(cutIntoBatches(records("1", "2", "3"), 100, bytes * 2).map(({ length }) => length)).toEqual([
      2, 1,
    ]);
    expect(cutIntoBatches(records("1", "2"), 100, 1).map(({ length }) => length)).toEqual([1, 1]);
  });
});

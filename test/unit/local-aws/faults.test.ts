import { describe, expect, it } from "vitest";
import { Faults, faultError } from "../../../infra/local/aws/faults.ts";

const write = { service: "dynamodb", operation: "TransactWriteItems", functionName: "machines", path: "/" };

describe("Faults", () => {
  it("meets as many matching calls as asked for, and no others", () => {
    const faults = new Faults();
    faults.inject({
      service: "dynamodb",
      operation: "TransactWriteItems",
      error: "TransactionConflict",
      count: 2,
    });
    expect(faults.take({ ...write, operation: "GetItem" })).toBeUndefined();
    expect(faults.take({ ...write, service: "s3" })).toBeUndefined();
    expect(faults.take(write)?.error).toBe("TransactionConflict");
    expect(faults.take({ ...write, functionName: "computer" })?.error).toBe("TransactionConflict");
    expect(faults.take(write)).toBeUndefined();
    expect(faults.list()).toEqual([]);
  });

  it("leaves the calls of other functions alone", () => {
    const faults = new Faults();
    faults.inject({ functionName: "computer", error: "ThrottlingException" });
    expect(faults.take(write)).toBeUndefined();
    expect(faults.take({ ...write, functionName: "computer" })).toBeDefined();
  });

  it("leaves the calls of other paths alone", () => {
    const faults = new Faults();
    faults.inject({ path: "executor", error: "ResourceNotFoundException" });
    expect(faults.take(write)).toBeUndefined();
    expect(faults.take({ ...write, path: "/2015-03-31/functions/executor/invocations" })).toBeDefined();
  });

  it("lets the skipped calls pass first", () => {
    const faults = new Faults();
    faults.inject({ error: "InternalServerError", skip: 2 });
    const met = [1, 2, 3, 4].map(() => faults.take(write) !== undefined);
    expect(met).toEqual([false, false, true, false]);
  });

  it("goes on until cleared when it has no count, as often as its probability says", () => {
    const dice = [0.1, 0.9, 0.4, 0.5];
    const faults = new Faults(() => dice.shift() ?? 1);
    faults.inject({ error: "ThrottlingException", count: null, probability: 0.5 });
    expect([1, 2, 3, 4].map(() => faults.take(write) !== undefined)).toEqual([true, false, true, false]);
    faults.clear();
    expect(faults.take(write)).toBeUndefined();
  });

  it.each([
    ["an error without its code", {}],
    ["a chance above one", { error: "X", probability: 2 }],
    ["no calls at all", { error: "X", count: 0 }],
    ["a field that it does not know", { error: "X", operations: "GetItem" }],
  ])("refuses a fault of %s", (_, request) => {
    expect(() => new Faults().inject(request)).toThrow();
  });
});

describe("faultError", () => {
  const conflict = new Faults().inject({ error: "TransactionConflict" });

  it("cancels a transaction with one reason an item, the first in conflict", () => {
    const error = faultError(conflict, "TransactWriteItems", 3);
    expect(error.code).toBe("TransactionCanceledException");
    expect(error.message).toContain("[TransactionConflict, None, None]");
    expect(error.fields.CancellationReasons).toMatchObject([
      { Code: "TransactionConflict" },
      { Code: "None" },
      { Code: "None" },
    ]);
  });

  it("refuses a single write that meets a transaction", () => {
    expect(faultError(conflict, "UpdateItem", 0).code).toBe("TransactionConflictException");
  });

  it("carries status and message as asked for", () => {
    const fault = new Faults().inject({ error: "InternalServerError", status: 500, message: "away" });
    expect(faultError(fault, "GetItem", 0)).toMatchObject({
      status: 500,
      code: "InternalServerError",
      message: "away",
    });
  });
});

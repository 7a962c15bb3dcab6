import { ConditionalCheckFailedException, TransactionCanceledException } from "@aws-sdk/client-dynamodb";
import { describe, expect, it } from "vitest";
import { classifyFailure } from "../../../shared/storage/table/dynamo-failure.ts";

const $metadata = { httpStatusCode: 400 };

function cancelled(...reasons: readonly { Code?: string; Item?: Record<string, { S: string }> }[]) {
  return new TransactionCanceledException({
    message: "cancelled",
    $metadata,
    CancellationReasons: [...reasons],
  });
}

function named(name: string, more: object = {}): Error {
  return Object.assign(new Error(name), { name, $metadata }, more);
}

describe("a failed call to DynamoDB", () => {
  it("is a failed condition, with the item in the way", () => {
    const error = new ConditionalCheckFailedException({
      message: "no",
      $metadata,
      Item: { owner: { S: "me" } },
    });
    expect(classifyFailure(error)).toEqual({
      kind: "conditions",
      failed: new Map([[0, { owner: "me" }]]),
    });
  });

  it("names each item of a transaction whose condition failed", () => {
    const error = cancelled(
      { Code: "None" },
      { Code: "ConditionalCheckFailed", Item: { a: { S: "b" } } },
      { Code: "ConditionalCheckFailed" },
    );
    expect(classifyFailure(error)).toEqual({
      kind: "conditions",
      failed: new Map([
        [1, { a: "b" }],
        [2, undefined],
      ]),
    });
  });

  it("may succeed when tried again after a conflict or a throttle, whatever stands beside the conflict", () => {
    const again = { kind: "again" };
    expect(classifyFailure(cancelled({ Code: "None" }, { Code: "TransactionConflict" }))).toEqual(again);
    expect(classifyFailure(cancelled({ Code: "ThrottlingError" }, { Code: "None" }))).toEqual(again);
    expect(
      classifyFailure(cancelled({ Code: "ConditionalCheckFailed" }, { Code: "TransactionConflict" })),
    ).toEqual(again);
    expect(classifyFailure(named("ThrottlingException"))).toEqual(again);
    expect(classifyFailure(named("ProvisionedThroughputExceededException"))).toEqual(again);
    expect(classifyFailure(named("TransactionInProgressException"))).toEqual(again);
  });

  it("is unanswered when nobody answered, or DynamoDB failed by itself", () => {
    const unanswered = { kind: "unanswered" };
    expect(classifyFailure(named("TimeoutError"))).toEqual(unanswered);
    expect(classifyFailure(named("Error", { code: "ECONNREFUSED" }))).toEqual(unanswered);
    expect(classifyFailure(named("InternalServerError", { $metadata: { httpStatusCode: 500 } }))).toEqual(
      unanswered,
    );
  });

  it("is a bug otherwise, and never tried again", () => {
    const bug = { kind: "bug" };
    expect(classifyFailure(named("ValidationException"))).toEqual(bug);
    expect(classifyFailure(named("AccessDeniedException"))).toEqual(bug);
    expect(classifyFailure(cancelled({ Code: "ValidationError" }, { Code: "None" }))).toEqual(bug);
    expect(classifyFailure(cancelled())).toEqual(bug);
    expect(classifyFailure("text")).toEqual(bug);
  });
});

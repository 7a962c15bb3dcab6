import {
  type AttributeValue,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import { isAway } from "../../aws/aws-failure.ts";
import { fromAttributes, type Item } from "./item.ts";

/** The items whose condition failed, by position in the write, as they are in the table (undefined: not there). */
export type FailedConditions = ReadonlyMap<number, Item | undefined>;

export type Failure =
  | { readonly kind: "conditions"; readonly failed: FailedConditions }
  /** Throttled, or in conflict with another transaction: a retry may succeed. */
  | { readonly kind: "again" }
  /** No response, or DynamoDB's own fault: the call may have had its effect. */
  | { readonly kind: "unanswered" }
  | { readonly kind: "bug" };

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html */
const throttlings: ReadonlySet<string> = new Set([
  "ThrottlingException",
  "ThrottlingError",
  "ProvisionedThroughputExceededException",
  "ProvisionedThroughputExceeded",
  "RequestLimitExceeded",
  "TransactionConflictException",
  "TransactionInProgressException",
]);

/** Codes of a cancelled transaction that do not rule out a retry. */
const passingReasons: ReadonlySet<string> = new Set([
  "None",
  "TransactionConflict",
  "ThrottlingError",
  "ProvisionedThroughputExceeded",
]);

/**
 * Classifies why a call to DynamoDB failed.
 *
 * A cancelled transaction names a reason per item. A conflict beside a failed condition is retried too: the item in
 * conflict may be the idempotency record that explains the failure.
 *
 * Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CancellationReason.html
 */
export function classifyFailure(error: unknown): Failure {
  if (error instanceof ConditionalCheckFailedException) {
    return { kind: "conditions", failed: new Map([[0, optionalItem(error.Item)]]) };
  }
  if (error instanceof TransactionCanceledException) {
    const reasons = error.CancellationReasons ?? [];
    if (reasons.some((reason) => reason.Code === "TransactionConflict")) return { kind: "again" };
    const failed = new Map<number, Item | undefined>();
    for (const [index, reason] of reasons.entries()) {
      if (reason.Code === "ConditionalCheckFailed") failed.set(index, optionalItem(reason.Item));
    }
    if (failed.size > 0) return { kind: "conditions", failed };
    if (reasons.length > 0 && reasons.every((reason) => passingReasons.has(reason.Code ?? "None"))) {
      return { kind: "again" };
    }
    return { kind: "bug" };
  }
  if (!(error instanceof Error)) return { kind: "bug" };
  if (throttlings.has(error.name)) return { kind: "again" };
  return isAway(error) ? { kind: "unanswered" } : { kind: "bug" };
}

function optionalItem(attributes: Record<string, AttributeValue> | undefined): Item | undefined {
  // DynamoDB Local returns an empty map where AWS leaves the item out.
  return attributes && Object.keys(attributes).length > 0 ? fromAttributes(attributes) : undefined;
}

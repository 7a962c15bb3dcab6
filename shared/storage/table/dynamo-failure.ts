import {
  type AttributeValue,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from "@aws-sdk/client-dynamodb";
import { isAway } from "../../aws/aws-failure.ts";
import { fromAttributes, type Item } from "./item.ts";

/** The keys are positions in the write; undefined means that there is no item. */
export type FailedConditions = ReadonlyMap<number, Item | undefined>;

export type Failure =
  | { readonly kind: "conditions"; readonly failed: FailedConditions }
  /** A throttled call, or one in conflict with another transaction, may succeed later. */
  | { readonly kind: "again" }
  /** The call may have had its effect. */
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

/** These codes of a cancelled transaction do not rule out a retry. */
const passingReasons: ReadonlySet<string> = new Set([
  "None",
  "TransactionConflict",
  "ThrottlingError",
  "ProvisionedThroughputExceeded",
]);

/**
 * A conflict beside a failed condition is retried: the item in conflict may be the record that explains the failure.
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

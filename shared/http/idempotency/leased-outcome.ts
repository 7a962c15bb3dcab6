import { DomainError } from "../../domain/errors.ts";
import type { ErrorCode } from "../../vocabulary/error-codes.ts";

/** The result of a leased record: the work's result, or the one error that is final. */
export type LeasedOutcome<Result> =
  | { readonly kind: "result"; readonly result: Result }
  | {
      readonly kind: "error";
      readonly code: ErrorCode;
      readonly message: string;
      readonly details: unknown;
    };

export function errorOutcome(error: DomainError): LeasedOutcome<never> {
  return { kind: "error", code: error.code, message: error.message, details: error.details };
}

/** @throws {DomainError} the error on record. */
export function outcomeOf<Result>(outcome: LeasedOutcome<Result>): Result {
  if (outcome.kind === "result") return outcome.result;
  throw new DomainError(outcome.code, outcome.message, { details: outcome.details });
}

import { DomainError } from "../../errors.ts";
import type { CreateRunsOutcome } from "../run-store.ts";

/** @throws {DomainError} `not_found` that names what is missing, or `session_ended`. */
export function requireCreated(outcome: CreateRunsOutcome): void {
  const refusal = creationError(outcome);
  if (refusal !== undefined) throw refusal;
}

export function creationError(outcome: CreateRunsOutcome): DomainError | undefined {
  switch (outcome.kind) {
    case "created":
    case "repeated":
      return undefined;
    case "missing": {
      const { what, id } = outcome;
      return new DomainError("not_found", `there is no ${what} ${id}`, { details: { [`${what}_id`]: id } });
    }
    case "session_ended":
      return sessionEnded(outcome.id);
  }
}

export function sessionEnded(sessionId: string): DomainError {
  return new DomainError("session_ended", `the session ${sessionId} has ended; start another one`, {
    details: { session_id: sessionId },
  });
}

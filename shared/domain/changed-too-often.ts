import { DomainError } from "./errors.ts";

/** Other writers changed the item between each read and write: nothing was done, and a retry may succeed. */
export class ChangedTooOften extends DomainError {
  /** @param what in the singular, such as "the machine". */
  constructor(what: string) {
    super("service_unavailable", `${what} is being changed too often; try again`, { retryAfterSeconds: 1 });
  }
}

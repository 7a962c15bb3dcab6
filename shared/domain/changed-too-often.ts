import { DomainError } from "./errors.ts";

/** Others wrote between each reading and its writing: nothing was done, and it passes by itself. */
export class ChangedTooOften extends DomainError {
  /** @param what in the singular, such as "the machine". */
  constructor(what: string) {
    super("service_unavailable", `${what} is being changed too often; try again`, { retryAfterSeconds: 1 });
  }
}

import { DomainError } from "./errors.ts";

/** @param noun in the plural. */
export function limitReached(noun: string, max: number, holder = "an organization"): DomainError {
  return new DomainError("limit_reached", `${holder} has at most ${max} ${noun}`, { details: { max } });
}

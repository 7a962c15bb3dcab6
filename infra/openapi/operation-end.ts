import {
  compatibilityPath,
  type Operation,
  type OperationEnd,
} from "../../shared/contract/operations/operation.ts";

/** The promise of the page for users: whatever goes away stays for as many months after it is deprecated. */
export const keptMonthsMin = 12;

/** These go with each response of an operation that goes away. */
export const endHeaders = {
  Deprecation: { description: "The time since when the operation is deprecated (RFC 9745)." },
  Sunset: { description: "The time from which on the operation may be gone (RFC 8594)." },
  Link: { description: `The page that lists what goes away: ${compatibilityPath}.` },
} as const;

/** @throws {Error} when the operation goes away sooner than is promised. */
export function endOf({ id, end }: Operation): OperationEnd | undefined {
  if (end === undefined) return undefined;
  const earliest = new Date(end.deprecatedOn);
  earliest.setUTCMonth(earliest.getUTCMonth() + keptMonthsMin);
  if (!(Date.parse(end.goneOn) >= earliest.getTime())) {
    throw new Error(`${id} must stay until ${earliest.toISOString().slice(0, 10)}`);
  }
  return end;
}

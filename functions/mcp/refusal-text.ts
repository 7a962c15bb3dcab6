import { ApiError, ApiUnreachable } from "../../shared/client/api-error.ts";
import type { ErrorCode } from "../../shared/vocabulary/error-codes.ts";

const lookFirst =
  "nobody can tell whether it was done: look at the screen before you decide whether to do it again";

/** What a program that thinks can do about it, behind the API's own sentence. */
const advice: Partial<Record<ErrorCode, string>> = {
  outcome_unknown: lookFirst,
  driver_timeout: lookFirst,
  driver_connection_lost: lookFirst,
  machine_not_connected: "list_machines shows which desktops are connected",
  machine_held: "a person drives this desktop: wait until the time in the details, or use another desktop",
  driver_busy: "wait for a second, then try again",
  organization_busy: "wait for a second, then try again",
};

/** Undefined for what is no refusal of the API. */
export function refusalText(error: unknown): string | undefined {
  if (error instanceof ApiUnreachable) return `The service did not respond; ${lookFirst}.`;
  if (!(error instanceof ApiError)) return undefined;
  const { errorCode, message, details, retryAfterSeconds, requestId } = error;
  const hint = errorCode && advice[errorCode];
  return [
    `${errorCode ?? "refused"}: ${message}.`,
    ...(hint === undefined ? [] : [`${hint[0]?.toUpperCase()}${hint.slice(1)}.`]),
    ...(retryAfterSeconds === undefined ? [] : [`Try again after ${retryAfterSeconds} s.`]),
    ...(errorCode === "machine_held" ? [JSON.stringify(details)] : []),
    ...(requestId === undefined ? [] : [`(request ${requestId})`]),
  ].join(" ");
}

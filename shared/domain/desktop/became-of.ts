import type { ErrorCode } from "../../vocabulary/error-codes.ts";
import { DomainError } from "../errors.ts";
import { uncertainErrors } from "../tunnel/call-driver.ts";
import { driverWordsOf } from "../tunnel/driver-words.ts";
import type { Acted, Missed } from "./desktop.ts";

const awayErrors: ReadonlySet<ErrorCode> = new Set([
  "machine_not_connected",
  "driver_busy",
  "organization_busy",
  "service_unavailable",
]);

const refusals: ReadonlySet<ErrorCode> = new Set([
  "driver_rejected",
  "driver_failed",
  "not_supported_by_driver",
  "answer_too_large",
  "not_found",
]);

export async function becameOf(work: () => Promise<Acted>): Promise<Acted> {
  try {
    return await work();
  } catch (error) {
    const kind = failedBy(error);
    if (kind === "failed") return { kind, error: refusalText(error) ?? "" };
    if (kind === undefined) throw error;
    return { kind };
  }
}

type FileCall = "files" | "taken" | "slow";

export async function orMissed<Result extends { readonly kind: FileCall }>(
  work: () => Promise<Result>,
): Promise<Result | Missed> {
  let result: Result | undefined;
  const became = await becameOf(async () => {
    result = await work();
    return { kind: "done" };
  });
  return result ?? (became as Missed);
}

export function refusalText(error: unknown): string | undefined {
  if (!(error instanceof DomainError) || failedBy(error) !== "failed") return undefined;
  return driverWordsOf(error);
}

export function failedBy(error: unknown): Exclude<Acted["kind"], "done"> | undefined {
  if (!(error instanceof DomainError)) return undefined;
  const { code, nothingDone } = error;
  if (code === "outcome_unknown") return "unknown";
  if (awayErrors.has(code)) return "away";
  if (uncertainErrors.has(code)) return nothingDone ? "away" : "uncertain";
  return refusals.has(code) ? "failed" : undefined;
}

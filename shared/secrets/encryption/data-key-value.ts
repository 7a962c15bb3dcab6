import { createHash } from "node:crypto";
import * as z from "zod";
import { dayMs, restorableDays } from "../../vocabulary/time.ts";

const Earlier = z.object({ key: z.string().min(32), until: z.iso.datetime() });

/**
 * The value itself keeps earlier versions, because Secrets Manager deletes versions without a staging label.
 *
 * Source: https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html
 */
export const DataKeyValue = z.object({ key: z.string().min(32), earlier: z.array(Earlier).default([]) });
export type DataKeyValue = z.output<typeof DataKeyValue>;

/** The length of a version's name, which is derived from its key. */
export const versionBytes = 6;

export function versionOf(key: string): Buffer {
  return createHash("sha256").update(`version ${key}`, "utf8").digest().subarray(0, versionBytes);
}

/** The table can be restored this far back, and only a run's sensitive values are stored for longer. */
const neededMs = restorableDays * dayMs;

/** Instances read a new version after five minutes, or as soon as Secrets Manager responds again; clocks differ. */
const overlapMs = dayMs;

/** @param oldestMs is when the oldest stored sensitive values of a run were encrypted. */
export function withoutUnneeded(
  value: DataKeyValue,
  { nowMs, oldestMs = nowMs }: { readonly nowMs: number; readonly oldestMs?: number | undefined },
): DataKeyValue {
  const usedAfterMs = Math.min(nowMs - neededMs, oldestMs) - overlapMs;
  return { ...value, earlier: value.earlier.filter(({ until }) => Date.parse(until) > usedAfterMs) };
}

export function rotated(value: DataKeyValue, key: string, nowMs: number): DataKeyValue {
  return { key, earlier: [{ key: value.key, until: new Date(nowMs).toISOString() }, ...value.earlier] };
}

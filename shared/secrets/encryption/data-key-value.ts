import { createHash } from "node:crypto";
import * as z from "zod";

/** When its successor took over, ISO 8601. */
const Earlier = z.object({ key: z.string().min(32), until: z.iso.datetime() });

/**
 * The value of the data key's secret. It keeps the earlier versions itself: Secrets Manager deletes versions without a
 * staging label, of which a secret has twenty.
 *
 * Source: https://docs.aws.amazon.com/secretsmanager/latest/apireference/API_UpdateSecretVersionStage.html
 */
export const DataKeyValue = z.object({ key: z.string().min(32), earlier: z.array(Earlier).default([]) });
export type DataKeyValue = z.output<typeof DataKeyValue>;

/** Of a version's name, derived from its key. */
export const versionBytes = 6;

export function versionOf(key: string): Buffer {
  return createHash("sha256").update(`version ${key}`, "utf8").digest().subarray(0, versionBytes);
}

/** With a new key, which encrypts from now on. */
export function rotated(value: DataKeyValue, key: string, nowMs: number): DataKeyValue {
  return { key, earlier: [{ key: value.key, until: new Date(nowMs).toISOString() }, ...value.earlier] };
}

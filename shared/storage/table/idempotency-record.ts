import * as z from "zod";
import {
  type Idempotency,
  type IdempotencyRecord,
  AlreadyOnRecord,
  idempotencyWindowMs,
} from "../../domain/idempotency/idempotency.ts";
import type { Write } from "./expression.ts";
import type { Item } from "./item.ts";
import { idempotencyRecordKey } from "./keys.ts";

/** DynamoDB takes items up to 400 KB; a result above this belongs into the bucket before it comes here. */
const resultBytesMax = 300 * 1024;

const IdempotencyItem = z.object({
  kind: z.literal("idempotency_record"),
  state: z.enum(["done", "in_progress"]),
  body_mac: z.string(),
  owner: z.string(),
  ids: z.tuple([z.string(), z.string(), z.string()]),
  /** JSON text. */
  result: z.string().optional(),
  leased_until_ms: z.number().optional(),
  is_taken_over: z.boolean(),
  expires_at_ms: z.number(),
});
export type IdempotencyItem = z.infer<typeof IdempotencyItem>;

export function parseIdempotencyRecord(item: Item): IdempotencyItem {
  return IdempotencyItem.parse(item);
}

export function recordOf(row: IdempotencyItem): IdempotencyRecord {
  if (row.state === "done") {
    return { kind: "done", bodyMac: row.body_mac, result: JSON.parse(row.result ?? "null") };
  }
  return { kind: "in_progress", bodyMac: row.body_mac, leasedUntilMs: row.leased_until_ms ?? 0 };
}

/** Holds while nothing is on record; TTL removes what has expired days late. */
export const isFree = (nowMs: number) => ({
  expression: "attribute_not_exists(pk) OR expires_at_ms <= :now",
  values: { now: nowMs },
});

/** Holds while this attempt has the lease. */
export const isOwned = (idempotency: Idempotency) => ({
  expression: "owner = :owner AND state = :in_progress",
  values: { owner: idempotency.owner, in_progress: "in_progress" },
});

/** How long a record stays, by what is compared and by what removes it. */
export function recordExpiry(nowMs: number) {
  const expiresAtMs = nowMs + idempotencyWindowMs;
  return { expires_at_ms: expiresAtMs, ttl: Math.ceil(expiresAtMs / 1_000) };
}

/**
 * The part of a store's transaction that puts the answer on record (`transactIdempotent` adds it). An idempotency record not held is
 * written for the first time here; a held one is finished by its owner only.
 *
 * @param result what the verb returns, as JSON; at most 300 KB.
 */
export function recordWrite(idempotency: Idempotency, result: unknown, nowMs: number): Write {
  const text = JSON.stringify(result ?? null);
  const bytes = Buffer.byteLength(text);
  if (bytes > resultBytesMax) {
    throw new Error(`an answer of ${bytes} bytes does not fit on record; at most ${resultBytesMax} do`);
  }
  const key = idempotencyRecordKey(idempotency.organizationId, idempotency.id);
  const finished = { state: "done", result: text, ...recordExpiry(nowMs) };
  if (idempotency.leased) {
    const change = { set: { ...finished, leased_until_ms: null } };
    return { kind: "update", key, change, condition: isOwned(idempotency) };
  }
  const item = {
    ...key,
    kind: "idempotency_record",
    body_mac: idempotency.bodyMac,
    owner: idempotency.owner,
    ids: idempotency.ids,
    is_taken_over: false,
    ...finished,
  };
  return { kind: "put", item, condition: isFree(nowMs) };
}

/** What a write is refused with when the idempotency record's own condition failed. */
export function alreadyOnRecord(idempotency: Idempotency, item: Item | undefined): AlreadyOnRecord {
  if (item) return new AlreadyOnRecord(recordOf(parseIdempotencyRecord(item)));
  // The record of a leased idempotency record has expired under a worker that outlived it by hours: nobody holds it now.
  return new AlreadyOnRecord({ kind: "in_progress", bodyMac: idempotency.bodyMac, leasedUntilMs: 0 });
}

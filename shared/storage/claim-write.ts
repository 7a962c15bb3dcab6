import * as z from "zod";
import {
  type Claim,
  type ClaimRecord,
  ClaimTaken,
  idempotencyWindowMs,
} from "../domain/idempotency/claim.ts";
import type { Write } from "./expression.ts";
import type { Item } from "./item.ts";
import { claimKey } from "./keys.ts";

/** DynamoDB takes items up to 400 KB; a result above this belongs into the bucket before it comes here. */
const resultBytesMax = 300 * 1024;

const ClaimItem = z.object({
  kind: z.literal("claim"),
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
export type ClaimItem = z.infer<typeof ClaimItem>;

export function parseClaim(item: Item): ClaimItem {
  return ClaimItem.parse(item);
}

export function claimRecord(row: ClaimItem): ClaimRecord {
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
export const isOwned = (claim: Claim) => ({
  expression: "owner = :owner AND state = :in_progress",
  values: { owner: claim.owner, in_progress: "in_progress" },
});

/** How long a record stays, by what is compared and by what removes it. */
export function claimExpiry(nowMs: number) {
  const expiresAtMs = nowMs + idempotencyWindowMs;
  return { expires_at_ms: expiresAtMs, ttl: Math.ceil(expiresAtMs / 1_000) };
}

/**
 * The part of a store's transaction that puts the answer on record (`transactOnce` adds it). A claim not held is
 * written for the first time here; a held one is finished by its owner only.
 *
 * @param result what the verb returns, as JSON; at most 300 KB.
 */
export function claimWrite(claim: Claim, result: unknown, nowMs: number): Write {
  const text = JSON.stringify(result ?? null);
  const bytes = Buffer.byteLength(text);
  if (bytes > resultBytesMax) {
    throw new Error(`an answer of ${bytes} bytes does not fit on record; at most ${resultBytesMax} do`);
  }
  const key = claimKey(claim.organizationId, claim.id);
  const finished = { state: "done", result: text, ...claimExpiry(nowMs) };
  if (claim.held) {
    const change = { set: { ...finished, leased_until_ms: null } };
    return { kind: "update", key, change, condition: isOwned(claim) };
  }
  const item = {
    ...key,
    kind: "claim",
    body_mac: claim.bodyMac,
    owner: claim.owner,
    ids: claim.ids,
    is_taken_over: false,
    ...finished,
  };
  return { kind: "put", item, condition: isFree(nowMs) };
}

/** What a write is refused with when the claim's own condition failed. */
export function claimTaken(claim: Claim, item: Item | undefined): ClaimTaken {
  if (item) return new ClaimTaken(claimRecord(parseClaim(item)));
  // The record of a held claim has expired under a worker that outlived it by hours: nobody holds it now.
  return new ClaimTaken({ kind: "in_progress", bodyMac: claim.bodyMac, leasedUntilMs: 0 });
}

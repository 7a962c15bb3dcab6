import * as z from "zod";
import {
  AlreadyOnRecord,
  type Idempotency,
  type IdempotencyRecord,
  idempotencyWindowMs,
} from "../../domain/idempotency/idempotency.ts";
import type { Write } from "./expression.ts";
import type { Item } from "./item.ts";
import { idempotencyRecordKey } from "./keys.ts";
import { flag, kept, maybe, number, oneOf, orElse, row, text } from "./row.ts";

/** DynamoDB takes items up to 400 KB; larger results belong into the bucket before they come here. */
const resultBytesMax = 300 * 1024;

export interface IdempotencyRow {
  readonly state: "done" | "in_progress";
  readonly bodyMac: string;
  readonly owner: string;
  readonly ids: readonly [string, string, string];
  /** JSON text. */
  readonly result?: string;
  readonly leasedUntilMs: number;
  readonly isTakenOver: boolean;
  readonly expiresAtMs: number;
}

export const idempotencyRow = row<IdempotencyRow>("idempotency_record", {
  state: oneOf(["done", "in_progress"]),
  bodyMac: text,
  owner: text,
  ids: kept(() => z.tuple([z.string(), z.string(), z.string()])),
  result: maybe(text),
  leasedUntilMs: orElse(number, 0),
  isTakenOver: flag,
  expiresAtMs: number,
});

export const parseIdempotencyRecord = idempotencyRow.parse;

export function recordOf(row: IdempotencyRow): IdempotencyRecord {
  const { state, bodyMac, result = "null", leasedUntilMs } = row;
  if (state === "done") return { kind: "done", bodyMac, result: JSON.parse(result) };
  return { kind: "in_progress", bodyMac, leasedUntilMs };
}

/** Holds while there is no unexpired record; TTL removes expired ones days late. */
export const isFree = (nowMs: number) => ({
  expression: "attribute_not_exists(pk) OR expires_at_ms <= :now",
  values: { now: nowMs },
});

/** Holds while this attempt has the lease. */
export const isOwned = (idempotency: Idempotency) => ({
  expression: "owner = :owner AND state = :in_progress",
  values: { owner: idempotency.owner, in_progress: "in_progress" },
});

/** When a record expires, in ms for conditions and in seconds for TTL. */
export function recordExpiry(nowMs: number) {
  const expiresAtMs = nowMs + idempotencyWindowMs;
  return { expires_at_ms: expiresAtMs, ttl: Math.ceil(expiresAtMs / 1_000) };
}

/**
 * The write that puts the result on record, as part of a store's transaction (`transactIdempotent` adds it). Creates a
 * record that is not leased; finishes a leased one, on the condition that this attempt owns it.
 *
 * @param result what the verb returns, as JSON; at most 300 KB.
 */
export function recordWrite(idempotency: Idempotency, result: unknown, nowMs: number): Write {
  const answer = JSON.stringify(result ?? null);
  const bytes = Buffer.byteLength(answer);
  if (bytes > resultBytesMax) {
    throw new Error(`a result of ${bytes} bytes does not fit on record; at most ${resultBytesMax} do`);
  }
  const key = idempotencyRecordKey(idempotency.organizationId, idempotency.id);
  const finished = { state: "done", result: answer, leasedUntilMs: 0 } as const;
  const expiry = recordExpiry(nowMs);
  if (idempotency.leased) {
    const change = { set: { ...idempotencyRow.set(finished), ...expiry } };
    return { kind: "update", key, change, condition: isOwned(idempotency) };
  }
  const { bodyMac, owner, ids } = idempotency;
  const written = { bodyMac, owner, ids, isTakenOver: false, expiresAtMs: expiry.expires_at_ms, ...finished };
  const item = { ...key, ...idempotencyRow.write(written), ...expiry };
  return { kind: "put", item, condition: isFree(nowMs) };
}

/** The error of a write whose idempotency record's condition failed. */
export function alreadyOnRecord(idempotency: Idempotency, item: Item | undefined): AlreadyOnRecord {
  if (item) return new AlreadyOnRecord(recordOf(parseIdempotencyRecord(item)));
  // A leased record expired under a worker that outlived it by hours: nobody holds the lease now.
  return new AlreadyOnRecord({ kind: "in_progress", bodyMac: idempotency.bodyMac, leasedUntilMs: 0 });
}

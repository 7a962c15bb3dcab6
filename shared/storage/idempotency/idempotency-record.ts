import * as z from "zod";
import { type EncryptedPlace, type Encryption, Undecryptable } from "../../domain/encryption.ts";
import { DomainError } from "../../domain/errors.ts";
import {
  AlreadyOnRecord,
  type Idempotency,
  type IdempotencyRecord,
  idempotencyWindowMs,
} from "../../domain/idempotency/idempotency.ts";
import { put, update, type Write } from "../table/expression.ts";
import type { Item } from "../table/item.ts";
import { idempotencyRecordKey } from "../table/keys.ts";
import { bytes, flag, kept, maybe, number, oneOf, orElse, row, text } from "../table/row.ts";

/** DynamoDB accepts items up to 400 KB, so larger results are in the bucket by then. */
const resultBytesMax = 300 * 1024;

export interface IdempotencyRow {
  readonly state: "done" | "in_progress";
  readonly bodyMac: string;
  readonly owner: string;
  readonly ids: readonly [string, string, string];
  /** The result is encrypted JSON. */
  readonly result?: Uint8Array;
  readonly leasedUntilMs: number;
  readonly isTakenOver: boolean;
  readonly expiresAtMs: number;
}

export const idempotencyRow = row<IdempotencyRow>("idempotency_record", {
  state: oneOf(["done", "in_progress"]),
  bodyMac: text,
  owner: text,
  ids: kept(() => z.tuple([z.string(), z.string(), z.string()])),
  result: maybe(bytes),
  leasedUntilMs: orElse(number, 0),
  isTakenOver: flag,
  expiresAtMs: number,
});

export const parseIdempotencyRecord = idempotencyRow.parse;

type Identity = Pick<Idempotency, "organizationId" | "id">;

/** @throws {DomainError} `outcome_unknown` when the recorded result cannot be decrypted. */
export async function recordOf(
  encryption: Encryption,
  identity: Identity,
  row: IdempotencyRow,
): Promise<IdempotencyRecord> {
  const { state, bodyMac, result, leasedUntilMs } = row;
  if (state === "in_progress") return { kind: "in_progress", bodyMac, leasedUntilMs };
  return { kind: "done", bodyMac, result: result ? await readResult(encryption, identity, result) : null };
}

async function readResult(encryption: Encryption, identity: Identity, stored: Uint8Array): Promise<unknown> {
  try {
    return JSON.parse(new TextDecoder().decode(await encryption.decrypt(resultPlace(identity), stored)));
  } catch (cause) {
    if (!(cause instanceof Undecryptable)) throw cause;
    const message = "the first request under this Idempotency-Key was done, and its response cannot be read";
    throw new DomainError("outcome_unknown", message, { cause });
  }
}

function resultPlace({ organizationId, id }: Identity): EncryptedPlace {
  return { organizationId, purpose: "idempotency-result", ...idempotencyRecordKey(organizationId, id) };
}

/** TTL removes expired records days late. */
export const isRecordFree = (nowMs: number) => ({
  expression: "attribute_not_exists(pk) OR expires_at_ms <= :now",
  values: { now: nowMs },
});

export const isOwned = (idempotency: Idempotency) => ({
  expression: "owner = :owner AND state = :in_progress",
  values: { owner: idempotency.owner, in_progress: "in_progress" },
});

/** Conditions compare milliseconds; TTL takes seconds. */
export function recordExpiry(nowMs: number) {
  const expiresAtMs = nowMs + idempotencyWindowMs;
  return { expires_at_ms: expiresAtMs, ttl: Math.ceil(expiresAtMs / 1_000) };
}

/** Creates a record that is not leased, or finishes a leased one, on the condition that this attempt owns it. */
export async function recordWrite(
  encryption: Encryption,
  idempotency: Idempotency,
  result: unknown,
  nowMs: number,
): Promise<Write> {
  const text = Buffer.from(JSON.stringify(result ?? null), "utf8");
  const stored = await encryption.encrypt(resultPlace(idempotency), text);
  if (stored.length > resultBytesMax) {
    throw new Error(
      `a result of ${stored.length} bytes does not fit on record; at most ${resultBytesMax} do`,
    );
  }
  const key = idempotencyRecordKey(idempotency.organizationId, idempotency.id);
  const finished = { state: "done", result: stored, leasedUntilMs: 0 } as const;
  const expiry = recordExpiry(nowMs);
  if (idempotency.leased) {
    return update(key, { set: { ...idempotencyRow.set(finished), ...expiry } }, isOwned(idempotency));
  }
  const { bodyMac, owner, ids } = idempotency;
  const written = { bodyMac, owner, ids, isTakenOver: false, expiresAtMs: expiry.expires_at_ms, ...finished };
  return put({ ...key, ...idempotencyRow.write(written), ...expiry }, isRecordFree(nowMs));
}

export async function alreadyOnRecord(
  encryption: Encryption,
  idempotency: Idempotency,
  item: Item | undefined,
): Promise<AlreadyOnRecord> {
  if (item) return new AlreadyOnRecord(await recordOf(encryption, idempotency, parseIdempotencyRecord(item)));
  // A worker outlived a leased record by hours, so nobody holds the lease now.
  return new AlreadyOnRecord({ kind: "in_progress", bodyMac: idempotency.bodyMac, leasedUntilMs: 0 });
}

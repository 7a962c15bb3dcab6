import {
  AlreadyOnRecord,
  type Idempotency,
  type IdempotencyRecord,
  type IdempotencyStore,
  leaseMs,
} from "../../domain/idempotency/idempotency.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import type { Item } from "../table/item.ts";
import { idempotencyRecordKey } from "../table/keys.ts";
import {
  alreadyOnRecord,
  type IdempotencyRow,
  idempotencyRow,
  isOwned,
  isRecordFree,
  parseIdempotencyRecord,
  recordExpiry,
  recordOf,
  recordWrite,
} from "./idempotency-record.ts";

/** Stores write the records of transactions themselves (`recordWrite`). */
export class DynamoIdempotencyStore extends DynamoStore<StoreDeps> implements IdempotencyStore {
  async find(idempotency: Idempotency): Promise<IdempotencyRecord | undefined> {
    const item = await this.table.get(idempotencyRecordKey(idempotency.organizationId, idempotency.id));
    const row = item && parseIdempotencyRecord(item);
    return row && row.expiresAtMs > this.deps.clock.now()
      ? await this.#recordOf(idempotency, row)
      : undefined;
  }

  async lease(idempotency: Idempotency): Promise<Idempotency> {
    if (idempotency.leased) return idempotency;
    const nowMs = this.deps.clock.now();
    const { organizationId, id, bodyMac, owner, ids } = idempotency;
    const expiry = recordExpiry(nowMs);
    const item = {
      ...idempotencyRecordKey(organizationId, id),
      ...idempotencyRow.write({
        state: "in_progress",
        bodyMac,
        owner,
        ids,
        isTakenOver: false,
        leasedUntilMs: nowMs + leaseMs,
        expiresAtMs: expiry.expires_at_ms,
      }),
      ...expiry,
    };
    const outcome = await this.table.put(item, isRecordFree(nowMs));
    if (outcome.kind === "written") return { ...idempotency, leased: true };
    return await this.#takeOver(idempotency, outcome.item);
  }

  async #takeOver(idempotency: Idempotency, found: Item | undefined): Promise<Idempotency> {
    const nowMs = this.deps.clock.now();
    const row = await this.#takeable(idempotency, found, nowMs);
    if (row.owner === idempotency.owner) return heldAs(idempotency, row);
    const outcome = await this.table.update(
      idempotencyRecordKey(idempotency.organizationId, idempotency.id),
      {
        set: {
          ...idempotencyRow.set({
            owner: idempotency.owner,
            leasedUntilMs: nowMs + leaseMs,
            isTakenOver: true,
          }),
          ...recordExpiry(nowMs),
        },
      },
      {
        expression: "state = :in_progress AND owner = :before AND leased_until_ms <= :now",
        values: { in_progress: "in_progress", before: row.owner, now: nowMs },
      },
    );
    if (outcome.kind === "updated") return heldAs(idempotency, parseIdempotencyRecord(outcome.item));
    const taken = await this.#takeable(idempotency, outcome.item, nowMs);
    // A write repeated after a lost response meets its own lease.
    if (taken.owner === idempotency.owner) return heldAs(idempotency, taken);
    throw new AlreadyOnRecord(await this.#recordOf(idempotency, taken));
  }

  /** @throws {AlreadyOnRecord} unless this attempt owns it, or its lease has ended and its body may be the same. */
  async #takeable(idempotency: Idempotency, found: Item | undefined, nowMs: number): Promise<IdempotencyRow> {
    if (!found) throw await alreadyOnRecord(this.table.encryption, idempotency, found);
    const row = parseIdempotencyRecord(found);
    const isOurs = row.state === "in_progress" && row.owner === idempotency.owner;
    const isLeased = row.leasedUntilMs > nowMs;
    if (isOurs) return row;
    if (row.state === "done" || isLeased || row.bodyMac !== idempotency.bodyMac) {
      throw new AlreadyOnRecord(await this.#recordOf(idempotency, row));
    }
    return row;
  }

  async #recordOf(idempotency: Idempotency, row: IdempotencyRow): Promise<IdempotencyRecord> {
    return await recordOf(this.table.encryption, idempotency, row);
  }

  async complete(idempotency: Idempotency, result: unknown): Promise<void> {
    const write = await recordWrite(this.table.encryption, idempotency, result, this.deps.clock.now());
    if (write.kind === "update") await this.table.update(write.key, write.change, write.condition);
  }

  async release(idempotency: Idempotency): Promise<void> {
    if (!idempotency.leased) return;
    await this.table.delete(
      idempotencyRecordKey(idempotency.organizationId, idempotency.id),
      isOwned(idempotency),
    );
  }

  async suspend(idempotency: Idempotency): Promise<void> {
    if (!idempotency.leased) return;
    const change = { set: idempotencyRow.set({ leasedUntilMs: this.deps.clock.now() }) };
    await this.table.update(
      idempotencyRecordKey(idempotency.organizationId, idempotency.id),
      change,
      isOwned(idempotency),
    );
  }
}

function heldAs(idempotency: Idempotency, row: IdempotencyRow): Idempotency {
  return { ...idempotency, leased: true, ids: row.ids, repeat: row.isTakenOver };
}

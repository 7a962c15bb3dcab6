import type { Clock } from "../../../shared/domain/clock.ts";
import {
  type Idempotency,
  type IdempotencyRecord,
  type IdempotencyStore,
  AlreadyOnRecord,
  idempotencyWindowMs,
  leaseMs,
} from "../../../shared/domain/idempotency/idempotency.ts";

interface Row {
  readonly record: IdempotencyRecord;
  readonly owner: string;
  readonly ids: Idempotency["ids"];
  readonly isTakenOver: boolean;
  readonly expiresAtMs: number;
}

/** Idempotency records in memory. Stores that take an idempotency record in their writes are given this one, to commit to it. */
export class InMemoryIdempotencyStore implements IdempotencyStore {
  readonly #clock: Pick<Clock, "now">;
  readonly #rows = new Map<string, Row>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** The time of whoever writes under an idempotency record. */
  now(): number {
    return this.#clock.now();
  }

  async find(idempotency: Idempotency): Promise<IdempotencyRecord | undefined> {
    return this.#row(idempotency)?.record;
  }

  async lease(idempotency: Idempotency): Promise<Idempotency> {
    if (idempotency.leased) return idempotency;
    const row = this.#row(idempotency);
    if (row?.owner === idempotency.owner && row.record.kind === "in_progress") {
      return { ...idempotency, leased: true, ids: row.ids, repeat: row.isTakenOver };
    }
    if (row) {
      const { record } = row;
      const isLeased = record.kind === "in_progress" && record.leasedUntilMs > this.#clock.now();
      if (record.kind === "done" || isLeased || record.bodyMac !== idempotency.bodyMac)
        throw new AlreadyOnRecord(record);
    }
    const ids = row?.ids ?? idempotency.ids;
    const isTakenOver = row !== undefined;
    const leasedUntilMs = this.#clock.now() + leaseMs;
    this.#put(
      idempotency,
      { kind: "in_progress", bodyMac: idempotency.bodyMac, leasedUntilMs },
      ids,
      isTakenOver,
    );
    return { ...idempotency, leased: true, ids, repeat: isTakenOver };
  }

  async complete(idempotency: Idempotency, result: unknown): Promise<void> {
    if (this.#isOwned(idempotency)) this.commit(idempotency, result);
  }

  async release(idempotency: Idempotency): Promise<void> {
    if (this.#isOwned(idempotency)) this.#rows.delete(keyOf(idempotency));
  }

  async suspend(idempotency: Idempotency): Promise<void> {
    const row = this.#row(idempotency);
    if (!row || !this.#isOwned(idempotency)) return;
    const record: IdempotencyRecord = {
      kind: "in_progress",
      bodyMac: row.record.bodyMac,
      leasedUntilMs: this.#clock.now(),
    };
    this.#put(idempotency, record, row.ids, row.isTakenOver);
  }

  /** What a store's transaction checks first. @throws {AlreadyOnRecord} */
  check(idempotency: Idempotency | undefined): void {
    if (!idempotency) return;
    const row = this.#row(idempotency);
    if (!idempotency.leased) {
      if (row) throw new AlreadyOnRecord(row.record);
      return;
    }
    if (row && this.#isOwned(idempotency)) return;
    throw new AlreadyOnRecord(
      row?.record ?? { kind: "in_progress", bodyMac: idempotency.bodyMac, leasedUntilMs: this.#clock.now() },
    );
  }

  /** What a store's transaction writes. @throws {AlreadyOnRecord} */
  commit(idempotency: Idempotency | undefined, result: unknown): void {
    if (!idempotency) return;
    this.check(idempotency);
    const record: IdempotencyRecord = {
      kind: "done",
      bodyMac: this.#row(idempotency)?.record.bodyMac ?? idempotency.bodyMac,
      result: JSON.parse(JSON.stringify(result ?? null)),
    };
    this.#put(idempotency, record, idempotency.ids, false);
  }

  #isOwned(idempotency: Idempotency): boolean {
    const row = this.#row(idempotency);
    return idempotency.leased && row?.owner === idempotency.owner && row.record.kind === "in_progress";
  }

  #row(idempotency: Idempotency): Row | undefined {
    const row = this.#rows.get(keyOf(idempotency));
    return row && row.expiresAtMs > this.#clock.now() ? row : undefined;
  }

  #put(
    idempotency: Idempotency,
    record: IdempotencyRecord,
    ids: Idempotency["ids"],
    isTakenOver: boolean,
  ): void {
    const expiresAtMs = this.#clock.now() + idempotencyWindowMs;
    this.#rows.set(keyOf(idempotency), { record, owner: idempotency.owner, ids, isTakenOver, expiresAtMs });
  }
}

function keyOf(idempotency: Idempotency): string {
  return JSON.stringify([idempotency.organizationId, idempotency.id]);
}

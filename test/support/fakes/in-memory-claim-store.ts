import type { Clock } from "../../../shared/domain/clock.ts";
import {
  type Claim,
  type ClaimRecord,
  type ClaimStore,
  ClaimTaken,
  idempotencyWindowMs,
  leaseMs,
} from "../../../shared/domain/idempotency/claim.ts";

interface Row {
  readonly record: ClaimRecord;
  readonly owner: string;
  readonly ids: Claim["ids"];
  readonly isTakenOver: boolean;
  readonly expiresAtMs: number;
}

/** Claims in memory. Stores that take a claim in their writes are given this one, to commit to it. */
export class InMemoryClaimStore implements ClaimStore {
  readonly #clock: Pick<Clock, "now">;
  readonly #rows = new Map<string, Row>();

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  /** The time of whoever writes under a claim. */
  now(): number {
    return this.#clock.now();
  }

  async find(claim: Claim): Promise<ClaimRecord | undefined> {
    return this.#row(claim)?.record;
  }

  async hold(claim: Claim): Promise<Claim> {
    if (claim.held) return claim;
    const row = this.#row(claim);
    if (row?.owner === claim.owner && row.record.kind === "in_progress") {
      return { ...claim, held: true, ids: row.ids, repeat: row.isTakenOver };
    }
    if (row) {
      const { record } = row;
      const isLeased = record.kind === "in_progress" && record.leasedUntilMs > this.#clock.now();
      if (record.kind === "done" || isLeased || record.bodyMac !== claim.bodyMac)
        throw new ClaimTaken(record);
    }
    const ids = row?.ids ?? claim.ids;
    const isTakenOver = row !== undefined;
    const leasedUntilMs = this.#clock.now() + leaseMs;
    this.#put(claim, { kind: "in_progress", bodyMac: claim.bodyMac, leasedUntilMs }, ids, isTakenOver);
    return { ...claim, held: true, ids, repeat: isTakenOver };
  }

  async complete(claim: Claim, result: unknown): Promise<void> {
    if (this.#isOwned(claim)) this.commit(claim, result);
  }

  async release(claim: Claim): Promise<void> {
    if (this.#isOwned(claim)) this.#rows.delete(keyOf(claim));
  }

  async suspend(claim: Claim): Promise<void> {
    const row = this.#row(claim);
    if (!row || !this.#isOwned(claim)) return;
    const record: ClaimRecord = {
      kind: "in_progress",
      bodyMac: row.record.bodyMac,
      leasedUntilMs: this.#clock.now(),
    };
    this.#put(claim, record, row.ids, row.isTakenOver);
  }

  /** What a store's transaction checks first. @throws {ClaimTaken} */
  check(claim: Claim | undefined): void {
    if (!claim) return;
    const row = this.#row(claim);
    if (!claim.held) {
      if (row) throw new ClaimTaken(row.record);
      return;
    }
    if (row && this.#isOwned(claim)) return;
    throw new ClaimTaken(
      row?.record ?? { kind: "in_progress", bodyMac: claim.bodyMac, leasedUntilMs: this.#clock.now() },
    );
  }

  /** What a store's transaction writes. @throws {ClaimTaken} */
  commit(claim: Claim | undefined, result: unknown): void {
    if (!claim) return;
    this.check(claim);
    const record: ClaimRecord = {
      kind: "done",
      bodyMac: this.#row(claim)?.record.bodyMac ?? claim.bodyMac,
      result: JSON.parse(JSON.stringify(result ?? null)),
    };
    this.#put(claim, record, claim.ids, false);
  }

  #isOwned(claim: Claim): boolean {
    const row = this.#row(claim);
    return claim.held && row?.owner === claim.owner && row.record.kind === "in_progress";
  }

  #row(claim: Claim): Row | undefined {
    const row = this.#rows.get(keyOf(claim));
    return row && row.expiresAtMs > this.#clock.now() ? row : undefined;
  }

  #put(claim: Claim, record: ClaimRecord, ids: Claim["ids"], isTakenOver: boolean): void {
    const expiresAtMs = this.#clock.now() + idempotencyWindowMs;
    this.#rows.set(keyOf(claim), { record, owner: claim.owner, ids, isTakenOver, expiresAtMs });
  }
}

function keyOf(claim: Claim): string {
  return JSON.stringify([claim.organizationId, claim.id]);
}

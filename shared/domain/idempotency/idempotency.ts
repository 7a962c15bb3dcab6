import type { OrganizationId } from "../organization-id.ts";

/**
 * Makes a write happen at most once. A store writes it in the same transaction as the entity, so that a response is on
 * record exactly when its effect is. Every write that is given one throws {AlreadyOnRecord}.
 */
export interface Idempotency {
  readonly organizationId: OrganizationId;
  /** SHA-256 over principal, Idempotency-Key, method and path. */
  readonly id: string;
  /** The MAC of the body detects a key reused with another body, and stores no secret. */
  readonly bodyMac: string;
  /** The id of this attempt. External effects commit only while the owner has the lease. */
  readonly owner: string;
  /** False until `lease`; before it, the commit itself writes the record for the first time. */
  readonly leased: boolean;
  /** True when an earlier attempt held the lease and may have acted: a desktop is then called with `repeat`. */
  readonly repeat: boolean;
  /** The ids for what this request creates. Only once leased may anything outside the transaction depend on them. */
  readonly ids: readonly [string, string, string];
}

/** The `result` is what the verb returned, as plain JSON. */
export type IdempotencyRecord =
  | { readonly kind: "done"; readonly bodyMac: string; readonly result: unknown }
  | { readonly kind: "in_progress"; readonly bodyMac: string; readonly leasedUntilMs: number };

/** Thrown by `lease` or a store's commit when there is a record, from which `idempotent` makes a response. */
export class AlreadyOnRecord extends Error {
  readonly record: IdempotencyRecord;

  constructor(record: IdempotencyRecord) {
    super("this idempotency key is on record already");
    this.name = "AlreadyOnRecord";
    this.record = record;
  }
}

/** The lease is longer than the 30 s of a request behind API Gateway, so that a live attempt is never overtaken. */
export const leaseMs = 35_000;

export const idempotencyWindowMs = 24 * 3_600_000;

export interface IdempotencyStore {
  /** Returns undefined when there is no record, or it is older than 24 hours. */
  find(idempotency: Idempotency): Promise<IdempotencyRecord | undefined>;
  /** Returns the recorded ids, with `repeat` when an earlier attempt's lease has expired. @throws {AlreadyOnRecord} */
  lease(idempotency: Idempotency): Promise<Idempotency>;
  /** Records the result of a leased request whose effect was not a write of the table, while it has the lease. */
  complete(idempotency: Idempotency, result: unknown): Promise<void>;
  /** Deletes the record of a leased request that had no effect, while it has the lease. */
  release(idempotency: Idempotency): Promise<void>;
  /** Ends the lease but keeps the record: the effect may have happened, so the next attempt has `repeat`. */
  suspend(idempotency: Idempotency): Promise<void>;
}

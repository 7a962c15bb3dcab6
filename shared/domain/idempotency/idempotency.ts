import type { OrganizationId } from "../access/organization-id.ts";

/**
 * What makes a write happen at most once under one Idempotency-Key. Plain data: a store puts it into the same
 * transaction as the entity, so that an answer is on record exactly when its effect is.
 */
export interface Idempotency {
  readonly organizationId: OrganizationId;
  /** SHA-256 over principal, Idempotency-Key, method and path. */
  readonly id: string;
  /** MAC of the body, so that a key used for another body is noticed and no secret is stored. */
  readonly bodyMac: string;
  /** This attempt. What changes the world commits only while the owner has the lease. */
  readonly owner: string;
  /** False until `lease`: then the record is written for the first time by the commit itself. */
  readonly leased: boolean;
  /** True when an earlier attempt held the lease and may have acted: a desktop is then asked with `repeat`. */
  readonly repeat: boolean;
  /**
   * Ids for what this request creates, the same for whoever takes over after a crash. Stable only once leased;
   * before that nothing outside the transaction may depend on them.
   */
  readonly ids: readonly [string, string, string];
}

/** What is on record under an id. `result` is what the verb returned, as plain JSON. */
export type IdempotencyRecord =
  | { readonly kind: "done"; readonly bodyMac: string; readonly result: unknown }
  | { readonly kind: "in_progress"; readonly bodyMac: string; readonly leasedUntilMs: number };

/** Thrown by `lease` or by a store's commit when the record says otherwise; `idempotent` makes a response of it. */
export class AlreadyOnRecord extends Error {
  readonly record: IdempotencyRecord;

  constructor(record: IdempotencyRecord) {
    super("this idempotency key is on record already");
    this.name = "AlreadyOnRecord";
    this.record = record;
  }
}

/**
 * How long an attempt may work before another may take over, in milliseconds: beyond the 30 s that any request
 * can take behind API Gateway, so that a living worker is never overtaken.
 */
export const leaseMs = 35_000;

/** How long a response is kept. */
export const idempotencyWindowMs = 24 * 3_600_000;

export interface IdempotencyStore {
  /** One consistent read. Undefined when there is none, or the 24 hours are over. */
  find(idempotency: Idempotency): Promise<IdempotencyRecord | undefined>;
  /**
   * Takes the lease, before anything happens outside the table. Returns what to go on with: leased, with the ids on
   * record, and `repeat` when an earlier attempt's lease has run out.
   *
   * @throws {AlreadyOnRecord} when it is done, leased by a living attempt, or was made with another body (the caller
   * compares `bodyMac`).
   */
  lease(idempotency: Idempotency): Promise<Idempotency>;
  /** Records the result of a leased request whose effect was not a write of the table. Nothing when no longer owner. */
  complete(idempotency: Idempotency, result: unknown): Promise<void>;
  /** Forgets a leased request that had no effect. Nothing when no longer owner. */
  release(idempotency: Idempotency): Promise<void>;
  /** Ends the lease but keeps the record: the effect may have happened, so the next attempt asks with `repeat`. */
  suspend(idempotency: Idempotency): Promise<void>;
}

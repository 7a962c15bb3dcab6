import type { Clock } from "../clock.ts";
import { notFound } from "../entity/not-found.ts";
import { ChangedTooOften, DomainError } from "../errors.ts";
import type { SecretDeps } from "../secrets/own-secret.ts";
import type { MembershipStore } from "./membership-store.ts";
import type { Pool } from "./pool.ts";
import type { PoolStore, UpdatePoolOutcome } from "./pool-store.ts";

export interface PoolDeps extends SecretDeps {
  readonly pools: PoolStore;
  readonly memberships: MembershipStore;
  readonly clock: Clock;
}

export function poolNameTaken(holderId: string): DomainError {
  return new DomainError("name_taken", "the organization has a pool of this name already", {
    details: { pool_id: holderId },
  });
}

export function requireUpdatedPool(poolId: string, outcome: UpdatePoolOutcome): Pool {
  switch (outcome.kind) {
    case "updated":
      return outcome.pool;
    case "not_found":
      throw notFound("pool", poolId);
    case "name_taken":
      throw poolNameTaken(outcome.poolId);
    case "changed":
      throw new ChangedTooOften("the pool");
  }
}

import type { Logger } from "../logger.ts";
import type { Idempotency, IdempotencyStore } from "./idempotency.ts";

export interface LeaseDeps {
  readonly idempotencyRecords: Pick<IdempotencyStore, "lease" | "release">;
  readonly logger: Logger;
}

/** Leases before the work, so that its ids are stable, and releases when it fails, unless it was leased already. */
export async function withLease<Result>(
  deps: LeaseDeps,
  idempotency: Idempotency | undefined,
  work: (leased: Idempotency | undefined) => Promise<Result>,
): Promise<Result> {
  if (idempotency === undefined || idempotency.leased) return await work(idempotency);
  const leased = await deps.idempotencyRecords.lease(idempotency);
  try {
    return await work(leased);
  } catch (error) {
    await release(deps, leased);
    throw error;
  }
}

async function release({ idempotencyRecords, logger }: LeaseDeps, leased: Idempotency): Promise<void> {
  try {
    await idempotencyRecords.release(leased);
  } catch (cause) {
    logger.warn("a lease was not released; it expires by itself", { cause });
  }
}

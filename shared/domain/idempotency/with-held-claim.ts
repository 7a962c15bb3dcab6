import type { Logger } from "../logger.ts";
import type { Claim, ClaimStore } from "./claim.ts";

export interface HoldDeps {
  readonly claims: Pick<ClaimStore, "hold" | "release">;
  readonly logger: Logger;
}

/**
 * Works under a claim that is held from before the work begins, so that its ids are stable; released when the work
 * fails, which forgets nothing that has been committed. One that is held already is whoever's who held it.
 *
 * @throws {ClaimTaken} when the claim is not to be had.
 */
export async function withHeldClaim<Result>(
  deps: HoldDeps,
  claim: Claim | undefined,
  work: (held: Claim | undefined) => Promise<Result>,
): Promise<Result> {
  if (claim === undefined || claim.held) return await work(claim);
  const held = await deps.claims.hold(claim);
  try {
    return await work(held);
  } catch (error) {
    await release(deps, held);
    throw error;
  }
}

async function release({ claims, logger }: HoldDeps, held: Claim): Promise<void> {
  try {
    await claims.release(held);
  } catch (cause) {
    logger.warn("a claim is not released; its lease runs out by itself", { cause });
  }
}

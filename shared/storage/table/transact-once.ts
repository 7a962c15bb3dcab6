import type { Claim } from "../../domain/idempotency/claim.ts";
import { claimTaken, claimWrite, parseClaim } from "./claim-write.ts";
import type { DynamoTable, Transacted } from "./dynamo-table.ts";
import type { Write } from "./expression.ts";
import type { Item } from "./item.ts";
import { claimKey } from "./keys.ts";

/**
 * One transaction, with the claim's answer in it when a claim is given. The places of failed conditions are those
 * of `writes`.
 *
 * The claim is looked at before any other failed condition: what stands in the way of a repeat may be its own
 * first attempt's work.
 *
 * @throws {ClaimTaken}
 */
export async function transactOnce(
  table: DynamoTable,
  writes: readonly Write[],
  once: { readonly claim: Claim | undefined; readonly result: unknown; readonly nowMs: number },
): Promise<Transacted> {
  const { claim } = once;
  if (!claim) return await table.transact(writes);
  const outcome = await table.transact([...writes, claimWrite(claim, once.result, once.nowMs)]);
  if (outcome.kind === "written") return outcome;
  if (outcome.failed.has(writes.length)) throw claimTaken(claim, outcome.failed.get(writes.length));
  // DynamoDB does not promise to report every condition that failed.
  await refuseTaken(table, claim, once.nowMs);
  return outcome;
}

/**
 * For a write that is refused before it came to its transaction: a repeat must hear the first answer, whatever has
 * become of the entity since. One read.
 *
 * @throws {ClaimTaken}
 */
export async function refuseTaken(table: DynamoTable, claim: Claim, nowMs: number): Promise<void> {
  const item = await table.get(claimKey(claim.organizationId, claim.id));
  if (item && isInTheWay(claim, item, nowMs)) throw claimTaken(claim, item);
}

function isInTheWay(claim: Claim, item: Item, nowMs: number): boolean {
  const row = parseClaim(item);
  if (claim.held) return row.owner !== claim.owner || row.state !== "in_progress";
  return row.expires_at_ms > nowMs;
}

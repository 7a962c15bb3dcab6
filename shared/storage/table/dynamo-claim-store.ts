import type { Clock } from "../../domain/clock.ts";
import {
  type Claim,
  type ClaimRecord,
  type ClaimStore,
  ClaimTaken,
  leaseMs,
} from "../../domain/idempotency/claim.ts";
import {
  type ClaimItem,
  claimExpiry,
  claimRecord,
  claimTaken,
  claimWrite,
  isFree,
  isOwned,
  parseClaim,
} from "./claim-write.ts";
import type { DynamoTable } from "./dynamo-table.ts";
import type { Item } from "./item.ts";
import { claimKey } from "./keys.ts";

/** Claims that are finished by a store's own transaction are written there, by `claimWrite`. */
export class DynamoClaimStore implements ClaimStore {
  readonly #table: DynamoTable;
  readonly #clock: Pick<Clock, "now">;

  constructor(table: DynamoTable, clock: Pick<Clock, "now">) {
    this.#table = table;
    this.#clock = clock;
  }

  async find(claim: Claim): Promise<ClaimRecord | undefined> {
    const item = await this.#table.get(claimKey(claim.organizationId, claim.id));
    const row = item && parseClaim(item);
    return row && row.expires_at_ms > this.#clock.now() ? claimRecord(row) : undefined;
  }

  async hold(claim: Claim): Promise<Claim> {
    if (claim.held) return claim;
    const nowMs = this.#clock.now();
    const item = {
      ...claimKey(claim.organizationId, claim.id),
      kind: "claim",
      state: "in_progress",
      body_mac: claim.bodyMac,
      owner: claim.owner,
      ids: claim.ids,
      leased_until_ms: nowMs + leaseMs,
      is_taken_over: false,
      ...claimExpiry(nowMs),
    };
    const outcome = await this.#table.put(item, isFree(nowMs));
    if (outcome.kind === "written") return { ...claim, held: true };
    return await this.#takeOver(claim, outcome.item);
  }

  async #takeOver(claim: Claim, found: Item | undefined): Promise<Claim> {
    const nowMs = this.#clock.now();
    const row = this.#takeable(claim, found, nowMs);
    if (row.owner === claim.owner) return heldAs(claim, row);
    const outcome = await this.#table.update(
      claimKey(claim.organizationId, claim.id),
      {
        set: {
          owner: claim.owner,
          leased_until_ms: nowMs + leaseMs,
          is_taken_over: true,
          ...claimExpiry(nowMs),
        },
      },
      {
        expression: "state = :in_progress AND owner = :before AND leased_until_ms <= :now",
        values: { in_progress: "in_progress", before: row.owner, now: nowMs },
      },
    );
    if (outcome.kind === "updated") return heldAs(claim, parseClaim(outcome.item));
    const taken = this.#takeable(claim, outcome.item, nowMs);
    // An answer was lost and the write sent again: what it found is our own lease.
    if (taken.owner === claim.owner) return heldAs(claim, taken);
    throw new ClaimTaken(claimRecord(taken));
  }

  /** @throws {ClaimTaken} unless it is ours already, or its lease is over and its body may be the same. */
  #takeable(claim: Claim, found: Item | undefined, nowMs: number): ClaimItem {
    if (!found) throw claimTaken(claim, found);
    const row = parseClaim(found);
    const isOurs = row.state === "in_progress" && row.owner === claim.owner;
    const isLeased = (row.leased_until_ms ?? 0) > nowMs;
    if (isOurs) return row;
    if (row.state === "done" || isLeased || row.body_mac !== claim.bodyMac) {
      throw new ClaimTaken(claimRecord(row));
    }
    return row;
  }

  async complete(claim: Claim, result: unknown): Promise<void> {
    const write = claimWrite(claim, result, this.#clock.now());
    if (write.kind === "update") await this.#table.update(write.key, write.change, write.condition);
  }

  async release(claim: Claim): Promise<void> {
    if (!claim.held) return;
    await this.#table.delete(claimKey(claim.organizationId, claim.id), isOwned(claim));
  }

  async suspend(claim: Claim): Promise<void> {
    if (!claim.held) return;
    const change = { set: { leased_until_ms: this.#clock.now() } };
    await this.#table.update(claimKey(claim.organizationId, claim.id), change, isOwned(claim));
  }
}

function heldAs(claim: Claim, row: ClaimItem): Claim {
  return { ...claim, held: true, ids: row.ids, repeat: row.is_taken_over };
}

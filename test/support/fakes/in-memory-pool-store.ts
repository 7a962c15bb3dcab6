import { DomainError } from "../../../shared/domain/errors.ts";
import type { Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import type { Page, PageRequest } from "../../../shared/domain/page.ts";
import type { Pool } from "../../../shared/domain/pool/pool.ts";
import type {
  CreatePoolOutcome,
  PoolChange,
  PoolFilter,
  PoolStore,
  UpdatePoolOptions,
  UpdatePoolOutcome,
} from "../../../shared/domain/pool/pool-store.ts";
import type { InMemoryIdempotencyStore } from "./in-memory-idempotency-store.ts";

/** Pools in memory. An `InMemoryMembershipStore` is given this one, since memberships change pools. */
export class InMemoryPoolStore implements PoolStore {
  readonly #idempotencyRecords: InMemoryIdempotencyStore;
  readonly #rows = new Map<string, Pool>();
  readonly #searchRowsMax: number;

  constructor(idempotencyRecords: InMemoryIdempotencyStore, searchRowsMax = 10_000) {
    this.#idempotencyRecords = idempotencyRecords;
    this.#searchRowsMax = searchRowsMax;
  }

  async find(organizationId: string, poolId: string): Promise<Pool | undefined> {
    const pool = this.row(organizationId, poolId);
    return pool?.deletedAt === null ? structuredClone(pool) : undefined;
  }

  async findMany(organizationId: string, poolIds: readonly string[]): Promise<readonly Pool[]> {
    const found = await Promise.all(poolIds.map((poolId) => this.find(organizationId, poolId)));
    return found.filter((pool) => pool !== undefined);
  }

  async create(pool: Pool, idempotency?: Idempotency): Promise<CreatePoolOutcome> {
    this.#idempotencyRecords.check(idempotency);
    const holder = this.#holder(pool.organizationId, pool.name);
    if (holder) return { kind: "name_taken", poolId: holder.id };
    this.#idempotencyRecords.commit(idempotency, pool);
    this.write(pool);
    return { kind: "created" };
  }

  async update(
    organizationId: string,
    poolId: string,
    change: PoolChange,
    { idempotency, revision }: UpdatePoolOptions = {},
  ): Promise<UpdatePoolOutcome> {
    this.#idempotencyRecords.check(idempotency);
    const pool = this.row(organizationId, poolId);
    if (!pool || pool.deletedAt !== null) return { kind: "not_found" };
    if (revision !== undefined && pool.revision !== revision) return { kind: "changed" };
    const holder = change.name === undefined ? undefined : this.#holder(organizationId, change.name);
    if (holder && holder.id !== poolId) return { kind: "name_taken", poolId: holder.id };
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    const changed: Pool = { ...pool, ...given, revision: pool.revision + 1 };
    this.#idempotencyRecords.commit(idempotency, changed);
    this.write(changed);
    return { kind: "updated", pool: structuredClone(changed) };
  }

  async markDeleted(
    organizationId: string,
    poolId: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    this.#idempotencyRecords.check(idempotency);
    const pool = this.row(organizationId, poolId);
    if (!pool || pool.deletedAt !== null) return false;
    this.#idempotencyRecords.commit(idempotency, null);
    this.write({ ...pool, deletedAt, revision: pool.revision + 1 });
    return true;
  }

  async list(organizationId: string, filter: PoolFilter, page: PageRequest): Promise<Page<Pool>> {
    const from = Date.parse(filter.createdAtFrom ?? "") || 0;
    const to = Date.parse(filter.createdAtTo ?? "") || Number.MAX_SAFE_INTEGER;
    const indexed = this.#living(organizationId).filter(({ createdAt }) => {
      const at = Date.parse(createdAt);
      return at >= from && at <= to;
    });
    if (filter.search !== undefined && indexed.length > this.#searchRowsMax) {
      throw new DomainError("search_too_broad", "the search reads too many pools; narrow its range");
    }
    const search = filter.search?.toLowerCase() ?? "";
    const found = indexed
      .filter((pool) =>
        [pool.id, pool.name, pool.description].some((text) => text.toLowerCase().includes(search)),
      )
      .sort((one, other) => (order(one) < order(other) ? 1 : -1));
    return { items: structuredClone(found.slice(page.skip, page.skip + page.limit)), total: found.length };
  }

  async listDeletedDue(limit: number): Promise<readonly Pool[]> {
    const deleted = [...this.#rows.values()].filter((pool) => pool.deletedAt !== null);
    deleted.sort((one, other) => (String(one.deletedAt) < String(other.deletedAt) ? -1 : 1));
    return structuredClone(deleted.slice(0, limit));
  }

  async findDeleted(organizationId: string, poolId: string): Promise<Pool | undefined> {
    const pool = this.row(organizationId, poolId);
    return pool && pool.deletedAt !== null ? structuredClone(pool) : undefined;
  }

  async remove(organizationId: string, poolId: string): Promise<void> {
    if (await this.findDeleted(organizationId, poolId)) this.#rows.delete(keyOf(organizationId, poolId));
  }

  /** The row as it is, deleted or not: for the fake of the memberships. */
  row(organizationId: string, poolId: string): Pool | undefined {
    return this.#rows.get(keyOf(organizationId, poolId));
  }

  /** Puts a row in place, whatever was there: for the fake of the memberships, and to arrange a test. */
  write(pool: Pool): void {
    this.#rows.set(keyOf(pool.organizationId, pool.id), structuredClone(pool));
  }

  #holder(organizationId: string, name: string): Pool | undefined {
    return this.#living(organizationId).find((pool) => pool.name === name);
  }

  #living(organizationId: string): readonly Pool[] {
    return [...this.#rows.values()].filter(
      (pool) => pool.organizationId === organizationId && pool.deletedAt === null,
    );
  }
}

function keyOf(organizationId: string, poolId: string): string {
  return JSON.stringify([organizationId, poolId]);
}

function order(pool: Pool): string {
  return `${pool.createdAt} ${pool.id}`;
}

import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { DeletableKind } from "../../domain/maintenance/deletions.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { countWrite } from "../table/counters.ts";
import { DynamoStore } from "../table/dynamo-store.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { isDeleted, isNew, living, put, update } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import type { Counted } from "../table/keys.ts";
import { transactIdempotent } from "../table/transact-idempotent.ts";
import { deletedChange } from "./mark-deleted.ts";
import { isFree, type UniqueRow } from "./unique-row.ts";

export interface EntityStoreDeps extends StoreDeps {
  /** Index rows that a search may read. @default 10_000 */
  readonly searchRowsMax?: number;
}

/** A store of entities that a deletion first hides, and removes later. */
export abstract class DynamoEntityStore<
  Entity extends {
    readonly id: string;
    readonly organizationId: OrganizationId;
    readonly deletedAt: string | null;
  },
> extends DynamoStore<EntityStoreDeps> {
  protected abstract readonly kind: DeletableKind;
  protected abstract readonly counted: Counted;
  /** Its attributes in the indexes that list it, which a deletion removes. */
  protected abstract readonly listed: readonly string[];
  protected abstract readonly key: (organizationId: OrganizationId, id: string) => Key;
  protected abstract readonly parse: (item: Item) => Entity;

  protected get searchRowsMax(): number {
    return this.deps.searchRowsMax ?? 10_000;
  }

  async find(organizationId: OrganizationId, id: string): Promise<Entity | undefined> {
    const entity = await this.read(organizationId, id);
    return entity?.deletedAt === null ? entity : undefined;
  }

  async findMany(organizationId: OrganizationId, ids: readonly string[]): Promise<readonly Entity[]> {
    const items = await this.table.batchGet(ids.map((id) => this.key(organizationId, id)));
    return items.map(this.parse).filter(({ deletedAt }) => deletedAt === null);
  }

  async findDeleted(organizationId: OrganizationId, id: string): Promise<Entity | undefined> {
    const entity = await this.read(organizationId, id);
    return entity && entity.deletedAt !== null ? entity : undefined;
  }

  /**
   * Hides an entity and decrements its counter in one transaction.
   *
   * @returns false when there is no such entity.
   * @throws {AlreadyOnRecord}
   */
  async markDeleted(
    organizationId: OrganizationId,
    id: string,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    const { kind, counted, listed } = this;
    const change = deletedChange({ kind, id, deletedAt }, listed);
    const { failed } = await transactIdempotent(
      this.table,
      {
        entity: update(this.key(organizationId, id), change, living),
        count: countWrite(counted, { organizationId, id }, -1),
      },
      { idempotency, result: null, nowMs: this.deps.clock.now() },
    );
    return failed === undefined;
  }

  /**
   * Creates the entity with the row that makes a field of it unique, which a deleted one may still have: it is replaced.
   *
   * @returns the id of the entity that has the row; undefined when this one was created.
   * @throws {AlreadyOnRecord}
   */
  protected async createUnique(
    entity: Entity,
    item: Item & Key,
    unique: UniqueRow,
    idempotency: Idempotency | undefined,
    deletedHolder?: string,
  ): Promise<string | undefined> {
    const { failed, failures } = await transactIdempotent(
      this.table,
      {
        unique: put(unique.item, isFree(unique, deletedHolder)),
        entity: put(item, isNew),
        count: countWrite(this.counted, entity, 1),
      },
      { idempotency, result: entity, nowMs: this.deps.clock.now() },
    );
    if (failed === undefined) return undefined;
    const row = failures.item("unique");
    if (!row) throw new Error(`a ${this.kind} with this id is there already`);
    const holder = String(row[unique.holder]);
    const isTaken = deletedHolder !== undefined || (await this.find(entity.organizationId, holder));
    return isTaken ? holder : await this.createUnique(entity, item, unique, idempotency, holder);
  }

  /** Removes the row, the last step of a deletion. */
  protected async removeRow(organizationId: OrganizationId, id: string): Promise<void> {
    await this.table.delete(this.key(organizationId, id), isDeleted);
  }

  /** Deleted or not. */
  protected async read(organizationId: OrganizationId, id: string): Promise<Entity | undefined> {
    const item = await this.table.get(this.key(organizationId, id));
    return item && this.parse(item);
  }
}

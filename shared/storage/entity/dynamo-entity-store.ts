import { type Edit, requireEdition } from "../../domain/entity/edition.ts";
import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { DeletableKind } from "../../domain/maintenance/deletions.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import { IdempotentStore } from "../idempotency/idempotent-store.ts";
import type { CountWrite } from "../table/counters.ts";
import type { StoreDeps } from "../table/dynamo-table.ts";
import { allOf, isDeleted, isNew, living, put, update } from "../table/expression.ts";
import type { Item, Key } from "../table/item.ts";
import { hasEdition } from "./edition-writes.ts";
import { deletedChange } from "./mark-deleted.ts";
import { isUnheld, type UniqueRow } from "./unique-row.ts";

export interface EntityStoreDeps extends StoreDeps {
  readonly searchRowsMax?: number;
}

/** A store whose deletions first hide an entity, and remove it later. */
export abstract class DynamoEntityStore<
  Entity extends {
    readonly id: string;
    readonly organizationId: OrganizationId;
    readonly deletedAt: string | null;
    readonly edition?: number;
  },
> extends IdempotentStore<EntityStoreDeps> {
  protected abstract readonly kind: DeletableKind;
  protected abstract readonly count: CountWrite;
  /** A deletion removes these attributes of the indexes. */
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

  /** @throws {AlreadyOnRecord} @throws {ChangedMeanwhile} */
  async markDeleted(
    organizationId: OrganizationId,
    id: string,
    deletedAt: string,
    idempotency?: Idempotency,
    edit: Edit = {},
  ): Promise<boolean> {
    const { kind, listed } = this;
    const change = deletedChange({ kind, id, deletedAt }, listed);
    const { failed, failures } = await this.transact(idempotency, null, {
      entity: update(this.key(organizationId, id), change, allOf(living, hasEdition(edit))),
      count: this.count({ organizationId, id }, -1),
    });
    const found = failures.item("entity");
    if (found) requireEdition(this.parse(found), edit);
    return failed === undefined;
  }

  /**
   * A deleted entity's unique row is replaced.
   * @returns the living holder's id, if there is one. @throws {AlreadyOnRecord}
   */
  protected async createUnique(
    entity: Entity,
    item: Item & Key,
    unique: UniqueRow,
    idempotency: Idempotency | undefined,
    deletedHolder?: string,
  ): Promise<string | undefined> {
    const { failed, failures } = await this.transact(idempotency, entity, {
      unique: put(unique.item, isUnheld(unique, deletedHolder)),
      entity: put(item, isNew),
      count: this.count(entity, 1),
    });
    if (failed === undefined) return undefined;
    const row = failures.item("unique");
    if (!row) throw new Error(`a ${this.kind} with this id is there already`);
    const holder = String(row[unique.holder]);
    const isTaken = deletedHolder !== undefined || (await this.find(entity.organizationId, holder));
    return isTaken ? holder : await this.createUnique(entity, item, unique, idempotency, holder);
  }

  protected async removeRow(organizationId: OrganizationId, id: string): Promise<void> {
    await this.table.delete(this.key(organizationId, id), isDeleted);
  }

  /** Deleted entities are returned, too. */
  protected async read(organizationId: OrganizationId, id: string): Promise<Entity | undefined> {
    const item = await this.table.get(this.key(organizationId, id));
    return item && this.parse(item);
  }
}

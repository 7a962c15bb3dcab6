import type { Idempotency } from "../../domain/idempotency/idempotency.ts";
import type { OrganizationId } from "../../domain/organization-id.ts";
import type {
  ChangeOutcome,
  CreateOutcome,
  TagAssignment,
  TagNoun,
  TagStore,
  UpdateTagOptions,
} from "../../domain/workflow-tag/tag-store.ts";
import {
  type TagGroup,
  tagGroupsMax,
  tagsMax,
  type WorkflowTag,
} from "../../domain/workflow-tag/workflow-tag.ts";
import { IdempotentStore } from "../idempotency/idempotent-store.ts";
import { limiting } from "../table/counters.ts";
import { isAsRead, isDeleted, isNew, living, put, update } from "../table/expression.ts";
import { listPartitions } from "../table/index-keys.ts";
import type { Item, Key } from "../table/item.ts";
import { groupedKey, groupedRange, type TagKind, tagGroupKey, taggedRange, tagKey } from "../table/keys.ts";
import { queryItems, queryKeys } from "../table/query.ts";
import type { Failures, Parts } from "../table/transaction.ts";
import { assignmentParts } from "./assignment-writes.ts";
import { detachTag } from "./detach-tag.ts";
import {
  changeableAppearance,
  parseTag,
  parseTagGroup,
  tagGroupItem,
  tagGroupRow,
  tagItem,
  tagRow,
} from "./tag-item.ts";
import {
  enterParts,
  freeTagName,
  markWrite,
  renameTagParts,
  tagEntityKey,
  takeTagName,
  updateTagParts,
} from "./tag-writes.ts";

const kinds: Readonly<Record<TagNoun, TagKind>> = {
  "workflow tag": "TAG",
  "workflow tag group": "TAG_GROUP",
};
const countMax: Readonly<Record<TagKind, number>> = { TAG: tagsMax, TAG_GROUP: tagGroupsMax };

type Places = readonly { readonly id: string; readonly order: number }[];

export class DynamoTagStore extends IdempotentStore implements TagStore {
  async findTags(organizationId: OrganizationId, tagIds: readonly string[]): Promise<readonly WorkflowTag[]> {
    const keys = [...new Set(tagIds)].map((id) => tagKey(organizationId, id));
    return (await this.#living(keys)).map(parseTag);
  }

  async findGroups(
    organizationId: OrganizationId,
    groupIds: readonly string[],
  ): Promise<readonly TagGroup[]> {
    const keys = [...new Set(groupIds)].map((id) => tagGroupKey(organizationId, id));
    return (await this.#living(keys)).map(parseTagGroup);
  }

  async listTags(organizationId: OrganizationId): Promise<readonly WorkflowTag[]> {
    const rows = { index: "list", partition: listPartitions.tags(organizationId) } as const;
    return (await this.#living(await this.#keys(rows, tagsMax))).map(parseTag);
  }

  async listGroups(organizationId: OrganizationId): Promise<readonly TagGroup[]> {
    const rows = { index: "list", partition: listPartitions.tagGroups(organizationId) } as const;
    return (await this.#living(await this.#keys(rows, tagGroupsMax))).map(parseTagGroup);
  }

  async createTag(tag: WorkflowTag, { into, idempotency }: UpdateTagOptions = {}): Promise<CreateOutcome> {
    const entered = into ? enterParts(tag, into, false) : {};
    return await this.#create("TAG", tag, tagItem(tag), entered, idempotency);
  }

  async createGroup(group: TagGroup, idempotency?: Idempotency): Promise<CreateOutcome> {
    return await this.#create("TAG_GROUP", group, tagGroupItem(group), {}, idempotency);
  }

  async #create(
    kind: TagKind,
    one: WorkflowTag | TagGroup,
    item: Item & Key,
    entered: ReturnType<typeof enterParts>,
    idempotency: Idempotency | undefined,
  ): Promise<CreateOutcome> {
    const parts = {
      name: takeTagName(kind, one),
      limit: limiting(kind, countMax[kind])(one, 1),
      entity: put(item, isNew),
      ...entered,
    };
    const { failed, failures } = await this.transact(idempotency, one, parts);
    if (failed === undefined) return { kind: "written" };
    if (failed === "name") return { kind: "name_taken", id: holderIn(failures) };
    return { kind: failed === "limit" ? "limit_reached" : "changed" };
  }

  async updateTag(
    before: WorkflowTag,
    after: WorkflowTag,
    { into, idempotency }: UpdateTagOptions = {},
  ): Promise<ChangeOutcome> {
    return await this.#change(updateTagParts(before, after, into), after, idempotency);
  }

  async updateGroup(before: TagGroup, after: TagGroup, idempotency?: Idempotency): Promise<ChangeOutcome> {
    const change = tagGroupRow.change(changeableAppearance(after));
    const entity = update(tagEntityKey("TAG_GROUP", after), change, isAsRead(before));
    const parts = { entity, ...renameTagParts("TAG_GROUP", before, after) };
    return await this.#change(parts, after, idempotency);
  }

  /** The entity comes before its name, because a taken name may be its own by now. */
  async #change(
    parts: Parts<keyof ReturnType<typeof updateTagParts>>,
    after: WorkflowTag | TagGroup,
    idempotency: Idempotency | undefined,
  ): Promise<ChangeOutcome> {
    const { failed, failures } = await this.transact(idempotency, after, parts);
    if (failed === "name") return { kind: "name_taken", id: holderIn(failures) };
    return { kind: failed === undefined ? "written" : "changed" };
  }

  async markDeleted(
    noun: TagNoun,
    one: WorkflowTag | TagGroup,
    deletedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    const kind = kinds[noun];
    const parts = {
      entity: markWrite(kind, one, deletedAt),
      name: freeTagName(kind, one),
      count: limiting(kind, countMax[kind])(one, -1),
    };
    return (await this.transact(idempotency, null, parts)).failed === undefined;
  }

  async reorder(
    noun: TagNoun,
    organizationId: OrganizationId,
    places: Places,
    updatedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    const entities = places.map(({ id, order }) =>
      update(tagEntityKey(kinds[noun], { organizationId, id }), tagRow.change({ order, updatedAt }), living),
    );
    const ids = places.map(({ id }) => id);
    return (await this.transact(idempotency, ids, { entities })).failed === undefined;
  }

  async workflowIdsOf(
    organizationId: OrganizationId,
    tagId: string,
    max: number,
  ): Promise<readonly string[]> {
    const { pk: partition } = tagKey(organizationId, tagId);
    const rows = await queryItems(this.table, { partition, ...taggedRange }, max);
    return rows.map((row) => String(row.workflow_id));
  }

  async assign(assignment: TagAssignment): Promise<boolean> {
    const { idempotency, tagIds } = assignment;
    return (await this.transact(idempotency, tagIds, assignmentParts(assignment))).failed === undefined;
  }

  async findDeletedTag(organizationId: OrganizationId, tagId: string): Promise<WorkflowTag | undefined> {
    const item = await this.table.get(tagKey(organizationId, tagId));
    return item && item.deleted_at !== undefined ? parseTag(item) : undefined;
  }

  async findDeletedGroup(organizationId: OrganizationId, groupId: string): Promise<TagGroup | undefined> {
    const item = await this.table.get(tagGroupKey(organizationId, groupId));
    return item && item.deleted_at !== undefined ? parseTagGroup(item) : undefined;
  }

  async detach(organizationId: OrganizationId, tagId: string, workflowId: string): Promise<void> {
    await detachTag({ table: this.table, clock: this.deps.clock }, organizationId, tagId, workflowId);
  }

  async tagIdsOf(organizationId: OrganizationId, groupId: string, max: number): Promise<readonly string[]> {
    const { pk: partition } = tagGroupKey(organizationId, groupId);
    const rows = await queryItems(this.table, { partition, ...groupedRange }, max);
    return rows.map((row) => String(row.tag_id));
  }

  async ungroup(organizationId: OrganizationId, groupId: string, tagId: string): Promise<void> {
    // The update is refused for a tag that is gone or in another group; then only the row is removed.
    await this.table.update(
      tagKey(organizationId, tagId),
      { remove: ["group_id"], add: { revision: 1 } },
      { expression: "attribute_exists(pk) AND group_id = :group", values: { group: groupId } },
    );
    await this.table.delete(groupedKey(organizationId, groupId, tagId));
  }

  async removeTag({ organizationId, id, groupId }: WorkflowTag): Promise<void> {
    if (groupId !== null) await this.table.delete(groupedKey(organizationId, groupId, id));
    await this.table.delete(tagKey(organizationId, id), isDeleted);
  }

  async removeGroup({ organizationId, id }: TagGroup): Promise<void> {
    await this.table.delete(tagGroupKey(organizationId, id), isDeleted);
  }

  async #living(keys: readonly Key[]): Promise<readonly Item[]> {
    if (keys.length === 0) return [];
    return (await this.table.batchGet(keys)).filter((item) => item.deleted_at === undefined);
  }

  async #keys(rows: { readonly index: "list"; readonly partition: string }, max: number) {
    // The index may still have that many rows of deleted tags or groups.
    return await queryKeys(this.table, rows, { skip: 0, limit: 2 * max });
  }
}

function holderIn(failures: Failures<"name">): string {
  return String(failures.item("name")?.holder_id);
}

import type { Idempotency } from "../../../shared/domain/idempotency/idempotency.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import type {
  ChangeOutcome,
  CreateOutcome,
  TagAssignment,
  TagStore,
  UpdateTagOptions,
} from "../../../shared/domain/workflow-tag/tag-store.ts";
import {
  type TagGroup,
  type TagLooks,
  tagGroupsMax,
  tagsMax,
  type WorkflowTag,
} from "../../../shared/domain/workflow-tag/workflow-tag.ts";
import type { InMemoryIdempotencyStore } from "./in-memory-idempotency-store.ts";
import type { InMemoryWorkflowStore } from "./in-memory-workflow-store.ts";

type Places = readonly { readonly id: string; readonly order: number }[];

/** Tags and groups in memory; assignments change the workflows of the store given. */
export class InMemoryTagStore implements TagStore {
  readonly #idempotencyRecords: InMemoryIdempotencyStore;
  readonly #workflows: InMemoryWorkflowStore;
  readonly #tags = new Map<string, WorkflowTag>();
  readonly #groups = new Map<string, TagGroup>();
  /** Which workflow has which tag: `[organization, tag, workflow]`. */
  readonly #tagged = new Set<string>();

  constructor(idempotencyRecords: InMemoryIdempotencyStore, workflows: InMemoryWorkflowStore) {
    this.#idempotencyRecords = idempotencyRecords;
    this.#workflows = workflows;
    workflows.isLivingTag = (organizationId, tagId) => isLiving(this.#tags.get(keyOf(organizationId, tagId)));
  }

  async findTags(organizationId: string, tagIds: readonly string[]): Promise<readonly WorkflowTag[]> {
    return found(this.#tags, organizationId, tagIds);
  }

  async findGroups(organizationId: string, groupIds: readonly string[]): Promise<readonly TagGroup[]> {
    return found(this.#groups, organizationId, groupIds);
  }

  async listTags(organizationId: string): Promise<readonly WorkflowTag[]> {
    return structuredClone(living(this.#tags, organizationId));
  }

  async listGroups(organizationId: string): Promise<readonly TagGroup[]> {
    return structuredClone(living(this.#groups, organizationId));
  }

  async createTag(tag: WorkflowTag, { into, idempotency }: UpdateTagOptions = {}): Promise<CreateOutcome> {
    this.#idempotencyRecords.check(idempotency);
    const refused = refusal(this.#tags, tag, tagsMax);
    if (refused) return refused;
    if (into && !this.#enter(into, false)) return { kind: "changed" };
    this.#idempotencyRecords.commit(idempotency, tag);
    put(this.#tags, tag);
    return { kind: "written" };
  }

  async createGroup(group: TagGroup, idempotency?: Idempotency): Promise<CreateOutcome> {
    this.#idempotencyRecords.check(idempotency);
    const refused = refusal(this.#groups, group, tagGroupsMax);
    if (refused) return refused;
    this.#idempotencyRecords.commit(idempotency, group);
    put(this.#groups, group);
    return { kind: "written" };
  }

  async updateTag(
    before: WorkflowTag,
    after: WorkflowTag,
    { into, idempotency }: UpdateTagOptions = {},
  ): Promise<ChangeOutcome> {
    this.#idempotencyRecords.check(idempotency);
    const now = asRead(this.#tags, before);
    if (!now || (into && now.assignments !== before.assignments)) return { kind: "changed" };
    const holder = nameHolder(this.#tags, after);
    if (holder) return { kind: "name_taken", id: holder.id };
    if (into && !this.#enter(into, true)) return { kind: "changed" };
    this.#idempotencyRecords.commit(idempotency, after);
    put(this.#tags, { ...after, assignments: now.assignments, workflowCount: now.workflowCount });
    return { kind: "written" };
  }

  async updateGroup(before: TagGroup, after: TagGroup, idempotency?: Idempotency): Promise<ChangeOutcome> {
    this.#idempotencyRecords.check(idempotency);
    const now = asRead(this.#groups, before);
    if (!now) return { kind: "changed" };
    const holder = nameHolder(this.#groups, after);
    if (holder) return { kind: "name_taken", id: holder.id };
    this.#idempotencyRecords.commit(idempotency, after);
    put(this.#groups, { ...after, assignments: now.assignments, moves: now.moves });
    return { kind: "written" };
  }

  async markTagDeleted(tag: WorkflowTag, deletedAt: string, idempotency?: Idempotency): Promise<boolean> {
    return this.#markDeleted(this.#tags, tag, deletedAt, idempotency);
  }

  async markGroupDeleted(group: TagGroup, deletedAt: string, idempotency?: Idempotency): Promise<boolean> {
    return this.#markDeleted(this.#groups, group, deletedAt, idempotency);
  }

  #markDeleted<T extends TagLooks>(
    rows: Map<string, T>,
    one: T,
    deletedAt: string,
    idempotency: Idempotency | undefined,
  ): boolean {
    this.#idempotencyRecords.check(idempotency);
    const now = asRead(rows, one);
    if (!now) return false;
    this.#idempotencyRecords.commit(idempotency, null);
    put(rows, { ...now, deletedAt, revision: now.revision + 1 });
    return true;
  }

  async reorderTags(
    organizationId: string,
    places: Places,
    updatedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    return this.#reorder(this.#tags, organizationId, places, updatedAt, idempotency);
  }

  async reorderGroups(
    organizationId: string,
    places: Places,
    updatedAt: string,
    idempotency?: Idempotency,
  ): Promise<boolean> {
    return this.#reorder(this.#groups, organizationId, places, updatedAt, idempotency);
  }

  #reorder<T extends TagLooks>(
    rows: Map<string, T>,
    organizationId: string,
    places: Places,
    updatedAt: string,
    idempotency: Idempotency | undefined,
  ): boolean {
    this.#idempotencyRecords.check(idempotency);
    const now = places.map(({ id }) => rows.get(keyOf(organizationId, id)));
    if (!now.every(isLiving)) return false;
    this.#idempotencyRecords.commit(
      idempotency,
      places.map(({ id }) => id),
    );
    for (const [index, one] of now.entries()) {
      if (one) put(rows, { ...one, order: places[index]?.order ?? 0, updatedAt, revision: one.revision + 1 });
    }
    return true;
  }

  async workflowIdsOf(organizationId: string, tagId: string, max: number): Promise<readonly string[]> {
    return [...this.#tagged]
      .map((row): [string, string, string] => JSON.parse(row))
      .filter(([organization, tag]) => organization === organizationId && tag === tagId)
      .map(([, , workflowId]) => workflowId)
      .sort()
      .slice(0, max);
  }

  async assign(assignment: TagAssignment): Promise<boolean> {
    const { workflow, tagIds, added, removed, groups, idempotency } = assignment;
    const { organizationId, id: workflowId } = workflow;
    this.#idempotencyRecords.check(idempotency);
    const now = this.#workflows.row(organizationId, workflowId);
    if (now?.deletedAt !== null || now.revision !== workflow.revision) return false;
    const isSame = (tag: WorkflowTag) => {
      const row = this.#tags.get(keyOf(organizationId, tag.id));
      return isLiving(row) && row.groupId === tag.groupId ? row : undefined;
    };
    if (!added.every((tag) => isSame(tag)?.isArchived === false) || !removed.every(isSame)) return false;
    const groupsNow = groups.map((group) => this.#groups.get(keyOf(organizationId, group.id)));
    if (!groupsNow.every((group, index) => isLiving(group) && group.moves === groups[index]?.moves)) {
      return false;
    }
    this.#idempotencyRecords.commit(idempotency, tagIds);
    this.#workflows.write({ ...now, tagIds, revision: now.revision + 1 });
    for (const { id } of added) this.#count(organizationId, id, workflowId, 1);
    for (const { id } of removed) this.#count(organizationId, id, workflowId, -1);
    for (const group of groupsNow) {
      if (group) put(this.#groups, { ...group, assignments: group.assignments + 1 });
    }
    return true;
  }

  async findDeletedTag(organizationId: string, tagId: string): Promise<WorkflowTag | undefined> {
    const tag = this.#tags.get(keyOf(organizationId, tagId));
    return tag && !isLiving(tag) ? structuredClone(tag) : undefined;
  }

  async findDeletedGroup(organizationId: string, groupId: string): Promise<TagGroup | undefined> {
    const group = this.#groups.get(keyOf(organizationId, groupId));
    return group && !isLiving(group) ? structuredClone(group) : undefined;
  }

  async listDeletedTagsDue(limit: number): Promise<readonly WorkflowTag[]> {
    return structuredClone([...this.#tags.values()].filter((tag) => !isLiving(tag)).slice(0, limit));
  }

  async listDeletedGroupsDue(limit: number): Promise<readonly TagGroup[]> {
    return structuredClone([...this.#groups.values()].filter((group) => !isLiving(group)).slice(0, limit));
  }

  async detach(organizationId: string, tagId: string, workflowId: string): Promise<void> {
    const workflow: Workflow | undefined = this.#workflows.row(organizationId, workflowId);
    const tag = this.#tags.get(keyOf(organizationId, tagId));
    if (workflow?.deletedAt === null && isLiving(tag)) return;
    if (workflow?.tagIds.includes(tagId)) {
      const tagIds = workflow.tagIds.filter((id) => id !== tagId);
      this.#workflows.write({ ...workflow, tagIds, revision: workflow.revision + 1 });
    }
    this.#count(organizationId, tagId, workflowId, -1);
  }

  async tagIdsOf(organizationId: string, groupId: string, max: number): Promise<readonly string[]> {
    return [...this.#tags.values()]
      .filter((tag) => tag.organizationId === organizationId && tag.groupId === groupId)
      .map(({ id }) => id)
      .slice(0, max);
  }

  async ungroup(organizationId: string, groupId: string, tagId: string): Promise<void> {
    const tag = this.#tags.get(keyOf(organizationId, tagId));
    if (tag?.groupId === groupId) put(this.#tags, { ...tag, groupId: null, revision: tag.revision + 1 });
  }

  async removeTag({ organizationId, id }: WorkflowTag): Promise<void> {
    if (!isLiving(this.#tags.get(keyOf(organizationId, id)))) this.#tags.delete(keyOf(organizationId, id));
  }

  async removeGroup({ organizationId, id }: TagGroup): Promise<void> {
    if (!isLiving(this.#groups.get(keyOf(organizationId, id))))
      this.#groups.delete(keyOf(organizationId, id));
  }

  #enter(group: TagGroup, isChecked: boolean): boolean {
    const now = this.#groups.get(keyOf(group.organizationId, group.id));
    if (!isLiving(now)) return false;
    if (isChecked && (now.moves !== group.moves || now.assignments !== group.assignments)) return false;
    put(this.#groups, { ...now, moves: now.moves + 1 });
    return true;
  }

  #count(organizationId: string, tagId: string, workflowId: string, by: 1 | -1): void {
    const row = JSON.stringify([organizationId, tagId, workflowId]);
    if (by === 1 ? this.#tagged.has(row) : !this.#tagged.delete(row)) return;
    if (by === 1) this.#tagged.add(row);
    const tag = this.#tags.get(keyOf(organizationId, tagId));
    if (!tag) return;
    put(this.#tags, {
      ...tag,
      workflowCount: tag.workflowCount + by,
      assignments: tag.assignments + 1,
    });
  }
}

function keyOf(organizationId: string, id: string): string {
  return JSON.stringify([organizationId, id]);
}

function put<T extends TagLooks>(rows: Map<string, T>, one: T): void {
  rows.set(keyOf(one.organizationId, one.id), structuredClone(one));
}

function isLiving<T extends TagLooks>(one: T | undefined): one is T {
  return one?.deletedAt === null;
}

function living<T extends TagLooks>(rows: ReadonlyMap<string, T>, organizationId: string): readonly T[] {
  return [...rows.values()].filter((one) => one.organizationId === organizationId && isLiving(one));
}

function found<T extends TagLooks>(
  rows: ReadonlyMap<string, T>,
  organizationId: string,
  ids: readonly string[],
): readonly T[] {
  return structuredClone(living(rows, organizationId).filter(({ id }) => ids.includes(id)));
}

function nameHolder<T extends TagLooks>(rows: ReadonlyMap<string, T>, one: T): T | undefined {
  return living(rows, one.organizationId).find(({ id, name }) => name === one.name && id !== one.id);
}

function asRead<T extends TagLooks>(rows: ReadonlyMap<string, T>, before: T): T | undefined {
  const now = rows.get(keyOf(before.organizationId, before.id));
  return isLiving(now) && now.revision === before.revision ? now : undefined;
}

function refusal<T extends TagLooks>(
  rows: ReadonlyMap<string, T>,
  one: T,
  max: number,
): CreateOutcome | undefined {
  const holder = nameHolder(rows, one);
  if (holder) return { kind: "name_taken", id: holder.id };
  return living(rows, one.organizationId).length >= max ? { kind: "limit_reached" } : undefined;
}

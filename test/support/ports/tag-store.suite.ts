import { v7 } from "uuid";
import { describe, expect, it } from "vitest";
import { AlreadyOnRecord } from "../../../shared/domain/idempotency/idempotency.ts";
import { organizationIdOf } from "../../../shared/domain/organization-id.ts";
import { anIdempotency, anOrganization } from "../builders/entities.ts";
import { aTag, aTagGroup, aWorkflow } from "../builders/workflows.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";

const later = "2026-02-01T00:00:00.000Z";

export function tagStoreSuite(create: CreateTableStores): void {
  describe("a tag store", () => {
    const setUp = async () => {
      const stores = create();
      const organizationId = anOrganization();
      const group = aTagGroup({ organizationId, emoji: "👩🏽‍🚒", order: 3 });
      const tag = aTag({ organizationId, name: "ein Name", color: "#fff" });
      await stores.tags.createGroup(group);
      await stores.tags.createTag(tag);
      return { ...stores, organizationId, group, tag };
    };

    it("finds tags and groups as they were created, and in no other organization", async () => {
      const { tags, organizationId, group, tag } = await setUp();
      expect(await tags.findTags(organizationId, [tag.id, v7(), tag.id])).toEqual([tag]);
      expect(await tags.findGroups(organizationId, [group.id, v7()])).toEqual([group]);
      expect(await tags.listTags(organizationId)).toEqual([tag]);
      expect(await tags.listGroups(organizationId)).toEqual([group]);
      for (const other of ["org_other", `${organizationId}#TAG#${tag.id}`].map(organizationIdOf)) {
        expect(await tags.findTags(other, [tag.id])).toEqual([]);
        expect(await tags.findGroups(other, [group.id])).toEqual([]);
        expect(await tags.listTags(other)).toEqual([]);
      }
    });

    it("takes a name once among tags and once among groups, and names who has it", async () => {
      const { tags, organizationId, group, tag } = await setUp();
      const twin = aTag({ organizationId, name: tag.name });
      expect(await tags.createTag(twin)).toEqual({ kind: "name_taken", id: tag.id });
      expect(await tags.findTags(organizationId, [twin.id])).toEqual([]);
      expect(await tags.createTag(aTag({ organizationId, name: group.name }))).toEqual({ kind: "written" });
      expect(await tags.createTag(aTag({ name: tag.name }))).toEqual({ kind: "written" });
      const outcomes = await Promise.all(
        [1, 2, 3].map(() => tags.createGroup(aTagGroup({ organizationId, name: "one" }))),
      );
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["name_taken", "name_taken", "written"]);
    });

    it("moves the name's row with a rename, and frees it with a deletion", async () => {
      const { tags, organizationId, tag } = await setUp();
      const renamed = { ...tag, name: "new", updatedAt: later, revision: 2 };
      expect(await tags.updateTag(tag, renamed)).toEqual({ kind: "written" });
      expect(await tags.findTags(organizationId, [tag.id])).toEqual([renamed]);
      const second = aTag({ organizationId, name: tag.name });
      expect(await tags.createTag(second)).toEqual({ kind: "written" });
      expect(await tags.updateTag(second, { ...second, name: "new" })).toEqual({
        kind: "name_taken",
        id: tag.id,
      });
      expect(await tags.markDeleted("workflow tag", renamed, later)).toBe(true);
      expect(await tags.updateTag(second, { ...second, name: "new", revision: 2 })).toEqual({
        kind: "written",
      });
    });

    it("changes and deletes only what is still as it was read", async () => {
      const { tags, organizationId, tag, group } = await setUp();
      await tags.updateTag(tag, { ...tag, color: "red", revision: 2 });
      expect(await tags.updateTag(tag, { ...tag, color: "blue", revision: 2 })).toEqual({ kind: "changed" });
      expect(await tags.markDeleted("workflow tag", tag, later)).toBe(false);
      await tags.updateGroup(group, { ...group, order: 1, revision: 2 });
      expect(await tags.updateGroup(group, { ...group, order: 2 })).toEqual({ kind: "changed" });
      expect(await tags.markDeleted("workflow tag group", group, later)).toBe(false);
      expect((await tags.listTags(organizationId))[0]?.color).toBe("red");
      expect((await tags.listGroups(organizationId))[0]?.order).toBe(1);
    });

    it("lets nothing into a group that has been deleted", async () => {
      const { tags, organizationId, tag, group } = await setUp();
      await tags.markDeleted("workflow tag group", group, later);
      const inside = aTag({ organizationId, groupId: group.id });
      expect(await tags.createTag(inside, { into: group })).toEqual({ kind: "changed" });
      const moved = { ...tag, groupId: group.id, revision: 2 };
      expect(await tags.updateTag(tag, moved, { into: group })).toEqual({ kind: "changed" });
      expect(await tags.findTags(organizationId, [inside.id])).toEqual([]);
    });

    it("keeps an organization to 200 groups, also when they come at once", async () => {
      const { tags, organizationId, group } = await setUp();
      const make = () => tags.createGroup(aTagGroup({ organizationId }));
      for (let made = 1; made < 190; made += 27) await Promise.all(Array.from({ length: 27 }, make));
      const outcomes = await Promise.all(Array.from({ length: 20 }, make));
      const refused = outcomes.filter(({ kind }) => kind === "limit_reached");
      const groups = await tags.listGroups(organizationId);
      expect([groups.length, refused.length]).toEqual([200, 10]);
      expect(await make()).toEqual({ kind: "limit_reached" });
      await tags.markDeleted("workflow tag group", group, later);
      expect(await make()).toEqual({ kind: "written" });
    });

    it("gives all their places or none", async () => {
      const { tags, organizationId, tag } = await setUp();
      const second = aTag({ organizationId });
      await tags.createTag(second);
      const places = [
        { id: second.id, order: 4 },
        { id: tag.id, order: 7 },
      ];
      expect(
        await tags.reorder("workflow tag", organizationId, [...places, { id: v7(), order: 9 }], later),
      ).toBe(false);
      expect((await tags.findTags(organizationId, [tag.id]))[0]?.order).toBe(0);
      expect(await tags.reorder("workflow tag", organizationId, places, later)).toBe(true);
      expect((await tags.findTags(organizationId, [tag.id]))[0]).toMatchObject({
        order: 7,
        updatedAt: later,
        revision: 2,
      });
    });

    it("counts a workflow once in and once out, and knows which have the tag", async () => {
      const { tags, workflows, organizationId, tag } = await setUp();
      const workflow = aWorkflow({ organizationId });
      await workflows.create(workflow);
      const assignment = { workflow, tagIds: [tag.id], added: [tag], removed: [], groups: [] };
      expect(await tags.assign(assignment)).toBe(true);
      expect(await tags.assign(assignment)).toBe(false);
      expect(await tags.workflowIdsOf(organizationId, tag.id, 10)).toEqual([workflow.id]);
      expect((await tags.findTags(organizationId, [tag.id]))[0]).toMatchObject({
        workflowCount: 1,
        assignments: 1,
        revision: 1,
      });
      const now = await workflows.find(organizationId, workflow.id);
      expect(now).toEqual({ ...workflow, tagIds: [tag.id], edition: 1, revision: 2 });
      if (!now) throw new Error("the workflow is gone");
      const taken = { workflow: now, tagIds: [], added: [], removed: [tag], groups: [] };
      expect(await tags.assign(taken)).toBe(true);
      expect(await tags.workflowIdsOf(organizationId, tag.id, 10)).toEqual([]);
      expect((await tags.findTags(organizationId, [tag.id]))[0]?.workflowCount).toBe(0);
    });

    it("keeps the deleted for whoever finishes the deletion", async () => {
      const { tags, organizationId, tag, group } = await setUp();
      expect(await tags.findDeletedTag(organizationId, tag.id)).toBeUndefined();
      expect(await tags.findDeletedGroup(organizationId, group.id)).toBeUndefined();
      await tags.removeTag(tag);
      await tags.removeGroup(group);
      expect(await tags.findTags(organizationId, [tag.id])).toEqual([tag]);
      expect(await tags.findGroups(organizationId, [group.id])).toEqual([group]);
      await tags.markDeleted("workflow tag", tag, later);
      await tags.markDeleted("workflow tag group", group, later);
      expect([await tags.listTags(organizationId), await tags.listGroups(organizationId)]).toEqual([[], []]);
      const deletedTag = { ...tag, deletedAt: later, revision: 2 };
      const deletedGroup = { ...group, deletedAt: later, revision: 2 };
      expect(await tags.findDeletedTag(organizationId, tag.id)).toEqual(deletedTag);
      expect(await tags.findDeletedGroup(organizationId, group.id)).toEqual(deletedGroup);
      await tags.removeTag(deletedTag);
      await tags.removeGroup(deletedGroup);
      expect(await tags.findDeletedTag(organizationId, tag.id)).toBeUndefined();
      expect(await tags.findDeletedGroup(organizationId, group.id)).toBeUndefined();
    });

    it("does each write once under an idempotency record, with its answer on record", async () => {
      const { tags, workflows, idempotencyRecords, organizationId, tag } = await setUp();
      const workflow = aWorkflow({ organizationId });
      await workflows.create(workflow);
      const made = aTag({ organizationId });
      const changed = { ...tag, color: "red", revision: 2 };
      const places = [{ id: tag.id, order: 5 }];
      const assignment = { workflow, tagIds: [tag.id], added: [tag], removed: [], groups: [] };
      const writes = [
        [made, (idempotency) => tags.createTag(made, { idempotency })],
        [changed, (idempotency) => tags.updateTag(tag, changed, { idempotency })],
        [[tag.id], (idempotency) => tags.reorder("workflow tag", organizationId, places, later, idempotency)],
        [[tag.id], (idempotency) => tags.assign({ ...assignment, idempotency })],
        [
          null,
          (idempotency) => tags.markDeleted("workflow tag", { ...tag, revision: 3 }, later, idempotency),
        ],
      ] satisfies readonly (readonly [
        unknown,
        (idempotency: ReturnType<typeof anIdempotency>) => Promise<unknown>,
      ])[];
      for (const [result, write] of writes) {
        const idempotency = anIdempotency(organizationId);
        await write(idempotency);
        expect(await idempotencyRecords.find(idempotency)).toMatchObject({ kind: "done", result });
        await expect(write(anIdempotency(organizationId, { id: idempotency.id }))).rejects.toThrow(
          AlreadyOnRecord,
        );
      }
    });
  });
}

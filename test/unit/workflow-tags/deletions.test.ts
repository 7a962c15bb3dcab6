import { describe, expect, it } from "vitest";
import {
  finishTagDeletion,
  finishTagGroupDeletion,
} from "../../../shared/domain/maintenance/finish-tag-deletion.ts";
import { finishDueTagDeletions } from "../../../shared/domain/maintenance/finish-due-tag-deletions.ts";
import { finishWorkflowDeletion } from "../../../shared/domain/maintenance/finish-workflow-deletion.ts";
import type { Workflow } from "../../../shared/domain/workflow/workflow.ts";
import type { WorkflowTag } from "../../../shared/domain/workflow-tag/workflow-tag.ts";
import { anOrganization } from "../../support/builders/entities.ts";
import { aTag, aTagGroup, aWorkflow } from "../../support/builders/workflows.ts";
import { inMemoryStores } from "../../support/fakes/in-memory-stores.ts";

/** Two workflows with the same two tags, the first tag in a group. */
async function world() {
  const stores = inMemoryStores();
  const organizationId = anOrganization();
  const group = aTagGroup({ organizationId });
  const tags = [aTag({ organizationId, groupId: group.id }), aTag({ organizationId })] as const;
  const workflows = [aWorkflow({ organizationId }), aWorkflow({ organizationId })] as const;
  await stores.tags.createGroup(group);
  for (const tag of tags) await stores.tags.createTag(tag);
  for (const workflow of workflows) {
    await stores.workflows.create(workflow);
    const given = { tagIds: tags.map(({ id }) => id), added: tags, removed: [], groups: [] };
    await stores.tags.assign({ workflow, ...given });
  }
  const counts = async () =>
    (await stores.tags.findTags(organizationId, idsOf(tags))).map((tag) => tag.workflowCount);
  const deletedAt = new Date(stores.clock.now()).toISOString();
  return { stores, organizationId, group, tags, workflows, counts, deletedAt };
}

const idsOf = (some: readonly (WorkflowTag | Workflow)[]) => some.map(({ id }) => id);

type World = Awaited<ReturnType<typeof world>>;

/** Every call of the stores while work is done, of which one may fail, before or after it has been done. */
function crashAt({ stores }: World, crashAtCall: number, when: "before" | "after") {
  const seen = { calls: 0, isArmed: true };
  const watched: readonly (readonly [object, readonly string[]])[] = [
    [stores.workflows, ["findDeleted", "remove"]],
    [stores.tags, ["findDeletedTag", "findDeletedGroup", "workflowIdsOf", "detach", "tagIdsOf"]],
    [stores.tags, ["ungroup", "removeTag", "removeGroup"]],
  ];
  for (const [store, methods] of watched) {
    for (const method of methods) {
      const original: unknown = Reflect.get(store, method);
      if (typeof original !== "function") throw new Error(`there is no ${method}`);
      Reflect.set(store, method, async (...given: unknown[]) => {
        seen.calls += 1;
        const isCrash = seen.isArmed && seen.calls === crashAtCall;
        if (isCrash && when === "before") throw new Error("crashed");
        const result: unknown = await Reflect.apply(original, store, given);
        if (isCrash) throw new Error("crashed");
        return result;
      });
    }
  }
  return seen;
}

/** Done to the end after a crash at each call, before and after it. */
async function survives(finish: (one: World) => Promise<boolean>, check: (one: World) => Promise<void>) {
  for (const when of ["before", "after"] as const) {
    for (let call = 1; call < 50; call += 1) {
      const one = await world();
      const seen = crashAt(one, call, when);
      const first = await finish(one).catch(() => "crashed");
      seen.isArmed = false;
      if (first !== "crashed") {
        // The crash would have come after the last call.
        expect(seen.calls).toBeGreaterThanOrEqual(4);
        await check(one);
        break;
      }
      await finish(one);
      await check(one);
      expect(await finish(one)).toBe(false);
    }
  }
}

describe("the deletion of a workflow", () => {
  it("takes it off the counts of its tags, once, whatever interrupts it", async () => {
    await survives(
      async ({ stores, organizationId, workflows: [gone], deletedAt }) => {
        await stores.workflows.markDeleted(organizationId, gone.id, deletedAt);
        return await finishWorkflowDeletion(stores, organizationId, gone.id);
      },
      async ({ stores, organizationId, workflows: [gone], counts }) => {
        expect(await counts()).toEqual([1, 1]);
        expect(await stores.workflows.findDeleted(organizationId, gone.id)).toBeUndefined();
      },
    );
  });

  it("cancels the runs that wait for it first", async () => {
    const { stores, organizationId, workflows, deletedAt } = await world();
    const [gone] = workflows;
    const cancelled: string[] = [];
    const waitingRuns = { cancelWaitingRuns: async (_: string, id: string) => void cancelled.push(id) };
    await finishWorkflowDeletion({ ...stores, waitingRuns }, organizationId, gone.id);
    expect(cancelled).toEqual([]);
    await stores.workflows.markDeleted(organizationId, gone.id, deletedAt);
    await finishWorkflowDeletion({ ...stores, waitingRuns }, organizationId, gone.id);
    expect(cancelled).toEqual([gone.id]);
  });
});

describe("the deletion of a tag", () => {
  it("takes it from every workflow, whatever interrupts it", async () => {
    await survives(
      async ({ stores, organizationId, tags: [gone], deletedAt }) => {
        const [now] = await stores.tags.findTags(organizationId, [gone.id]);
        if (now) await stores.tags.markTagDeleted(now, deletedAt);
        return await finishTagDeletion(stores, organizationId, gone.id);
      },
      async ({ stores, organizationId, workflows, tags: [gone, other] }) => {
        for (const workflow of await stores.workflows.findMany(organizationId, idsOf(workflows))) {
          expect(workflow.tagIds).toEqual([other.id]);
        }
        expect(await stores.tags.findDeletedTag(organizationId, gone.id)).toBeUndefined();
      },
    );
  });
});

describe("the deletion of a group", () => {
  it("takes its tags out of it, whatever interrupts it", async () => {
    await survives(
      async ({ stores, organizationId, group, deletedAt }) => {
        const [now] = await stores.tags.findGroups(organizationId, [group.id]);
        if (now) await stores.tags.markGroupDeleted(now, deletedAt);
        return await finishTagGroupDeletion(stores, organizationId, group.id);
      },
      async ({ stores, organizationId, group, tags: [inside] }) => {
        expect(await stores.tags.findTags(organizationId, [inside.id])).toMatchObject([{ groupId: null }]);
        expect(await stores.tags.findDeletedGroup(organizationId, group.id)).toBeUndefined();
      },
    );
  });
});

describe("the sweeper", () => {
  it("finishes what is overdue by two minutes, of all three", async () => {
    const { stores, organizationId, group, tags, workflows, deletedAt } = await world();
    const [tag] = await stores.tags.findTags(organizationId, [tags[0].id]);
    if (tag) await stores.tags.markTagDeleted(tag, deletedAt);
    await stores.tags.markGroupDeleted(group, deletedAt);
    await stores.workflows.markDeleted(organizationId, workflows[0].id, deletedAt);
    stores.clock.advance(120_000);
    expect(await finishDueTagDeletions(stores)).toBe(0);
    stores.clock.advance(1);
    expect(await finishDueTagDeletions(stores)).toBe(3);
    expect(await finishDueTagDeletions(stores)).toBe(0);
  });
});

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
import { interruptible } from "../../support/dynamo-model/interruptible.ts";
import { createModelStores } from "../../support/stores/model-stores.ts";

/** Two workflows with the same two tags, the first tag in a group. */
async function world() {
  const { model, client, calls } = interruptible();
  const stores = createModelStores({ model, client });
  const organizationId = anOrganization();
  const group = aTagGroup({ organizationId });
  const tags = [aTag({ organizationId, groupId: group.id }), aTag({ organizationId })] as const;
  const workflows = [aWorkflow({ organizationId }), aWorkflow({ organizationId })] as const;
  await stores.tags.createGroup(group);
  await stores.tags.createTag(tags[0], { into: group });
  await stores.tags.createTag(tags[1]);
  for (const workflow of workflows) {
    await stores.workflows.create(workflow);
    const given = { tagIds: tags.map(({ id }) => id), added: tags, removed: [], groups: [] };
    await stores.tags.assign({ workflow, ...given });
  }
  const counts = async () =>
    (await stores.tags.findTags(organizationId, idsOf(tags))).map((tag) => tag.workflowCount);
  const deletedAt = new Date(stores.clock.now()).toISOString();
  return { stores, calls, organizationId, group, tags, workflows, counts, deletedAt };
}

const idsOf = (some: readonly (WorkflowTag | Workflow)[]) => some.map(({ id }) => id);

type World = Awaited<ReturnType<typeof world>>;

/** Done to the end after an interruption at each call to the table, before and after it is done. */
async function survives(finish: (one: World) => Promise<boolean>, check: (one: World) => Promise<void>) {
  for (const isDone of [false, true]) {
    for (let interruptedAt = 1, isOver = false; !isOver; interruptedAt += 1) {
      const one = await world();
      Object.assign(one.calls, { made: 0, interruptedAt, isDone });
      const first = await finish(one).catch(() => "interrupted");
      isOver = one.calls.made < interruptedAt;
      one.calls.interruptedAt = 0;
      if (isOver) expect([first, interruptedAt > 4]).toEqual([true, true]);
      else await finish(one);
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
    const [grouping] = await stores.tags.findGroups(organizationId, [group.id]);
    if (grouping) await stores.tags.markGroupDeleted(grouping, deletedAt);
    await stores.workflows.markDeleted(organizationId, workflows[0].id, deletedAt);
    stores.clock.advance(120_000);
    expect(await finishDueTagDeletions(stores)).toBe(0);
    stores.clock.advance(1);
    expect(await finishDueTagDeletions(stores)).toBe(3);
    expect(await finishDueTagDeletions(stores)).toBe(0);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Caller } from "../../../shared/domain/access/caller.ts";
import { deleteWorkflow } from "../../../shared/domain/entity/delete-entity.ts";
import { DomainError } from "../../../shared/domain/errors.ts";
import { InvalidInput } from "../../../shared/domain/invalid-input.ts";
import {
  finishTagDeletion,
  finishTagGroupDeletion,
} from "../../../shared/domain/maintenance/finish-tag-deletion.ts";
import { finishWorkflowDeletion } from "../../../shared/domain/maintenance/finish-workflow-deletion.ts";
import { createWorkflow } from "../../../shared/domain/workflow/create-workflow.ts";
import { assignTags } from "../../../shared/domain/workflow-tag/assign-tags.ts";
import { createTag, createTagGroup } from "../../../shared/domain/workflow-tag/create-tag.ts";
import { deleteTag, deleteTagGroup } from "../../../shared/domain/workflow-tag/delete-tag.ts";
import { describeTags, getWorkflowTags } from "../../../shared/domain/workflow-tag/read-tags.ts";
import { unassignTag } from "../../../shared/domain/workflow-tag/unassign-tag.ts";
import { updateTag } from "../../../shared/domain/workflow-tag/update-tag.ts";
import { AjvInputChecker } from "../../../shared/schema/ajv-input-checker.ts";
import { anOrganization } from "../builders/entities.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { SequentialIds } from "../fakes/sequential-ids.ts";
import type { CreateTableStores } from "../stores/table-stores.ts";
import { type Step, TaggingModel } from "./tagging-model.ts";

export interface TaggingSuiteOptions {
  readonly runs: number;
}

const workflowCount = 3;
const tagCount = 5;
const groupCount = 2;

const workflow = fc.nat(workflowCount - 1);
const tag = fc.nat(tagCount - 1);
const group = fc.nat(groupCount - 1);
const assign = fc.record({
  do: fc.constant("assign" as const),
  workflow,
  tags: fc.uniqueArray(tag, { minLength: 1, maxLength: 3 }),
});
const move = fc.record({
  do: fc.constant("move" as const),
  tag,
  group: fc.option(group, { nil: null }),
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: assign },
  { weight: 4, arbitrary: move },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("unassign" as const), workflow, tag }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("archive" as const), tag, isArchived: fc.boolean() }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete_tag" as const), tag }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete_group" as const), group }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete_workflow" as const), workflow }) },
);

export function taggingSuite(create: CreateTableStores, { runs }: TaggingSuiteOptions): void {
  async function world() {
    const stores = create();
    const clock = new FakeClock();
    const deps = { ...stores, clock, ids: new SequentialIds(), inputChecker: new AjvInputChecker({ clock }) };
    const caller: Caller = {
      kind: "api_key",
      organizationId: anOrganization(),
      userId: "0190b5a0-0000-7000-8000-000000000001",
      principal: "key",
      keyId: "key",
      scopes: ["read", "write"],
    };
    const { organizationId } = caller;
    const groups: string[] = [];
    for (let index = 0; index < groupCount; index += 1) {
      groups.push((await createTagGroup(deps, caller, { name: `group ${index}` })).id);
    }
    const tags: string[] = [];
    for (let index = 0; index < tagCount; index += 1) {
      const groupId = index === 0 ? (groups[0] ?? null) : null;
      tags.push((await createTag(deps, caller, { name: `tag ${index}`, groupId })).id);
    }
    const workflows: string[] = [];
    for (let index = 0; index < workflowCount; index += 1) {
      workflows.push((await createWorkflow(deps, caller, { mainPrompt: "x" })).id);
    }
    const at = (ids: readonly string[], index: number): string => ids[index] ?? "";

    /** Returns the code of a refusal, undefined when the step is done. */
    async function perform(one: Step): Promise<string | undefined> {
      try {
        await performed(one);
        return undefined;
      } catch (error) {
        if (error instanceof InvalidInput) return "invalid";
        if (error instanceof DomainError) return error.code;
        throw error;
      }
    }

    async function performed(one: Step): Promise<unknown> {
      switch (one.do) {
        case "assign":
          return await assignTags(deps, caller, {
            workflowId: at(workflows, one.workflow),
            tagIds: one.tags.map((index) => at(tags, index)),
          });
        case "unassign":
          return await unassignTag(deps, caller, {
            workflowId: at(workflows, one.workflow),
            tagId: at(tags, one.tag),
          });
        case "move": {
          const groupId = one.group === null ? null : at(groups, one.group);
          return await updateTag(deps, caller, { tagId: at(tags, one.tag), groupId });
        }
        case "archive": {
          const input = { tagId: at(tags, one.tag), isArchived: one.isArchived };
          return await updateTag(deps, caller, input);
        }
        case "delete_tag":
          return await deleteTag(deps, caller, { id: at(tags, one.tag) });
        case "delete_group":
          return await deleteTagGroup(deps, caller, { id: at(groups, one.group) });
        case "delete_workflow":
          return await deleteWorkflow(deps, caller, { id: at(workflows, one.workflow) });
      }
    }

    async function finish(): Promise<void> {
      for (const id of workflows) await finishWorkflowDeletion(deps, organizationId, id);
      for (const id of tags) await finishTagDeletion(deps, organizationId, id);
      for (const id of groups) await finishTagGroupDeletion(deps, organizationId, id);
    }

    async function seen() {
      const living = await deps.workflows.findMany(organizationId, workflows);
      const tagsOf = new Map<number, readonly number[]>();
      for (const { id } of living) {
        const described = await getWorkflowTags(deps, caller, { workflowId: id });
        const numbers = described.map((each) => tags.indexOf(each.tag.id)).sort();
        tagsOf.set(workflows.indexOf(id), numbers);
      }
      const found = await deps.tags.findTags(organizationId, tags);
      const tagged = new Map(
        (await describeTags(deps, organizationId, found)).map((each) => [
          tags.indexOf(each.tag.id),
          {
            group: each.group === null ? null : groups.indexOf(each.group.id),
            isArchived: each.tag.isArchived,
            count: each.tag.workflowCount,
          },
        ]),
      );
      return { tagsOf, tags: tagged };
    }

    async function requireInvariants(): Promise<void> {
      const now = await seen();
      for (const numbers of now.tagsOf.values()) {
        const grouped = numbers.flatMap((number) => now.tags.get(number)?.group ?? []);
        expect(new Set(grouped).size, "two tags of a group on one workflow").toBe(grouped.length);
      }
      for (const [number, { count }] of now.tags) {
        const having = [...now.tagsOf.values()].filter((numbers) => numbers.includes(number));
        expect(count, `the count of tag ${number}`).toBe(having.length);
        const rows = await deps.tags.workflowIdsOf(organizationId, at(tags, number), 100);
        expect(rows, `the rows of tag ${number}`).toHaveLength(having.length);
      }
    }
    return { perform, finish, seen, requireInvariants };
  }

  describe("tags, groups and workflows", () => {
    it("do after any sequence of operations what the model does", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), fc.boolean(), async (steps, isPrompt) => {
          const { perform, finish, seen, requireInvariants } = await world();
          const model = new TaggingModel(workflowCount, tagCount, groupCount);
          for (const one of steps) {
            expect(await perform(one), JSON.stringify(one)).toBe(model.perform(one));
            if (isPrompt) await finish();
          }
          await finish();
          expect(await seen()).toEqual(model.seen());
          await requireInvariants();
        }),
        { numRuns: runs },
      );
    });

    it("keep the groups exclusive and the counts exact, whatever happens at once", async () => {
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 8, maxLength: 16 }), async (steps) => {
          const { perform, finish, requireInvariants } = await world();
          for (let start = 0; start < steps.length; start += 8) {
            await Promise.all(steps.slice(start, start + 8).map(perform));
          }
          await finish();
          await requireInvariants();
        }),
        { numRuns: runs },
      );
    });

    it("never meet when tags come into a group while workflows are given them", async () => {
      for (let round = 0; round < Math.min(10, runs); round += 1) {
        const { perform, seen, requireInvariants } = await world();
        await perform({ do: "assign", workflow: 0, tags: [1, 2] });
        await Promise.all([
          perform({ do: "assign", workflow: 0, tags: [0] }),
          perform({ do: "move", tag: 1, group: 0 }),
          perform({ do: "move", tag: 2, group: 0 }),
          perform({ do: "assign", workflow: 1, tags: [0] }),
          perform({ do: "assign", workflow: 1, tags: [1] }),
        ]);
        await requireInvariants();
        expect((await seen()).tagsOf.get(0)?.length).toBeGreaterThan(0);
      }
    });

    it("leave one tag of a group when many of it are given at once", async () => {
      const { perform, seen, requireInvariants } = await world();
      for (const number of [1, 2, 3, 4]) await perform({ do: "move", tag: number, group: 0 });
      const outcomes = await Promise.all(
        [0, 1, 2, 3, 4].map((number) => perform({ do: "assign", workflow: 0, tags: [number] })),
      );
      expect(outcomes).toEqual([undefined, undefined, undefined, undefined, undefined]);
      expect((await seen()).tagsOf.get(0)).toHaveLength(1);
      await requireInvariants();
    });
  });
}
